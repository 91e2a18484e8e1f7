/**
 * Matches names in a configuration that can contain `*` for any characters: `*-coder`, `gpt-*`.
 *
 * @module
 */

/**
 * Whether a pattern matches a text. It takes linear time: the search for each piece between two `*` begins where the
 * previous piece ended.
 *
 *     *-coder-*   on   a-coder-b-coder-c    the first `-coder-` is as good as any later one
 *
 * @example
 * ```ts
 * import { matchesGlob } from "./glob.ts";
 * console.assert(matchesGlob("a-*", "a-small-one") && !matchesGlob("a-*", "b-small-one"));
 * ```
 */
export function matchesGlob(pattern: string, text: string): boolean {
  const [first = "", ...pieces] = pattern.split("*");
  const last = pieces.pop();
  if (last === undefined) return text === pattern;
  const end = text.length - last.length;
  if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const piece of pieces) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= end;
}
