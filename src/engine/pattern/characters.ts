/**
 * The set of characters that a part of a pattern matches: a letter, an escape or a class.
 *
 * @module
 */
import type { AST } from "@eslint-community/regexpp";
import { complement, normalize, type Ranges, SPACE } from "./node.ts";
import { unsupported } from "./problem.ts";

const WORD: Ranges = [[0x30, 0x39], [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];
const DIGIT: Ranges = [[0x30, 0x39]];
const LINE_END: Ranges = [[0x0a, 0x0a], [0x0d, 0x0d], [0x2028, 0x2029]];

/** The code unit of a character. An escape without a meaning is an error: `\p{L}` would match the letters p{L}. */
export function unitOf(character: AST.Character): number {
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
export function rangesOf(set: AST.CharacterSet): Ranges {
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

/** The characters of a class. */
export function classRanges(element: AST.CharacterClass): Ranges {
  const ranges = element.elements.flatMap((part): Ranges => {
    if (part.type === "Character") return [[unitOf(part), unitOf(part)]];
    if (part.type === "CharacterClassRange") return [[unitOf(part.min), unitOf(part.max)]];
    if (part.type === "CharacterSet") return rangesOf(part);
    throw unsupported(element, `\`${element.raw}\` is not supported`);
  });
  return element.negate ? complement(ranges) : normalize(ranges);
}
