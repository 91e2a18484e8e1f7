/**
 * The line that ends a call, where no mark of its own does: it begins like the line of the call's name, repeats its words,
 * mirrors its sign, or is a word that ends something.
 *
 *     @@invoke write_file          ==> write_file          BEGIN_CALL
 *     …                            …                       …
 *     @@end                        <==                     END_CALL
 *
 * @module
 */

/** What precedes a name on its line, or the line before a name that is alone on its own. */
export function leadOf(text: string, start: number): string {
  const from = text.lastIndexOf("\n", start - 2) + 1;
  const line = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  return (line.trim() === "" ? text.slice(from, start) : line).trim();
}

/**
 * Whether a text begins with a line that ends a call.
 *
 * @param lead what precedes the call's name, as `leadOf` gives it
 */
export function endsCall(
  text: string,
  { lead, name }: { readonly lead: string; readonly name: string },
): boolean {
  const sign = /^(?:[^\s\p{L}\p{N}]+|\S+[^\S\n]+[^\s\p{L}\p{N}]+)/u.exec(lead)?.[0] ?? "";
  if (sign !== "" && text.startsWith(sign) || isEndLine(text) || CLOSED.get(sign)?.test(text) === true) {
    return true;
  }
  const line = /^[^\n]*/.exec(text)![0].trim();
  const isLast = /^[^\n]*(?:\n\s*\n|\s*$)/.test(text);
  // `<==` ends what `==>` begins, and `$<` what `$>` begins.
  if (isLast && sign.length > 1 && line.length === sign.length && mirrored(sign).includes(line)) return true;
  // `execute: end` ends what `execute:` begins, and `read_file::end` what `read_file::begin` begins.
  const begins = (start: string) =>
    start.length > 2 && line.startsWith(start) && line.length <= start.length + 12;
  // `tool.end` ends what `tool.begin: ` begins.
  const stem = /^\p{L}{2,}[.:]/u.exec(lead)?.[0] ?? "";
  if (isLast && [lead, name, stem].some(begins)) return true;
  const isShort = /^(?:[^\s.,;:!?(){}=]+\s*){1,3}$/.test(line);
  const words: readonly string[] = [...lead.match(WORD) ?? [], name];
  // `CLOSE TICKET` ends what `TICKET` begins, and `RUN` what `SET TOOL` begins.
  const isUpper = /^[A-Z]{2,12}$/.test(line) && /^\p{Lu}{2,}/u.test(lead);
  return isLast && isShort &&
    (isUpper ||
      words.some((word) => line.match(WORD)?.includes(word) || UNSPACED.test(word) && line.includes(word)));
}

const WORD = /[\p{L}_]{2,}/gu;

/** A word of a script that writes no spaces between words. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+$/u;

/** Whether a text begins with a line that ends something, whatever began it. */
function isEndLine(text: string): boolean {
  return END.test(text) || END_WORD.test(text);
}

const MIRRORED: ReadonlyMap<string, string> = new Map([["<", ">"], [">", "<"], ["(", ")"], ["[", "]"], [
  "{",
  "}",
]]);

/** The signs with their brackets turned around, in the same order and from the end. */
function mirrored(sign: string): readonly string[] {
  const turned = [...sign].map((one) => MIRRORED.get(one) ?? one);
  return [turned.join(""), turned.toReversed().join("")].filter((one) => one !== sign);
}

/** A line that ends a call with a word in capitals, or with signs that code has no line of. */
const END =
  /^(?:(?:END|DONE|STOP)(?![a-z])[^\n]{0,24}|(?:[Ee]nd|done|stop)(?:[_ ]\w{2,16}){1,3}\.?|\.{3}|\[(?:END|DONE|STOP)\]|\w{2,16}_END|[^ -~\s\p{L}\p{N}]{1,8}|([@%$=~*#&!+-])\1{1,24}|([-=*~_])\2+\w{2,12}\2{2,})\s*(?:\n|$)/u;

/** `← done`, `<<end<<`, `⟪end⟫`: a word that ends something after a sign that begins no comment and no item of a list. */
const END_WORD =
  /^(?:[^ -~\s\p{L}\p{N}]|(?!\/\/|--|##|\*\*)[^\s\p{L}\p{N}"'`]{2})[^\s\p{L}\p{N}]{0,6}[^\S\n]?(?:end|done|fin|stop|close|run|go)(?:[ _-]?\p{L}{1,12})?[^\S\n]?[^\s\p{L}\p{N}]{0,8}\s*(?:\n|$)/iu;

/** What ends a call whose name is after such a sign, on a line of its own. */
const CLOSED: ReadonlyMap<string, RegExp> = new Map([
  ["(", /^\)\s*(?:\n|$)/],
  ["{", /^\}\s*(?:\n|$)/],
  ["[", /^\]\s*(?:\n|$)/],
  [">>>", /^<<<\s*(?:\n|$)/],
  ["<<<", /^>>>\s*(?:\n|$)/],
]);
