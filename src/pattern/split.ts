/**
 * A pattern with a hole → what opens, what closes, and whether an optional wrapper goes around both:
 *
 *     (?:<tool_call>\s*)? <function={tool}> (?<body>…) </function> (?:\s*</tool_call>)?
 *     ^^^^^^ wrapper      ^^^^^^ opener      hole       ^^^^^^ closer  ^^^^^^ wrapper's end
 *
 * @module
 */
import { minimumLength, namesIn, type Node, sequence } from "./node.ts";
import { parsePattern } from "./parse.ts";
import type { PatternProblem } from "./problem.ts";

/** The group that an opener's optional wrapper is saved under; no author can write this name. */
export const WRAPPER = " wrapper";

/** A pattern, split at its hole. */
export interface SplitPattern {
  /** What stands before the hole; an optional wrapper is the group `WRAPPER`. */
  readonly opener: Node;
  /** What must stand after the hole. */
  readonly closer: Node;
  /** What closes the optional wrapper, if the pattern has one on both sides. */
  readonly wrapperCloser?: Node;
  /** The names of the opener's groups. */
  readonly groups: readonly string[];
}

/** A mistake whose place is the whole pattern. */
type Problem = Omit<PatternProblem, "offset" | "length">;

/** What `splitPattern` gives: a split exactly when there is no problem. */
export interface Split {
  /** The parts. */
  readonly split?: SplitPattern;
  /** What is wrong. */
  readonly problems: readonly PatternProblem[];
}

/**
 * Parses a pattern and splits it at its hole.
 *
 * @param hole the name that the hole must have: `body` for a pattern, `value` for an item
 * @param outer for an item: the groups of the pattern that it belongs to, to which its closer may refer too
 *
 * @example
 * ```ts
 * import { splitPattern } from "./split.ts";
 * const { split } = splitPattern("<a>(?<body>…)</a>", "body");
 * console.assert(split !== undefined && split.groups.length === 0);
 * ```
 */
export function splitPattern(text: string, hole: "body" | "value", outer: readonly string[] = []): Split {
  const { node, problems } = parsePattern(text);
  if (!node) return { problems };
  const items = node.type === "sequence" ? node.items : [node];
  const at = items.findIndex((item) => item.type === "hole");
  const whole = (problem: Problem): Split => ({
    problems: [{ ...problem, offset: 0, length: text.length }],
  });
  if (at < 0 || count(node, "hole") > 1) return whole(holeProblem(hole));
  const found = items[at]!;
  if (found.type === "hole" && found.name !== hole) return whole(holeProblem(hole));

  const before = items.slice(0, at);
  const after = items.slice(at + 1);
  const misplaced = lineStartProblem(before, after);
  if (misplaced) return whole(misplaced);
  const { opener, closer, wrapperCloser } = unwrap(before, after);
  const problem = openerProblem(opener) ?? referenceProblem(opener, closer, outer) ??
    (hole === "value" ? itemProblem(opener, closer, outer) : undefined);
  if (problem) return whole(problem);
  return {
    problems: [],
    split: {
      opener,
      closer,
      ...(wrapperCloser ? { wrapperCloser } : {}),
      groups: namesIn(opener, "group").filter((name) => name !== WRAPPER),
    },
  };
}

function holeProblem(hole: string): Problem {
  return {
    code: "pattern_hole",
    message: "Cannot split the pattern into what opens and what closes",
    expected: `exactly one hole (?<${hole}>…), not inside another group`,
    help: "… is the one character U+2026, not three dots",
  };
}

/** An optional group first and an optional group last are the two sides of a wrapper. */
function unwrap(before: readonly Node[], after: readonly Node[]): Omit<SplitPattern, "groups"> {
  const first = before[0];
  const last = after.at(-1);
  if (!first || !last || before.length < 2 || !isOptional(first) || !isOptional(last)) {
    return { opener: sequence(...before), closer: sequence(...after) };
  }
  const wrapper: Node = { ...first, item: { type: "group", name: WRAPPER, item: first.item } };
  return {
    opener: sequence(wrapper, ...before.slice(1)),
    closer: sequence(...after.slice(0, -1)),
    wrapperCloser: last.item,
  };
}

function isOptional(node: Node): node is Extract<Node, { type: "repeat" }> {
  return node.type === "repeat" && node.minimum === 0 && node.maximum === 1 && minimumLength(node.item) > 1;
}

function lineStartProblem(
  before: readonly Node[],
  after: readonly Node[],
): Problem | undefined {
  const misplaced = [...before.slice(1), ...after.slice(1)].some((node) => count(node, "line_start") > 0) ||
    [before[0], after[0]].some((node) => node && node.type !== "line_start" && count(node, "line_start") > 0);
  if (!misplaced) return undefined;
  return {
    code: "pattern_unsupported",
    message: "`^` is in the middle of the pattern",
    expected: "^ as the very first thing of the opener or of the closer",
    help: "write \\n where a new line is part of the pattern",
  };
}

function openerProblem(opener: Node): Problem | undefined {
  if (minimumLength(opener) === 0 && !looksAhead(opener)) {
    return {
      code: "pattern_empty_opener",
      message: "The opener may match nothing, so every place of an answer would open a call",
      expected: "at least one character before the hole",
    };
  }
  if (minimumLength(opener) > 512) {
    return {
      code: "pattern_too_long",
      message: "The opener is longer than the text that may be held back",
      expected: "an opener of at most 512 characters",
    };
  }
  return undefined;
}

function referenceProblem(opener: Node, closer: Node, outer: readonly string[]): Problem | undefined {
  const inOpener = namesIn(opener, "reference")[0];
  if (inOpener !== undefined) {
    return {
      code: "pattern_reference",
      message: `The opener refers back to \`${inOpener}\``,
      expected: "\\k<name> only after the hole",
    };
  }
  const known = [...namesIn(opener, "group"), ...outer].filter((name) => name !== WRAPPER);
  const unknown = namesIn(closer, "reference").find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  return {
    code: "pattern_reference",
    message: `The closer refers to \`${unknown}\`, a group that does not stand before the hole`,
    expected: known.length > 0 ? `one of ${known.join(", ")}` : "a named group in the opener",
  };
}

/** What only an item cannot have: the matcher itself looks at what follows a value. */
function itemProblem(opener: Node, closer: Node, outer: readonly string[]): Problem | undefined {
  if (count(closer, "mark") > 0) {
    return {
      code: "pattern_unsupported",
      message: "An item cannot look ahead after its value",
      expected: "the item's closer alone",
      help: "a value ends only where another item, the end of the call or the end of the answer follows",
    };
  }
  const twice = namesIn(opener, "group").find((name) => outer.includes(name));
  if (twice === undefined) return undefined;
  return {
    code: "pattern_reference",
    message: `The item's group \`${twice}\` has the name of a group of the pattern`,
    expected: "another name",
  };
}

/** Whether an opener takes nothing, but something must follow: what it looks at is the beginning of the body. */
function looksAhead(opener: Node): boolean {
  const [mark, ...rest] = opener.type === "sequence" ? opener.items : [];
  return mark?.type === "mark" && minimumLength(sequence(...rest)) > 0;
}

function count(node: Node, type: Node["type"]): number {
  const own = node.type === type ? 1 : 0;
  if (node.type === "sequence" || node.type === "choice") {
    return node.items.reduce((sum, item) => sum + count(item, type), own);
  }
  return node.type === "repeat" || node.type === "group" ? own + count(node.item, type) : own;
}
