/**
 * What may stand after a whole value: the closer, with or without that of the wrapper, or the next value of the same
 * hole. Derived from the rule.
 *
 * @module
 */
import { choice, literal, minimumLength, type Node, sequence, spaces } from "../pattern/node.ts";
import type { CompiledRule } from "./program.ts";

const MARK: Node = { type: "mark" };
/** A call as Python writes it begins with a name. */
const CALL: Node = { type: "characters", ranges: [[0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]] };
/** Matches nothing at all. */
export const NEVER: Node = { type: "characters", ranges: [] };

/** The closer, and the wrapper's closer if it is there. */
export function wholeCloser({ closer, wrapperCloser }: CompiledRule): Node {
  if (!wrapperCloser) return closer;
  return sequence(closer, { type: "repeat", item: wrapperCloser, minimum: 0, maximum: 1, greedy: true });
}

/** Whether a rule's closer must be there; else the call ends with its body, if need be. */
export function needsCloser(rule: CompiledRule): boolean {
  return minimumLength(rule.closer) > 0;
}

/** Whether anything may stand after a whole value that belongs to the call, or to the next one of the same hole. */
export function mayGoOn(rule: CompiledRule): boolean {
  const { body } = rule;
  const between = body.kind === "envelope" || body.kind === "call_list" ? body.between : undefined;
  return between !== undefined || rule.wrapperCloser !== undefined || isSomething(rule.closer);
}

function isSomething(node: Node): boolean {
  return node.type === "sequence"
    ? node.items.some(isSomething)
    : node.type !== "mark" && node.type !== "end";
}

/** Where another value of the same hole begins: after what the rule says stands between two, or after white space. */
export function another(rule: CompiledRule): Node {
  const { body } = rule;
  const begins = body.kind === "call_list" ? CALL : literal("{");
  const between = body.kind === "envelope" || body.kind === "call_list" ? body.between : undefined;
  // Where nothing closes the call, white space alone does not make the next object one more.
  if (!between && !needsCloser(rule)) return NEVER;
  return sequence(spaces, ...between ? [between, spaces] : [], MARK, begins);
}

/** The same pattern without the ways to match nothing. */
export function required(node: Node): Node {
  if (!isSomething(node)) return NEVER;
  if (minimumLength(node) > 0) return node;
  switch (node.type) {
    case "repeat":
      return { ...node, item: required(node.item), minimum: 1 };
    case "choice":
      return choice(...node.items.filter((item) => isSomething(item)).map(required));
    case "group":
      return { ...node, item: required(node.item) };
    case "sequence":
      // One of the items must be there; those after it may.
      return choice(
        ...node.items.flatMap((item, index) =>
          isSomething(item) ? [sequence(required(item), ...node.items.slice(index + 1))] : []
        ),
      );
    default:
      return node;
  }
}
