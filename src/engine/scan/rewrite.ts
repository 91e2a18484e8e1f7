/**
 * Derives patterns from those of a rule: without the look-ahead, with renamed references, or with a replaced group.
 *
 * @module
 */
import { literal, type Node, sequence } from "../pattern/node.ts";

/** An opener or a closer without its look-ahead. */
export function beforeLookAhead(node: Node): Node {
  if (node.type !== "sequence") return node;
  const at = node.items.findIndex((item) => item.type === "mark");
  return at < 0 ? node : sequence(...node.items.slice(0, at));
}

/** An item's opener with a fixed key. */
export function rename(opener: Node, name: string): Node {
  return replaceGroup(opener, { name: "key", item: literal(name) });
}

/** The same pattern with a prefix before the names of its references. */
export function renameReferences(node: Node, before: string): Node {
  switch (node.type) {
    case "reference":
      return { ...node, name: before + node.name };
    case "sequence":
    case "choice":
      return { type: node.type, items: node.items.map((item) => renameReferences(item, before)) };
    case "repeat":
    case "group":
      return { ...node, item: renameReferences(node.item, before) };
    default:
      return node;
  }
}

/** The same pattern with new content in one of its groups. */
export function replaceGroup(node: Node, group: { name: string; item: Node }): Node {
  switch (node.type) {
    case "group":
      return { ...node, item: node.name === group.name ? group.item : replaceGroup(node.item, group) };
    case "sequence":
    case "choice":
      return { type: node.type, items: node.items.map((item) => replaceGroup(item, group)) };
    case "repeat":
      return { ...node, item: replaceGroup(node.item, group) };
    default:
      return node;
  }
}

/** The same pattern without the names of its groups. */
export function withoutGroups(node: Node): Node {
  switch (node.type) {
    case "group":
      return withoutGroups(node.item);
    case "sequence":
    case "choice":
      return { type: node.type, items: node.items.map(withoutGroups) };
    case "repeat":
      return { ...node, item: withoutGroups(node.item) };
    default:
      return node;
  }
}
