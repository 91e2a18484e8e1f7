/**
 * Literal text as a pattern of the rule format.
 *
 * @module
 */
import { MASK } from "./delimiters.ts";
import { closesTag, opensTag, openTagAt } from "./mark_token.ts";

const MASKED: ReadonlyMap<string, string> = new Map([
  [MASK.name, "{tool}"],
  [MASK.id, "[\\w.:-]{1,64}"],
  [MASK.number, "\\d{1,4}"],
  [MASK.type, "\\w{1,32}"],
]);

/** The space before an attribute: models lose it, and servers print the sign that a tokenizer has for it. */
const ATTRIBUTE_GAP = "[\\s\u0120\u2581]?";

/** A line break between marks: models also print it as in a string, with a backslash. */
export const LINE_GAP = "(?:\\\\n)?\\s*";

const SPECIAL = /[\\^$.*+?()[\]{}|]/;

/**
 * The pattern of a text among delimiters: whitespace is loose, masks become groups and classes.
 *
 * @param text the text
 * @param before the text before it: in a tag that opens there, a space stays a space
 *
 * @example
 * ```ts
 * import { delimiterPattern } from "./pattern_text.ts";
 * console.assert(delimiterPattern("<|call|> (") === "<\\|call\\|>\\s*\\(");
 * ```
 */
export function delimiterPattern(text: string, before = ""): string {
  let pattern = "";
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character.trim() === "") {
      const start = at;
      while (text[at + 1] !== undefined && text[at + 1]!.trim() === "") at++;
      const isInTag = start === at && character === " " &&
        openTagAt(before + text.slice(0, at)) !== undefined;
      if (isInTag) pattern += /^\w+=/.test(text.slice(at + 1)) ? ATTRIBUTE_GAP : " ";
      else if (isWordGap(text, at)) pattern += "\\s+";
      else pattern += text.slice(start, at + 1).includes("\n") ? LINE_GAP : "\\s*";
    } else {
      pattern += MASKED.get(character) ?? escaped(character);
      // Models write line breaks next to tags where templates don't.
      const next = text[at + 1];
      const isTagEnd = closesTag(character) && openTagAt(before + text.slice(0, at + 1)) === undefined;
      const isBesideTag = isTagEnd ||
        (next !== undefined && opensTag(next) && openTagAt(before + text.slice(0, at + 1)) === undefined);
      if (next !== undefined && next.trim() !== "" && !closesTag(next) && isBesideTag) pattern += "\\s*";
    }
  }
  return pattern;
}

/** The pattern of a text that can be next to a value: nothing is loosened. */
export function exactPattern(text: string): string {
  return [...text].map((character) =>
    character === "\n" ? "\\n" : MASKED.get(character) ?? escaped(character)
  )
    .join("");
}

function escaped(character: string): string {
  return SPECIAL.test(character) ? `\\${character}` : character;
}

/** Whitespace between two words matters: `to functions.x`. */
function isWordGap(text: string, end: number): boolean {
  const isWord = (character: string | undefined) =>
    character !== undefined && /[\p{L}\p{N}_]/u.test(character);
  const before = text.slice(0, end + 1).trimEnd().at(-1);
  const after = text[end + 1];
  return isWord(before) && (isWord(after) || (after !== undefined && MASKED.has(after)));
}
