/**
 * Finds the hole of a pattern that doesn't mark it with `…`: the last group, whose expression is what the value must match.
 *
 *     ^ACTION\[list\]: (?<path>.+)$      opener  ACTION[list]:     value  .+     closer  the end of the line
 *     ^MOVE (?<from>\S+) (?<to>\S+)$     opener  MOVE FROM         value  \S+    closer  the end of the line
 *     ^COPY(?: (?<path>\S+))?            no such group: the opener is the whole pattern, and its groups are the parameters
 *
 * @module
 */
import {
  ANSWER_END,
  choice,
  complement,
  END,
  isSpace,
  MARK,
  minimumLength,
  namesIn,
  type Node,
  type Ranges,
} from "./node.ts";
import type { PatternProblem } from "./problem.ts";
import { lazyGroup } from "./rewrite.ts";

export interface PartedPattern {
  readonly before: readonly Node[];
  readonly after: readonly Node[];
  /** The group that is the hole, and what its text must match; absent for a hole that is marked or at the end. */
  readonly group?: string;
  readonly value?: Node;
}

/** A problem that concerns the whole pattern, and what makes its text right. */
export interface WholeProblem extends Omit<PatternProblem, "offset" | "length" | "rewritten"> {
  readonly rewrite?: (text: string) => string;
}

/** Groups with a meaning of their own. */
const OWN_MEANING: ReadonlySet<string> = new Set(["tool", "before", "residue", "mode"]);

export function isNumber(group: string): boolean {
  return /^\d+$/.test(group);
}

/** Parts a pattern without a marked hole, or states why that can't be. */
export function partAtGroup(nodes: readonly Node[]): PartedPattern | WholeProblem {
  const whole = { before: nodes, after: [] };
  const places = nodes.flatMap((node, at) =>
    node.type === "group" && !OWN_MEANING.has(node.name) ? [at] : []
  );
  const named = places.find((at) => nameOf(nodes[at]) === "body");
  const at = named ?? places.at(-1);
  const group = at === undefined ? undefined : nodes[at];
  if (at === undefined || group?.type !== "group") return whole;
  const { name, item } = group;
  const rest = nodes.slice(at + 1);
  const lost = [item, ...rest].flatMap((node) => namesIn(node, "group")).some((inner) => !isNumber(inner));
  if (lost) return whole;
  if (isDots(item) || (name === "body" && isAny(item))) return dotsProblem(name);
  const repeated = repeatedCharacters(item);
  const before = nodes.slice(0, at);
  if (rest.length > 0) {
    return repeated?.isGreedy === true && goesOn(rest, repeated.ranges)
      ? greedyProblem(name)
      : { before, after: rest, group: name, value: item };
  }
  if (repeated === undefined) return whole;
  if (!repeated.isGreedy) return lazyProblem(name);
  const end = choice({ type: "characters", ranges: complement(repeated.ranges) }, ANSWER_END);
  return { before, after: [MARK, end], group: name, value: item };
}

/** Parts the pattern of an item whose group `value` isn't marked as its hole. Its closer alone ends the value. */
export function partAtValue(nodes: readonly Node[]): PartedPattern | undefined {
  const at = nodes.findIndex((node) => nameOf(node) === "value");
  const node = nodes[at];
  if (node?.type !== "group" || at === nodes.length - 1 || isDots(node.item)) return undefined;
  return { before: nodes.slice(0, at), after: nodes.slice(at + 1) };
}

function nameOf(node: Node | undefined): string | undefined {
  return node?.type === "group" ? node.name : undefined;
}

/** The characters of a node that repeats one class. */
export function repeatedCharacters(
  node: Node,
): { readonly ranges: Ranges; readonly isGreedy: boolean } | undefined {
  if (node.type !== "repeat" || node.item.type !== "characters" || node.maximum < Infinity) return undefined;
  return { ranges: node.item.ranges, isGreedy: node.greedy };
}

/** Three dots, which are meant as `…`. */
function isDots(node: Node): boolean {
  return node.type === "sequence" && node.items.length === 3 && node.items.every(isAny);
}

function isAny(node: Node): boolean {
  return node.type === "characters" && node.ranges.length > 1;
}

/** Whether what follows a group can also be in the group's text, so that a greedy group may reach beyond its first match. */
function goesOn(rest: readonly Node[], ranges: Ranges): boolean {
  const marks = rest.filter(({ type }) => type !== "mark");
  return marks.every((node) => isWithin(node, ranges)) &&
    marks.some((node) => minimumLength(node) > 0 && !isWithin(node, []) && hasSign(node, ranges));
}

/** Whether a node can match with characters of these ranges alone. */
function isWithin(node: Node, ranges: Ranges): boolean {
  switch (node.type) {
    case "characters":
      return intersects(node.ranges, ranges);
    case "sequence":
      return node.items.every((item) => isWithin(item, ranges));
    case "choice":
      return node.items.some((item) => isWithin(item, ranges));
    case "repeat":
      return node.minimum === 0 || isWithin(node.item, ranges);
    case "group":
      return isWithin(node.item, ranges);
    default:
      return node.type !== "end";
  }
}

/** Whether a node has characters of the ranges other than whitespace. */
function hasSign(node: Node, ranges: Ranges): boolean {
  switch (node.type) {
    case "characters":
      return intersects(node.ranges.filter(([from, to]) => from !== to || !isSpace(from)), ranges) &&
        !node.ranges.every(([from, to]) => isSpace(from) && isSpace(to));
    case "sequence":
    case "choice":
      return node.items.some((item) => hasSign(item, ranges));
    case "repeat":
    case "group":
      return hasSign(node.item, ranges);
    default:
      return node.type === "reference";
  }
}

function intersects(some: Ranges, others: Ranges): boolean {
  return some.some(([from, to]) => others.some(([start, end]) => from <= end && start <= to && from < END));
}

function dotsProblem(group: string): WholeProblem {
  return {
    code: "pattern_hole",
    message: `The group \`${group}\` has dots that match one character each`,
    expected: "… for any text: the single character U+2026, not three dots",
    rewrite: (text) => text.replace(/(\(\?<\w+>)\.{1,3}\)/, "$1…)"),
  };
}

function greedyProblem(group: string): WholeProblem {
  return {
    code: "pattern_hole",
    message:
      `\`${group}\` is greedy, so it would end before the last match of the following text, which is unknown in a stream`,
    expected: "a group that ends before the first match of the following text",
    rewrite: (text) => lazyGroup(text, group),
  };
}

function lazyProblem(group: string): WholeProblem {
  return {
    code: "pattern_hole",
    message: `Nothing follows \`${group}\`, so its lazy repeat matches nothing`,
    expected: "text that ends the group, such as $ for the end of the line",
    rewrite: (text) => `${text}$`,
  };
}
