/**
 * Shows a model's text on one line of a terminal, so that it neither moves the cursor nor fills the screen.
 *
 * @module
 */

/** The default limit, in characters. */
const LENGTH_MAX = 80;

/**
 * The start of a text on one line: a run of white space becomes one space, a control character U+FFFD.
 *
 * @param text any text
 * @param options `lengthMax` in characters; a longer text ends with `…`
 *
 * @example
 * ```ts
 * import { visible } from "./visible.ts";
 * console.assert(visible("a\n\n  b", { lengthMax: 3 }) === "a b");
 * console.assert(visible("abcd", { lengthMax: 3 }) === "ab…");
 * ```
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
    shown.push(isSpace ? " " : isControl(character) ? "\ufffd" : character);
  }
  return shown.join("");
}

function isControl(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x20 || (code >= 0x7f && code < 0xa0);
}
