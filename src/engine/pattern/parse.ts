/** Parses a pattern to a tree, or reports its errors: the subset that an automaton runs in linear time on a stream. @module */
import { type AST, RegExpParser, visitRegExpAST } from "@eslint-community/regexpp";
import {
  deepestGroup,
  LENGTH_MAXIMUM,
  NESTING_MAXIMUM,
  openBrackets,
  STEPS_MAXIMUM,
  stepsOf,
} from "./limit.ts";
import {
  ANSWER_END,
  choice,
  complement,
  lineBreak,
  MARK,
  type Node,
  normalize,
  type Ranges,
  sequence,
  SPACE,
} from "./node.ts";
import { PatternError, type PatternProblem, unsupported } from "./problem.ts";
import { rewritePattern } from "./rewrite.ts";

/** The result of `parsePattern`; it has a tree if and only if it has no problems. */
export interface ParsedPattern {
  /** The tree. */
  readonly node?: Node;
  /** The errors. */
  readonly problems: readonly PatternProblem[];
}

/** The pattern of a tool's name, which `{tool}` abbreviates. A control token can be glued to its end. */
export const TOOL_NAME =
  "(?<tool>[A-Za-z_À-῿぀-퟿][\\w.:/À-῿぀-퟿-]{0,127})(?:<\\|(?:channel|constrain|message|end)\\|>[a-z]{0,16})?";

/** The highest number in a bounded repeat. */
export const REPEAT_MAXIMUM = 512;

const HOLE = "…";

/** What `{tool}` becomes for the parser, with an error wherever the whole name would be one: it's read once, not in each pattern. */
const TOOL = { name: "(?<tool>[\0])", glued: "(?:[\0])" } as const;
const TOOL_SOURCE = `${TOOL.name}${TOOL.glued}?`;

/**
 * Parses the pattern of a rule.
 *
 * @param text the pattern in the rule's text, with `{tool}` and `(?<body>…)`
 *
 * @example
 * ```ts
 * import { parsePattern } from "./parse.ts";
 * console.assert(parsePattern("<function={tool}>(?<body>…)</function>").node !== undefined);
 * console.assert(parsePattern("a(?!b)").problems[0]?.code === "pattern_unsupported");
 * ```
 */
export function parsePattern(text: string): ParsedPattern {
  const parsed = parseText(text);
  if (parsed.problems.length === 0) return parsed;
  const rewritten = rewritePattern(text);
  if (rewritten === text || parseText(rewritten).node === undefined) return parsed;
  return { problems: parsed.problems.map((problem) => ({ ...problem, rewritten })) };
}

function parseText(text: string): ParsedPattern {
  const tooLarge = sizeProblem(text) ?? pastedProblem(text);
  if (tooLarge) return { problems: [tooLarge] };
  const source = expand(text);
  try {
    const groups = missingGroups(source.text);
    const pattern = parseSource(source.text + groups);
    const list = pattern.alternatives;
    const numbers = text.includes(HOLE) ? NO_NUMBERS : numbersOf(pattern);
    const node = alternatives(groups === "" ? list : list.slice(0, -1), {
      isLast: true,
      isEnd: true,
      numbers,
    });
    const steps = stepsOf(node);
    if (steps > STEPS_MAXIMUM) {
      return { problems: [{ ...tooManySteps(steps), offset: 0, length: text.length }] };
    }
    return { node, problems: [] };
  } catch (error) {
    if (error instanceof PatternError) return { problems: [source.locate(error.problem)] };
    if (error instanceof Error && "index" in error && typeof error.index === "number") {
      const message = error.message.replace(/^Invalid regular expression: \/.*\/\w*: /s, "");
      const problem = unclosed(source.text) ?? {
        offset: error.index,
        message: `Cannot parse the pattern: ${message}`,
        help: "to match a bracket, brace, dot, star, plus, question mark, or bar, write \\ before it",
      };
      return { problems: [source.locate({ code: "pattern_syntax", length: 1, ...problem })] };
    }
    throw error;
  }
}

/** The slashes and flags of a regular expression that was copied from a program. */
function pastedProblem(text: string): PatternProblem | undefined {
  const flags = /^\/[^]*\/([dgimsuy]+)$/.exec(text)?.[1] ?? /^\(\?([ims]+)\)/.exec(text)?.[1];
  if (flags === undefined) return undefined;
  return {
    code: "pattern_unsupported",
    offset: 0,
    length: text.length,
    message: `A pattern can't have flags such as \`${flags}\` or slashes around it`,
    expected: "the expression alone; letters in both cases as classes",
  };
}

const NO_NUMBERS: ReadonlyMap<AST.CapturingGroup, number> = new Map();

/** The numbers of a pattern's groups. A pattern without a hole has its parameters in groups, which may have no names. */
function numbersOf(pattern: AST.Pattern): ReadonlyMap<AST.CapturingGroup, number> {
  const numbers = new Map<AST.CapturingGroup, number>();
  visitRegExpAST(pattern, { onCapturingGroupEnter: (group) => void numbers.set(group, numbers.size + 1) });
  return numbers;
}

/** The bracket that nothing closes: the parser only notices that at the end of the pattern. */
function unclosed(text: string): Pick<PatternProblem, "offset" | "message" | "help"> | undefined {
  const { groups, inClass } = openBrackets(text);
  const offset = inClass ?? groups.at(-1);
  if (offset === undefined) return undefined;
  const [bracket, closer] = inClass === undefined ? ["(", ")"] : ["[", "]"];
  return {
    offset,
    message: `Cannot parse the pattern: nothing closes this \`${bracket}\``,
    help: `add the \`${closer}\`, or write \`\\${bracket}\` for the character itself`,
  };
}

const parser = new RegExpParser({ ecmaVersion: 2025 });

function parseSource(source: string): AST.Pattern {
  return parser.parsePattern(source, 0, source.length, { unicode: false, unicodeSets: false });
}

let readTool: { readonly name: Node; readonly glued: Node } | undefined;

/** The tree of `TOOL_NAME`. */
function toolNodes(): { readonly name: Node; readonly glued: Node } {
  if (readTool === undefined) {
    const place = { isLast: false, isEnd: false, numbers: NO_NUMBERS };
    const [name, glued] = elements(parseSource(TOOL_NAME).alternatives[0]!, place);
    readTool = { name: name!, glued: (glued as Extract<Node, { type: "repeat" }>).item };
  }
  return readTool;
}

/**
 * Returns an extra alternative that declares the groups missing from a pattern. Without a group of that name, the
 * parser reads `\k<name>` as the letters k<name>, but an item can refer to a group of its rule's pattern. The
 * alternative is dropped after parsing.
 */
function missingGroups(source: string): string {
  const names = [...source.matchAll(/\\k<([A-Za-z_]\w*)>/g)].map(([, name]) => name!);
  const missing = [...new Set(names)].filter((name) => !source.includes(`(?<${name}>`));
  // A trailing \ would escape the added text.
  if (missing.length === 0 || /(?<!\\)(?:\\\\)*\\$/.test(source)) return "";
  return `|${missing.map((name) => `(?<${name}>)`).join("")}`;
}

function sizeProblem(text: string): PatternProblem | undefined {
  if (text.length > LENGTH_MAXIMUM) {
    return {
      code: "pattern_too_large",
      offset: LENGTH_MAXIMUM,
      length: 1,
      message: `The pattern has ${text.length} characters`,
      expected: `at most ${LENGTH_MAXIMUM}`,
    };
  }
  const offset = deepestGroup(text);
  if (offset < 0) return undefined;
  return {
    code: "pattern_too_large",
    offset,
    length: 1,
    message: "The groups are nested too deeply",
    expected: `at most ${NESTING_MAXIMUM}`,
  };
}

function tooManySteps(steps: number): Omit<PatternProblem, "offset" | "length"> {
  return {
    code: "pattern_too_large",
    message: `With its repeats expanded, the pattern has ${steps} steps`,
    expected: `at most ${STEPS_MAXIMUM}`,
    help: "nested repeats multiply: limit only one of them, or write * or +",
  };
}

/** Expands `{tool}`, and maps positions in the expanded pattern back to the original. */
function expand(text: string): { text: string; locate(problem: PatternProblem): PatternProblem } {
  const short = "{tool}";
  const places: number[] = [];
  for (let at = text.indexOf(short); at >= 0; at = text.indexOf(short, at + short.length)) places.push(at);
  const grown = TOOL_SOURCE.length - short.length;
  const back = (offset: number): number => {
    let shift = 0;
    for (const place of places) {
      if (offset < place + shift) break;
      if (offset < place + shift + TOOL_SOURCE.length) return place;
      shift += grown;
    }
    return Math.min(offset - shift, text.length);
  };
  return {
    text: text.replaceAll(short, TOOL_SOURCE),
    locate: (problem) => {
      const offset = back(problem.offset);
      const length = Math.max(1, back(problem.offset + problem.length) - offset);
      return { ...problem, offset, length };
    },
  };
}

/** The position of a part of a pattern. A look-ahead is allowed only directly before the hole or at the end. */
interface Place {
  readonly isLast: boolean;
  /** Whether the pattern ends there, so that a look-ahead also matches at the end of the answer. */
  readonly isEnd: boolean;
  /** Whether it is inside a look-ahead, where `$` means the end of the answer. */
  readonly isAhead?: boolean | undefined;
  readonly numbers: ReadonlyMap<AST.CapturingGroup, number>;
}

function alternatives(list: readonly AST.Alternative[], place: Place): Node {
  const items = list.map((alternative) => sequence(...elements(alternative, place)));
  return items.length === 1 ? items[0]! : { type: "choice", items };
}

/** Converts the elements of an alternative. A look-ahead at its end becomes a mark and the text that must follow. */
function elements(alternative: AST.Alternative, place: Place): Node[] {
  const nodes: Node[] = [];
  alternative.elements.forEach((element, index) => {
    const next = alternative.elements[index + 1];
    // A look-ahead directly before the hole reads the beginning of the body.
    const follows = next ? { ...place, isLast: isHole(next), isEnd: false } : place;
    if (element.type === "Assertion" && element.kind === "lookahead" && !element.negate) {
      if (!follows.isLast) {
        throw unsupported(element, "A look-ahead must be directly before the hole or at the end");
      }
      const ahead = alternatives(element.alternatives, {
        ...place,
        isLast: false,
        isEnd: false,
        isAhead: true,
      });
      nodes.push({ type: "mark" }, follows.isEnd ? choice(ahead, { type: "end" }) : ahead);
    } else if (
      element.type === "Assertion" && element.kind === "end" && place.isAhead && next === undefined
    ) {
      nodes.push({ type: "end" });
    } else if (element.type === "Assertion" && element.kind === "end" && follows.isEnd) {
      nodes.push(MARK, choice(lineBreak, ANSWER_END));
    } else if (element.type === "Assertion" && element.kind === "start") {
      nodes.push({ type: "line_start" });
    } else {
      nodes.push(convert(element, follows));
    }
  });
  return nodes;
}

function convert(element: AST.Element, place: Place): Node {
  switch (element.type) {
    case "Character":
      return characterNode(unitOf(element));
    case "CharacterSet":
      return { type: "characters", ranges: rangesOf(element) };
    case "CharacterClass":
      return { type: "characters", ranges: classRanges(element) };
    case "Group":
      if (element.modifiers) throw unsupported(element, "Flags inside a pattern are not supported");
      if (element.raw === TOOL.glued) return toolNodes().glued;
      return alternatives(element.alternatives, place);
    case "CapturingGroup": {
      if (isHole(element)) return { type: "hole", name: element.name ?? "" };
      if (element.raw === TOOL.name) return toolNodes().name;
      const item = alternatives(element.alternatives, place);
      const name = element.name ?? place.numbers.get(element)?.toString();
      return name === undefined ? item : { type: "group", name, item };
    }
    case "Quantifier":
      return repeat(element, place);
    case "Backreference":
      if (typeof element.ref === "number") {
        throw unsupported(
          element,
          "A numbered backreference is not supported",
          "give the group a name and write \k<name>",
        );
      }
      return { type: "reference", name: element.ref };
    case "Assertion":
      throw unsupported(element, assertionMessage(element), assertionHelp(element));
    default:
      throw unsupported(element, `\`${element.raw}\` is not supported`);
  }
}

const characterNodes = new Map<number, Node>();

/** One node for each character of all patterns, which are mostly plain text. */
function characterNode(unit: number): Node {
  let node = characterNodes.get(unit);
  if (node === undefined) characterNodes.set(unit, node = { type: "characters", ranges: [[unit, unit]] });
  return node;
}

function isHole(element: AST.Element): boolean {
  return element.type === "CapturingGroup" && element.alternatives.length === 1 &&
    element.alternatives[0]!.raw === HOLE;
}

function repeat(element: AST.Quantifier, place: Place): Node {
  if (element.element.type === "Assertion") throw unsupported(element, "A look-ahead cannot be repeated");
  const bounded = element.max === Infinity ? element.min : element.max;
  if (bounded > REPEAT_MAXIMUM) {
    throw new PatternError({
      code: "pattern_repeat",
      offset: element.element.end,
      length: element.end - element.element.end,
      message: `Cannot repeat ${bounded} times`,
      expected: `at most ${REPEAT_MAXIMUM}`,
      help: "an opener has at most 512 characters",
    });
  }
  return {
    type: "repeat",
    item: convert(element.element, { ...place, isLast: place.isLast && element.max === 1 }),
    minimum: element.min,
    maximum: element.max,
    greedy: element.greedy,
  };
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
      return "`$` is in the middle of the pattern";
  }
}

function assertionHelp(element: AST.Assertion): string {
  switch (element.kind) {
    case "lookbehind":
      return "write the text before it as part of the pattern, or `begins: line` for the start of a line";
    case "lookahead":
      return "write what can follow instead: (?=[^x])";
    case "word":
      return "write which character can follow: (?=[^\\w])";
    default:
      return "`$` is the end of a line only at the end of a pattern; in its middle, write \\n";
  }
}

const WORD: Ranges = [[0x30, 0x39], [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];
const DIGIT: Ranges = [[0x30, 0x39]];
const LINE_END: Ranges = [[0x0a, 0x0a], [0x0d, 0x0d], [0x2028, 0x2029]];

/** The code unit of a character. An escape without a meaning is an error: `\p{L}` would match the letters p{L}. */
function unitOf(character: AST.Character): number {
  const { raw, value, parent } = character;
  const isInClass = parent.type !== "Alternative" && parent.type !== "Quantifier";
  const isEscape = /^\\[A-Za-z]$/.test(raw) && !"tnrvf".includes(raw[1]!) && !(isInClass && raw === "\\b");
  if (!isEscape) return value;
  throw unsupported(
    character,
    `\`${raw}\` means only the letter ${raw[1]}`,
    raw === "\\p" || raw === "\\P"
      ? "properties such as \\p{L} are not supported; did you mean a class: [A-Za-z\\u00c0-\\uffff]"
      : `write ${raw[1]} without the \\`,
  );
}

/** The characters of `.`, `\d`, `\s` or `\w`. */
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
        "write the characters as a class: [A-Za-z]",
      );
  }
}

/** The characters of a class. */
function classRanges(element: AST.CharacterClass): Ranges {
  const ranges = element.elements.flatMap((part): Ranges => {
    if (part.type === "Character") return [[unitOf(part), unitOf(part)]];
    if (part.type === "CharacterClassRange") return [[unitOf(part.min), unitOf(part.max)]];
    if (part.type === "CharacterSet") return rangesOf(part);
    throw unsupported(element, `\`${element.raw}\` is not supported`);
  });
  return element.negate ? complement(ranges) : normalize(ranges);
}
