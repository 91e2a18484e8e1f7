/**
 * Texts cut in pieces, for tests of what must not depend on the cuts.
 *
 * @module
 */

/** The pieces of a text: whole, in single units, and in two at every place. */
export function* everyCut(text: string): Generator<readonly string[]> {
  yield [text];
  yield Array.from({ length: text.length }, (_, at) => text.charAt(at));
  for (let at = 1; at < text.length; at++) yield [text.slice(0, at), text.slice(at)];
}
