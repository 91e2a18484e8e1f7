/**
 * Splits a pattern at its hole into an opener, a closer and an optional wrapper around both:
 *
 *     (?:<tool_call>\s*)? <function={tool}> (?<body>…) </function> (?:\s*</tool_call>)?
 *     ^^^^^^ wrapper      ^^^^^^ opener      hole       ^^^^^^ closer  ^^^^^^ wrapper's end
 *
 * @module
 */
import { minimumLength, namesIn, type Node, sequence, WRAPPER } from "./node.ts";
import { parsePattern } from "./parse.ts";
import type { PatternProblem } from "./problem.ts";
import { present } from "../object/present.ts";
import {
  partAtGroup,
  partAtValue,
  type PartedPattern,
  type WholeProblem as Problem,
} from "./unmarked_hole.ts";

/** A pattern that is split at its hole. */
export interface SplitPattern {
  /** The part before the hole; an optional wrapper is the group `WRAPPER`. */
  readonly opener: Node;
  /** The part after the hole. */
  readonly closer: Node;
  /** The closer of the optional wrapper, if both sides of the pattern have one. */
  readonly wrapperCloser?: Node;
  /** The names of the opener's groups. */
  readonly groups: readonly string[];
  /** The group that is the hole because none is marked. */
  readonly group?: string;
  /** What the text of `group` must match. */
  readonly value?: Node;
  /** Whether the pattern is its opener alone, because it has no hole. */
  readonly isWhole?: boolean;
}

/** The result of `splitPattern`; it has a split if and only if it has no problems. */
export interface Split {
  /** The parts. */
  readonly split?: SplitPattern;
  /** The errors. */
  readonly problems: readonly PatternProblem[];
}

/**
 * Parses a pattern and splits it at its hole.
 *
 * @param hole the required name of the hole: `body` for a pattern, `value` for an item
 * @param outer for an item, the groups of its pattern, which its closer can also refer to
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
  const whole = ({ rewrite, ...problem }: Problem): Split => ({
    problems: [{ ...problem, ...present({ rewritten: rewrite?.(text) }), offset: 0, length: text.length }],
  });
  const parted = part(node, hole);
  if ("code" in parted) return whole(parted);
  const { before, after, group, value } = parted;
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
      ...present({ wrapperCloser, group, value }),
      ...(after.length === 0 && count(node, "hole") === 0 ? { isWhole: true } : {}),
      groups: namesIn(opener, "group").filter((name) => name !== WRAPPER),
    },
  };
}

function part(node: Node, hole: "body" | "value"): PartedPattern | Problem {
  const items = node.type === "sequence" ? node.items : [node];
  if (count(node, "hole") === 0) {
    return hole === "body" ? partAtGroup(items) : partAtValue(items) ?? holeProblem(hole);
  }
  const at = items.findIndex((item) => item.type === "hole");
  const found = items[at];
  const isRight = found?.type === "hole" && found.name === hole && count(node, "hole") === 1;
  return isRight ? { before: items.slice(0, at), after: items.slice(at + 1) } : holeProblem(hole);
}

function holeProblem(hole: string): Problem {
  return {
    code: "pattern_hole",
    message: "Cannot split the pattern into an opener and a closer",
    expected: `exactly one hole (?<${hole}>…), not inside another group`,
    help: "… must be the single character U+2026, not three dots",
  };
}

/** Separates the wrapper: an optional group at the beginning and one at the end. */
function unwrap(before: readonly Node[], after: readonly Node[]): Omit<SplitPattern, "groups"> {
  const residue = before.slice(0, isResidue(before[0]) ? 1 : 0);
  const own = before.slice(residue.length);
  const first = own[0];
  const last = after.at(-1);
  if (!first || !last || own.length < 2 || !isOptional(first) || !isOptional(last)) {
    return { opener: sequence(...before), closer: sequence(...after) };
  }
  const wrapper: Node = { ...first, item: { type: "group", name: WRAPPER, item: first.item } };
  return {
    opener: sequence(...residue, wrapper, ...own.slice(1)),
    closer: sequence(...after.slice(0, -1)),
    wrapperCloser: last.item,
  };
}

/** Whether a node is the remainder before a call. */
function isResidue(node: Node | undefined): boolean {
  return node?.type === "repeat" && node.item.type === "group" && node.item.name === "residue";
}

function isOptional(node: Node): node is Extract<Node, { type: "repeat" }> {
  return node.type === "repeat" && node.minimum === 0 && node.maximum === 1 && minimumLength(node.item) > 1;
}

function lineStartProblem(before: readonly Node[], after: readonly Node[]): Problem | undefined {
  const misplaced = [...before.slice(1), ...after.slice(1)].some((node) => count(node, "line_start") > 0) ||
    [before[0], after[0]].some((node) => node && node.type !== "line_start" && count(node, "line_start") > 0);
  if (!misplaced) return undefined;
  return {
    code: "pattern_unsupported",
    message: "`^` is in the middle of the pattern",
    expected: "^ at the very beginning of the opener or of the closer",
    help: "write \\n if a line break is part of the pattern",
  };
}

function openerProblem(opener: Node): Problem | undefined {
  if (minimumLength(opener) === 0 && !looksAhead(opener)) {
    return {
      code: "pattern_empty_opener",
      message: "The opener can match an empty string, so a call would open at every position in an answer",
      expected: "at least one character before the hole",
    };
  }
  if (minimumLength(opener) > 512) {
    return {
      code: "pattern_too_long",
      message: "The opener is longer than the text that Dragoman can hold back",
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
    message: `The closer refers to \`${unknown}\`, which isn't a group before the hole`,
    expected: known.length > 0 ? `one of ${known.join(", ")}` : "a named group in the opener",
  };
}

/** Reports what is an error only in an item: the matcher itself checks what follows a value. */
function itemProblem(opener: Node, closer: Node, outer: readonly string[]): Problem | undefined {
  if (count(closer, "mark") > 0) {
    return {
      code: "pattern_unsupported",
      message: "An item cannot look ahead after its value",
      expected: "the item's closer alone",
      help: "a value ends only before another item, the end of the call, or the end of the answer",
    };
  }
  if (minimumLength(closer) === 0 && hasOptionalMark(closer)) {
    return {
      code: "pattern_empty_closer",
      message:
        "The item's closer can match an empty string, so a value ends before any text that looks like an item",
      expected: "a closer that must be there: (?<value>…)</arg>",
      help: "remove the ?: if the model forgets the closer, Dragoman repairs the call",
    };
  }
  const twice = namesIn(opener, "group").find((name) => outer.includes(name));
  if (twice === undefined) return undefined;
  return {
    code: "pattern_reference",
    message: `The item's group \`${twice}\` has the same name as a group in the pattern`,
    expected: "another name",
  };
}

/** Whether a part of several characters can be absent; a notation without closers can have a separator, such as a comma. */
function hasOptionalMark(closer: Node): boolean {
  const items = closer.type === "sequence" ? closer.items : [closer];
  return items.some((item) =>
    item.type === "choice" ? item.items.some((one) => minimumLength(one) > 1) : isOptional(item)
  );
}

/** Whether an opener consumes nothing but requires the body to begin in a certain way. */
function looksAhead(opener: Node): boolean {
  const items = opener.type === "sequence" ? opener.items : [];
  const [mark, ...rest] = items[0]?.type === "line_start" ? items.slice(1) : items;
  return mark?.type === "mark" && minimumLength(sequence(...rest)) > 0;
}

function count(node: Node, type: Node["type"]): number {
  const own = node.type === type ? 1 : 0;
  if (node.type === "sequence" || node.type === "choice") {
    return node.items.reduce((sum, item) => sum + count(item, type), own);
  }
  return node.type === "repeat" || node.type === "group" ? own + count(node.item, type) : own;
}
