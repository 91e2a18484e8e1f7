/**
 * Derives patterns from those of a rule: without the look-ahead, with renamed references, or with a replaced group.
 *
 * @module
 */
import { changeInner, literal, type Node, sequence } from "../pattern/node.ts";

export function beforeLookAhead(node: Node): Node {
  if (node.type !== "sequence") return node;
  const at = node.items.findIndex((item) => item.type === "mark");
  return at < 0 ? node : sequence(...node.items.slice(0, at));
}

export function rename(opener: Node, name: string): Node {
  return replaceGroup(opener, { name: "key", item: literal(name) });
}

/** The same pattern with a prefix before the names of its references. */
export function renameReferences(node: Node, before: string): Node {
  return node.type === "reference"
    ? { ...node, name: before + node.name }
    : changeInner(node, (inner) => renameReferences(inner, before));
}

/** The same pattern with new content in one of its groups. */
export function replaceGroup(node: Node, group: { name: string; item: Node }): Node {
  return node.type === "group" && node.name === group.name
    ? { ...node, item: group.item }
    : changeInner(node, (inner) => replaceGroup(inner, group));
}

/** The same pattern without the names of its groups. */
export function withoutGroups(node: Node): Node {
  return node.type === "group" ? withoutGroups(node.item) : changeInner(node, withoutGroups);
}
