/**
 * The limit for different keys in JSON. A key that no object had before takes V8 about a thousand times as long as one that
 * repeats, so that some megabytes of them block the event loop for seconds; they are counted before the text is read.
 *
 * @module
 */
import { stringEnd } from "./nesting.ts";

/** The most different keys of a JSON text. A conversation of thousands of messages has some hundred. */
export const KEYS_MAXIMUM = 100_000;

/** The characters that the shortest key and its value take: `"":1,`. */
const ENTRY_LENGTH = 5;

/**
 * Whether a JSON text has more different keys than are read.
 *
 * @example
 * ```ts
 * import { hasTooManyKeys } from "./keys.ts";
 * console.assert(!hasTooManyKeys('{"a": {"a": 1}}'));
 * ```
 */
export function hasTooManyKeys(text: string): boolean {
  if (text.length <= ENTRY_LENGTH * KEYS_MAXIMUM) return false;
  const different = new Set<string>();
  for (let start = text.indexOf('"'); start >= 0 && different.size <= KEYS_MAXIMUM;) {
    const end = stringEnd(text, start);
    let next = end + 1;
    while (" \n\r\t".includes(text[next] ?? ":")) next++;
    if (text[next] === ":") different.add(text.slice(start + 1, end));
    start = text.indexOf('"', end + 1);
  }
  return different.size > KEYS_MAXIMUM;
}
