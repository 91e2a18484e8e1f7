/** Matches names in a configuration that can contain `*` for any characters: `*-coder`, `gpt-*`. @module */

/**
 * Whether a pattern matches a text. It takes linear time: the search for each piece between two `*` begins where the
 * previous piece ended. Each request asks for hundreds of patterns, most of which don't match, so nothing is split.
 *
 *     *-coder-*   on   a-coder-b-coder-c    the first `-coder-` is as good as any later one
 */
export function matchesGlob(pattern: string, text: string): boolean {
  let star = pattern.indexOf("*");
  if (star < 0) return text === pattern;
  if (!text.startsWith(pattern.slice(0, star))) return false;
  let at = star;
  for (let next; (next = pattern.indexOf("*", star + 1)) >= 0; star = next) {
    const piece = pattern.slice(star + 1, next);
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  const last = pattern.slice(star + 1);
  return at <= text.length - last.length && text.endsWith(last);
}
