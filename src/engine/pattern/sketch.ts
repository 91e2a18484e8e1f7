/**
 * Draws a pattern for people: the text that it always matches, and names for the variable parts.
 *
 *     <parameter=(?<key>[^>\s]{1,64})>\n?     →     <parameter=KEY>
 *
 * @module
 */
import type { Node } from "./node.ts";

/** The sketch of a node, without its optional parts; a single sign that a model can forget is drawn. */
export function sketch(node: Node): string {
  switch (node.type) {
    case "characters": {
      // Of a sign or whitespace in its place, the sign.
      const signs = node.ranges.filter((range) =>
        !range.every((unit) => /\s/.test(String.fromCharCode(unit)))
      );
      const [range, ...more] = node.ranges.length === 1 ? node.ranges : signs;
      const isOne = range !== undefined && more.length === 0 && range[0] === range[1];
      return isOne ? String.fromCharCode(range[0]) : "…";
    }
    case "sequence": {
      const mark = node.items.findIndex(({ type }) => type === "mark");
      return node.items.slice(0, mark < 0 ? undefined : mark).map(sketch).join("");
    }
    case "choice":
      return node.items.map(sketch).find((text) => text !== "") ?? "";
    case "repeat":
      if (node.minimum === 0) {
        const sign = node.maximum === 1 && node.item.type === "characters" ? sketch(node.item) : "";
        return /^[^\s\w…]$/.test(sign) ? sign : "";
      }
      return sketch(node.item).repeat(Math.min(node.minimum, 8));
    case "group":
      return /^\w+$/.test(node.name) ? node.name.toUpperCase() : sketch(node.item);
    case "reference":
      return node.name.toUpperCase();
    default:
      return "";
  }
}
