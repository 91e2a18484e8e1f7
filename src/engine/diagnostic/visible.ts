/** Shows foreign text so that it moves no cursor, turns no other text and fills no screen: controls are escaped. @module */

/** The default limit, in characters. */
const LENGTH_MAX = 80;

/**
 * Characters that a terminal obeys, as first and last code point: C0 and C1 controls, marks and overrides of the writing
 * direction, line and paragraph separators, lone surrogates, and the byte order mark.
 */
const OBEYED: readonly (readonly [number, number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0x61c, 0x61c],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2066, 0x206f],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
];

/** Whether a terminal obeys a character instead of showing it. */
export function isObeyed(character: string): boolean {
  const point = character.codePointAt(0) ?? 0;
  return OBEYED.some(([first, last]) => point >= first && point <= last);
}

/** A text in which every character that a terminal obeys is an escape. */
export function escaped(text: string): string {
  return escapeObeyed(text, "");
}

/** Several lines, escaped; only the line feeds between them stay. */
export function escapedLines(text: string): string {
  return escapeObeyed(text, "\n");
}

/** A text of several lines for a terminal, escaped; its line feeds and tabs stay. */
export function escapedText(text: string): string {
  return escapeObeyed(text, "\n\t");
}

/** JSON like that of `JSON.stringify`, but safe to show: direction marks and C1 controls are escaped too. */
export function visibleJson(value: unknown, indent?: number): string {
  // Outside strings, JSON contains only line feeds of the indentation, so every other such character is in a string.
  return escapedLines(JSON.stringify(value, null, indent));
}

/**
 * The start of a text on one line: a run of whitespace becomes one space, and every other character that a terminal
 * obeys an escape.
 *
 * @param text any text
 * @param options `lengthMax` in characters of the text; a longer text ends with `…`
 */
export function visible(
  text: string,
  { lengthMax = LENGTH_MAX }: { readonly lengthMax?: number } = {},
): string {
  const shown: string[] = [];
  for (const character of text) {
    const isSpace = " \t\r\n".includes(character);
    if (isSpace && shown.at(-1) === " ") continue;
    if (shown.length === lengthMax) return `${shown.slice(0, -1).join("")}…`;
    shown.push(isSpace ? " " : isObeyed(character) ? escapeOf(character) : character);
  }
  return shown.join("");
}

function escapeObeyed(text: string, kept: string): string {
  let out = "";
  let from = 0;
  let at = 0;
  for (const character of text) {
    if (isObeyed(character) && !kept.includes(character)) {
      out += text.slice(from, at) + escapeOf(character);
      from = at + character.length;
    }
    at += character.length;
  }
  return out + text.slice(from);
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
