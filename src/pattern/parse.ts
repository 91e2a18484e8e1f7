/**
 * The text of a pattern → a tree, or what is wrong with it and at which character. The subset is what an
 * automaton can run in linear time while text is still coming.
 *
 * @module
 */
import { type AST, RegExpParser } from "@eslint-community/regexpp";
import type { Code } from "../diagnostic/codes.ts";
import { complement, type Node, normalise, type Ranges, sequence, SPACE } from "./node.ts";

/** A mistake in a pattern: offset and length in its text, in UTF-16 code units. */
export interface PatternProblem {
  /** Which mistake it is. */
  readonly code: Code;
  /** Its place in the pattern. */
  readonly offset: number;
  /** How many characters are at fault. */
  readonly length: number;
  /** What is wrong. */
  readonly message: string;
  /** What was expected there. */
  readonly expected?: string;
  /** How to mend it. */
  readonly help?: string;
}

/** What `parsePattern` gives: a tree exactly when there is no problem. */
export interface ParsedPattern {
  /** The tree. */
  readonly node?: Node;
  /** What is wrong. */
  readonly problems: readonly PatternProblem[];
}

/** What `{tool}` is short for: a tool's name. */
export const TOOL_NAME = "(?<tool>[A-Za-z_][\\w.:/-]{0,127})";

/** The most that a bounded repeat may ask for. */
export const REPEAT_MAXIMUM = 512;

const WORD: Ranges = [[0x30, 0x39], [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];
const DIGIT: Ranges = [[0x30, 0x39]];
const LINE_END: Ranges = [[0x0a, 0x0a], [0x0d, 0x0d], [0x2028, 0x2029]];
const HOLE = "…";

/** A mistake found while walking the tree; caught by `parsePattern` alone. */
class Unsupported extends Error {
  constructor(readonly problem: PatternProblem) {
    super(problem.message);
  }
}

/**
 * Parses the pattern of a rule.
 *
 * @param text the pattern as the author wrote it, with `{tool}` and `(?<body>…)`
 *
 * @example
 * ```ts
 * import { parsePattern } from "./parse.ts";
 * console.assert(parsePattern("<function={tool}>(?<body>…)</function>").node !== undefined);
 * console.assert(parsePattern("a(?!b)").problems[0]?.code === "pattern_unsupported");
 * ```
 */
export function parsePattern(text: string): ParsedPattern {
  const source = expand(text);
  try {
    const ast = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source.text, 0, source.text.length, {
      unicode: false,
      unicodeSets: false,
    });
    return { node: alternatives(ast.alternatives), problems: [] };
  } catch (error) {
    if (error instanceof Unsupported) return { problems: [source.locate(error.problem)] };
    if (error instanceof Error && "index" in error && typeof error.index === "number") {
      const message = error.message.replace(/^Invalid regular expression: \/.*\/\w*: /s, "");
      return {
        problems: [source.locate({
          code: "pattern_syntax",
          offset: error.index,
          length: 1,
          message: `Cannot read the pattern: ${message}`,
          help: "a literal bracket, brace, dot, star, plus, question mark or bar needs a \\ before it",
        })],
      };
    }
    throw error;
  }
}

/** The pattern with `{tool}` written out, and the way back to the author's own characters. */
function expand(text: string): { text: string; locate(problem: PatternProblem): PatternProblem } {
  const short = "{tool}";
  const places: number[] = [];
  for (let at = text.indexOf(short); at >= 0; at = text.indexOf(short, at + short.length)) places.push(at);
  const grown = TOOL_NAME.length - short.length;
  const back = (offset: number): number => {
    let shift = 0;
    for (const place of places) {
      if (offset < place + shift) break;
      if (offset < place + shift + TOOL_NAME.length) return place;
      shift += grown;
    }
    return Math.min(offset - shift, text.length);
  };
  return {
    text: text.replaceAll(short, () => TOOL_NAME),
    locate: (problem) => {
      const offset = back(problem.offset);
      const length = Math.max(1, back(problem.offset + problem.length) - offset);
      return { ...problem, offset, length };
    },
  };
}

function alternatives(list: readonly AST.Alternative[]): Node {
  const items = list.map((alternative) => sequence(...elements(alternative)));
  return items.length === 1 ? items[0]! : { type: "choice", items };
}

/** The elements of one alternative; a look-ahead at its end becomes a mark and what must follow. */
function elements(alternative: AST.Alternative): Node[] {
  const nodes: Node[] = [];
  alternative.elements.forEach((element, index) => {
    const isLast = index === alternative.elements.length - 1;
    if (element.type === "Assertion" && element.kind === "lookahead" && !element.negate) {
      // (?=…) also may stand right before the hole: what it looks at is then the beginning of the body.
      const next = alternative.elements[index + 1];
      if (!isLast && !(next && isHole(next))) {
        throw unsupported(element, "A look-ahead must be the last thing before the hole or at the end");
      }
      nodes.push({ type: "mark" }, alternatives(element.alternatives));
    } else if (element.type === "Assertion" && element.kind === "start") {
      nodes.push({ type: "line_start" });
    } else {
      nodes.push(convert(element));
    }
  });
  return nodes;
}

function convert(element: AST.Element): Node {
  switch (element.type) {
    case "Character":
      return { type: "characters", ranges: [[element.value, element.value]] };
    case "CharacterSet":
      return { type: "characters", ranges: rangesOf(element) };
    case "CharacterClass":
      return { type: "characters", ranges: classRanges(element) };
    case "Group":
      if (element.modifiers) throw unsupported(element, "Flags inside a pattern are not supported");
      return alternatives(element.alternatives);
    case "CapturingGroup":
      if (isHole(element)) return { type: "hole", name: element.name ?? "" };
      return element.name
        ? { type: "group", name: element.name, item: alternatives(element.alternatives) }
        : alternatives(element.alternatives);
    case "Quantifier":
      return repeat(element);
    case "Backreference":
      if (typeof element.ref === "number") {
        throw unsupported(
          element,
          "A reference by number is not supported",
          "give the group a name and write \\k<name>",
        );
      }
      return { type: "reference", name: element.ref };
    case "Assertion":
      throw unsupported(element, assertionMessage(element), assertionHelp(element));
    default:
      throw unsupported(element, `\`${element.raw}\` is not supported`);
  }
}

function isHole(element: AST.Element): boolean {
  return element.type === "CapturingGroup" && element.alternatives.length === 1 &&
    element.alternatives[0]!.raw === HOLE;
}

function repeat(element: AST.Quantifier): Node {
  if (element.element.type === "Assertion") throw unsupported(element, "A look-ahead cannot be repeated");
  const bounded = element.max === Infinity ? element.min : element.max;
  if (bounded > REPEAT_MAXIMUM) {
    throw new Unsupported({
      code: "pattern_repeat",
      offset: element.element.end,
      length: element.end - element.element.end,
      message: `Cannot repeat ${bounded} times`,
      expected: `at most ${REPEAT_MAXIMUM}`,
      help: "an opener never needs more: held text ends at 512 characters",
    });
  }
  return {
    type: "repeat",
    item: convert(element.element),
    minimum: element.min,
    maximum: element.max,
    greedy: element.greedy,
  };
}

function rangesOf(set: AST.CharacterSet): Ranges {
  switch (set.kind) {
    case "any":
      return complement(LINE_END);
    case "digit":
      return set.negate ? complement(DIGIT) : DIGIT;
    case "space":
      return set.negate ? complement(SPACE) : SPACE;
    case "word":
      return set.negate ? complement(WORD) : WORD;
    default:
      throw unsupported(
        set,
        `\`${set.raw}\` is not supported`,
        "write the characters out as a class: [A-Za-z]",
      );
  }
}

function classRanges(element: AST.CharacterClass): Ranges {
  const ranges = element.elements.flatMap((part): Ranges => {
    if (part.type === "Character") return [[part.value, part.value]];
    if (part.type === "CharacterClassRange") return [[part.min.value, part.max.value]];
    if (part.type === "CharacterSet") return rangesOf(part);
    throw unsupported(element, `\`${element.raw}\` is not supported`);
  });
  return element.negate ? complement(ranges) : normalise(ranges);
}

function assertionMessage(element: AST.Assertion): string {
  switch (element.kind) {
    case "lookbehind":
      return "A look-behind is not supported";
    case "lookahead":
      return "A negative look-ahead is not supported";
    case "word":
      return "A word boundary is not supported";
    default:
      return "`$` is not supported";
  }
}

function assertionHelp(element: AST.Assertion): string {
  switch (element.kind) {
    case "lookbehind":
      return "write what stands before as part of the pattern, or `at: line` for the start of a line";
    case "lookahead":
      return "say what may follow instead: (?=[^x])";
    case "word":
      return "say which character may follow: (?=[^\\w])";
    default:
      return "write \\n, or `where: last` if only white space may follow in the answer";
  }
}

function unsupported(element: AST.Node, message: string, help?: string): Unsupported {
  return new Unsupported({
    code: "pattern_unsupported",
    offset: element.start,
    length: element.end - element.start,
    message,
    expected:
      "literals, classes, groups, | ? * + {m,n}, a leading ^, a look-ahead at the end, \\k<name> after the hole",
    ...(help === undefined ? {} : { help }),
  });
}
