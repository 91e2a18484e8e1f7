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
  let count = 0;
  for (const _ of keysOf(text)) if (++count > KEYS_MAXIMUM) return hasManyDifferent(text);
  return false;
}

function hasManyDifferent(text: string): boolean {
  const different = new Set<string>();
  for (const [start, end] of keysOf(text)) {
    different.add(text.slice(start, end));
    if (different.size > KEYS_MAXIMUM) return true;
  }
  return false;
}

/** Where the texts are that a colon follows. */
function* keysOf(text: string): Generator<readonly [start: number, end: number]> {
  for (let start = text.indexOf('"'); start >= 0;) {
    const end = stringEnd(text, start);
    let next = end + 1;
    while (text[next] === " " || text[next] === "\n" || text[next] === "\r" || text[next] === "\t") next++;
    if (text[next] === ":") yield [start + 1, end];
    start = text.indexOf('"', end + 1);
  }
}
