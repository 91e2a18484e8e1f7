/**
 * The ways to cut a text: what a stream can do to an answer.
 *
 * @module
 */

/** Every way to cut a text in two; a text of one character cannot be cut. */
export function twoCuts(text: string): string[][] {
  return Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => [
    text.slice(0, index + 1),
    text.slice(index + 1),
  ]);
}

/** One UTF-16 unit after the other. */
export function oneByOne(text: string): string[] {
  return text.split("");
}

/** Pieces of the sizes given, which are taken in turns. */
export function piecesOf(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
}

/** The whole, one by one, and every cut in two: what a text short enough must survive. */
export function allCuts(text: string): string[][] {
  return [[text], oneByOne(text), ...twoCuts(text)];
}
