/** Finds rules that can be read and compiled but don't do what their author means. @module */
import type { Code } from "../diagnostic/codes.ts";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { present } from "../object/present.ts";
import { END, isSpace, minimumLength, type Node, WRAPPER } from "../pattern/node.ts";
import { type SplitPattern, splitPattern } from "../pattern/split.ts";
import { isRecord } from "../object/record.ts";
import { BEFORE, RESIDUE } from "../scan/compiled_rule.ts";
import type { RuleProblem } from "./problem.ts";
import type { LoadedRules } from "./read.ts";
import type { Rule } from "./schema.ts";

type Finding = Omit<RuleProblem, "rule" | "path"> & { readonly path?: RuleProblem["path"] };

/** The findings that make a rule useless; a rule with others works, and its author may want it so. */
const BROKEN: readonly Code[] = ["opener_swallows", "body_not_closed"];

/** Body kinds that end only at a closer. */
const NEED_CLOSER: readonly Rule["body"][] = ["text", "yaml", "tagged"];

/**
 * Everything in a rule that works as written, but that its author can't want.
 *
 * @example
 * ```ts
 * import { lintRule } from "./lint.ts";
 * import { ruleSchema } from "./schema.ts";
 * const rule = ruleSchema.parse({ rule: "r", pattern: ".*<c {tool}>(?<body>…)</c>", body: "json" });
 * console.assert(lintRule(rule)[0]?.code === "opener_swallows");
 * ```
 */
export function lintRule(rule: Rule): RuleProblem[] {
  const { split } = splitPattern(rule.pattern, "body");
  const findings = split === undefined
    ? []
    : [...lintOpener(rule, split), ...lintCloser(rule, split), ...lintParts(split)];
  return [...findings, ...lintExamples(rule)].map((finding) => ({
    path: ["pattern"],
    ...finding,
    rule: rule.rule,
  }));
}

/** What `lintRule` finds in loaded rules, as diagnostics. */
export function lintRules(loaded: LoadedRules, { only }: { only: (rule: Rule) => boolean }): Diagnostic[] {
  return loaded.rules.filter(only).flatMap(lintRule).map(({ rule, path, offset, length, ...problem }) => ({
    ...problem,
    severity: BROKEN.includes(problem.code) ? "error" : "warning",
    ...present({ location: loaded.locate(rule, path, present({ offset, length })) }),
  }));
}

function lintOpener(rule: Rule, { opener, wrapperCloser, groups }: SplitPattern): Finding[] {
  const swallowing = leading(opener).find(swallows);
  if (swallowing !== undefined && rule.body !== "opaque") {
    return [{
      code: "opener_swallows",
      message: "The opener begins with something that matches ordinary text",
      expected: "the first character of the dialect's own marker",
      help: "rules search for their opener everywhere, so remove that part",
    }];
  }
  const findings: Finding[] = [];
  const isPlaced = rule.begins !== "anywhere" || rule.followed_by !== "anything" ||
    rule.pattern.startsWith("^") ||
    groups.includes(BEFORE) ||
    groups.includes(RESIDUE);
  const isGuarded = rule.keys === "declared" && isPlaced;
  if (
    rule.pattern.includes("{tool}") && (rule.call.tool === undefined || isRecord(rule.call.tool)) &&
    !isGuarded && !hasMark(opener)
  ) {
    findings.push({
      code: "tool_without_mark",
      ...placeOf(rule.pattern, "{tool}"),
      message: "The tool's name has no marker, so any text that mentions the tool would begin a call",
      expected: "a character before or after {tool} that isn't a letter, a digit or whitespace",
      help: "if the dialect has no marker, write `keys: declared` and `begins: answer`",
    });
  }
  const first = opener.type === "sequence" ? opener.items[0] : undefined;
  if (wrapperCloser === undefined && first && isOptional(first) && hasMark(first.item)) {
    findings.push({
      code: "wrapper_not_closed",
      message: "The pattern has an optional beginning, but no optional end",
      expected: "an optional group at the end of the pattern that closes it",
      help: "write the wrapper's closing tag as the last thing: (?:\\s*</tag>)?",
    });
  }
  return findings;
}

function lintCloser(rule: Rule, { closer, isWhole }: SplitPattern): Finding[] {
  const isClosed = minimumLength(closer) > 0 || looksAhead(closer) ||
    (rule.body === "text" && isWhole === true);
  if (!NEED_CLOSER.includes(rule.body) || isClosed) return [];
  return [{
    code: "body_not_closed",
    message: `Nothing closes the body, and a body of kind \`${rule.body}\` does not end by itself`,
    expected: "at least one required character after the hole",
  }];
}

/** Whether a closer consumes nothing and requires that certain text or the end follows. */
function looksAhead(closer: Node): boolean {
  return closer.type === "sequence" && closer.items.some(({ type }) => type === "mark");
}

/** Parts that match no text at all, such as a trailing group with an empty class. */
function lintParts({ opener, closer, wrapperCloser }: SplitPattern): Finding[] {
  const place = [["opener", opener], ["closer", closer], ["closer", wrapperCloser]] as const;
  const found = place.find(([, node]) => node !== undefined && holdsDead(node));
  if (found === undefined) return [];
  return [{
    code: "part_never_matches",
    message: `Part of the ${found[0]} can never match`,
    expected: "text that the part matches",
    help: "a class such as [^\\s\\S] matches no character: change it, or remove the part",
  }];
}

/** Whether a node or a part of it, optional or not, matches no text. */
function holdsDead(node: Node): boolean {
  switch (node.type) {
    case "characters":
      return node.ranges.length === 0;
    case "sequence":
    case "choice":
      return node.items.some(holdsDead);
    case "repeat":
    case "group":
      return holdsDead(node.item);
    default:
      return false;
  }
}

function lintExamples({ body, examples, untouched }: Rule): Finding[] {
  const makesCalls = body !== "opaque" && body !== "group";
  const missing = makesCalls && examples.length === 0
    ? "example"
    : untouched.length === 0
    ? "`untouched` case"
    : undefined;
  if (missing === undefined || (!makesCalls && examples.length > 0)) return [];
  return [{
    code: "examples_missing",
    path: ["rule"],
    message: `The rule has no ${missing}`,
    expected: "at least one of `examples` and one of `untouched`",
    help: "`dragoman trace FILE` shows how a rule reads a recorded answer",
  }];
}

/** The nodes that can come first in what a node matches. */
function leading(node: Node): Node[] {
  switch (node.type) {
    case "sequence": {
      const found: Node[] = [];
      for (const item of node.items) {
        if (item.type === "mark") break;
        found.push(...leading(item));
        if (minimumLength(item) > 0) break;
      }
      return found;
    }
    case "choice":
      return node.items.flatMap(leading);
    case "group":
      return node.name === WRAPPER ? [] : leading(node.item);
    case "repeat":
      return [node, ...leading(node.item)];
    default:
      return [node];
  }
}

/** Whether a repetition matches words with spaces between them. */
function swallows(node: Node): boolean {
  return node.type === "repeat" && node.maximum > 1 && node.item.type === "characters" &&
    takes(node.item, "a") && takes(node.item, " ");
}

function takes({ ranges }: Extract<Node, { type: "characters" }>, character: string): boolean {
  const unit = character.charCodeAt(0);
  return ranges.some(([from, to]) => unit >= from && unit <= to);
}

/** Whether everything that a node matches, apart from the tool's name, has a character that prose doesn't have there. */
function hasMark(node: Node): boolean {
  switch (node.type) {
    case "characters":
      return node.ranges.every(([from, to]) => from === to && isMark(from));
    case "sequence": {
      // A look-ahead may find the brace of a block of code.
      const ahead = node.items.findIndex(({ type }) => type === "mark");
      return node.items.slice(0, ahead < 0 ? undefined : ahead).some(hasMark);
    }
    case "choice":
      return node.items.every(hasMark);
    case "repeat":
      return node.minimum > 0 && hasMark(node.item);
    case "group":
      return node.name !== "tool" && hasMark(node.item);
    default:
      return false;
  }
}

/** Whether a character is neither a letter, a digit nor whitespace. */
function isMark(unit: number): boolean {
  const isDigit = unit >= 0x30 && unit <= 0x39;
  const isLetter = (unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a;
  return unit < END && !isDigit && !isLetter && !isSpace(unit) &&
    !".,:;_-".includes(String.fromCharCode(unit));
}

function isOptional(node: Node): node is Extract<Node, { type: "repeat" }> {
  return node.type === "repeat" && node.minimum === 0 && node.maximum === 1;
}

function placeOf(pattern: string, part: string): { offset: number; length: number } {
  return { offset: pattern.indexOf(part), length: part.length };
}
