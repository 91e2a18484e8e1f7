/**
 * Derives from a rule what can follow a whole value: the closer, with or without the wrapper's closer, or the next
 * value of the same hole.
 *
 * @module
 */
import {
  choice,
  complement,
  innerNodes,
  literal,
  MARK,
  minimumLength,
  namesIn,
  NEVER,
  type Node,
  optional,
  type Ranges,
  sequence,
  SPACE,
  spaces,
} from "../pattern/node.ts";
import type { CompiledRule } from "./compiled_rule.ts";

/** The first character of a call in Python notation, which begins with a name: a letter, also beyond ASCII, or `_`. */
const CALL: Node = {
  type: "characters",
  ranges: [[0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a], [0xc0, 0xd7ff]],
};

/** The closer, followed by the optional wrapper's closer. */
export function wholeCloser({ closer, wrapperCloser }: CompiledRule): Node {
  return wrapperCloser ? sequence(closer, optional(wrapperCloser)) : closer;
}

/** Whether a rule has a closer at all, be it only a look-ahead. */
export function hasCloser({ closer }: CompiledRule): boolean {
  return closer.type !== "sequence" || closer.items.length > 0;
}

/** Whether a closer is the end of a line: whitespace with a line break in it. */
export function isLineBreak(closer: Node): boolean {
  if (namesIn(closer, "reference").length > 0) return false;
  const sets = charactersIn(closer);
  return minimumLength(closer) > 0 &&
    sets.some((ranges) => ranges.some(([from, to]) => from <= 0x0a && to >= 0x0a)) &&
    sets.every((ranges) => complement([...complement(ranges), ...SPACE]).length === 0);
}

function charactersIn(node: Node): Ranges[] {
  return node.type === "characters" ? [node.ranges] : innerNodes(node).flatMap(charactersIn);
}

/** Whether a rule requires its closer; otherwise, a call can end with its body. */
export function needsCloser(rule: CompiledRule): boolean {
  return minimumLength(rule.closer) > 0;
}

/** Whether text after a whole value can belong to the call or to the next call in the same hole. */
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

/** The beginning of another value in the same hole, after the rule's separator or whitespace. */
export function another(rule: CompiledRule): Node {
  const { body } = rule;
  const begins = body.kind === "call_list" ? CALL : literal("{");
  const between = body.kind === "envelope" || body.kind === "call_list" ? body.between : undefined;
  // If nothing closes the call, whitespace alone doesn't make the next object another call.
  if (!between && !needsCloser(rule)) return NEVER;
  return sequence(spaces, ...between ? [between, spaces] : [], MARK, begins);
}

/** The same pattern without its empty matches. */
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
      // One item must be present; those after it are optional.
      return choice(
        ...node.items.flatMap((item, index) =>
          isSomething(item) ? [sequence(required(item), ...node.items.slice(index + 1))] : []
        ),
      );
    default:
      return node;
  }
}
