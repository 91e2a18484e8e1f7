/**
 * Small changes to a source file, each of which a good test suite notices.
 *
 * @module
 */

/** One change to one place of a file. */
export interface Mutant {
  /** The line, from 1. */
  readonly line: number;
  /** Where the change begins, in UTF-16 units. */
  readonly offset: number;
  readonly before: string;
  /** The code in its place. */
  readonly after: string;
}

/** Code → what takes its place. The spaces keep type arguments and arrows out. */
const SWAPS: readonly (readonly [before: string, after: string])[] = [
  [" === ", " !== "],
  [" !== ", " === "],
  [" < ", " <= "],
  [" > ", " >= "],
  [" <= ", " < "],
  [" >= ", " > "],
  [" && ", " || "],
  [" || ", " && "],
  [" ?? ", " && "],
  [" + 1", " + 2"],
  [" - 1", " - 0"],
  [" += ", " -= "],
  ["= true", "= false"],
  ["= false", "= true"],
  ["return true", "return false"],
  ["return false", "return true"],
  ["++", "--"],
  ["if (!", "if ("],
];

/**
 * Every change to a file that this tool knows: a swapped operator, a flipped constant, a limit one lower and
 * twice as high, a statement left out.
 *
 * @example
 * ```ts
 * import { mutantsOf } from "./mutant.ts";
 * console.assert(mutantsOf("const isSmall = a < 3;")[0]?.after === " <= ");
 * ```
 */
export function mutantsOf(source: string): Mutant[] {
  const code = withoutCommentsAndTexts(source);
  const found: Mutant[] = [];
  const add = (offset: number, length: number, after: string) => {
    const line = source.slice(0, offset).split("\n").length;
    found.push({ line, offset, before: source.slice(offset, offset + length), after });
  };
  for (const [before, after] of SWAPS) {
    for (let at = code.indexOf(before); at >= 0; at = code.indexOf(before, at + 1)) {
      // In a type, these say nothing at run time.
      if (!isInType(code, at)) add(at, before.length, after);
    }
  }
  for (
    const { index, 1: head = "", 2: value = "" } of code.matchAll(
      /^((?:export )?const [A-Z_]+(?:: number)? = )([^;]+);/gm,
    )
  ) {
    const number = limitOf(value);
    if (number === undefined) continue;
    add(index + head.length, value.length, `${number - 1}`);
    add(index + head.length, value.length, `${number * 2}`);
  }
  // A statement of its own line: a call or an assignment to a field.
  for (
    const { index, 1: space = "", 2: statement = "" } of code.matchAll(
      /^( {2,})((?:this\.[#\w.]+|[a-z]\w*(?:\.[#\w]+)+)(?: [+-]?= [^\n]*|\([^\n]*\));)$/gm,
    )
  ) {
    add(index + space.length, statement.length, ";");
  }
  return found.sort((a, b) => a.offset - b.offset);
}

/** The file with the change in it. */
export function applyMutant(source: string, { offset, before, after }: Mutant): string {
  return source.slice(0, offset) + after + source.slice(offset + before.length);
}

/** A limit written as a number or a product of numbers. */
function limitOf(value: string): number | undefined {
  const factors = value.split("*").map((factor) => Number(factor.replaceAll("_", "").trim()));
  return factors.every(Number.isInteger)
    ? factors.reduce((product, factor) => product * factor, 1)
    : undefined;
}

function isInType(code: string, at: number): boolean {
  const line = code.slice(code.lastIndexOf("\n", at) + 1, code.indexOf("\n", at));
  return /^\s*(?:export )?(?:type|interface|readonly|import|\|)\b/.test(line);
}

/** The same length, with comments and the insides of strings blank. */
function withoutCommentsAndTexts(source: string): string {
  return source.replace(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g,
    (text) => text.replace(/[^\n]/g, "\u00b7"),
  );
}
