/** Cuts a text into the pieces of a stream. The same text and cut always give the same pieces. @module */

const PIECE_LENGTH_MAX = 8;

/**
 * The cut with a name: `whole` (not streamed), `chars`, or `pieces:SEED` for random pieces of 1 to 8 characters;
 * undefined for any other name.
 */
export function readCut(name: string): { readonly cut?: (text: string) => string[] } | undefined {
  if (name === "whole") return {};
  if (name === "chars") return { cut: (text) => text.split("") };
  const seed = /^pieces:(\d{1,9})$/.exec(name)?.[1];
  return seed === undefined ? undefined : { cut: (text) => randomPieces(text, Number(seed)) };
}

function randomPieces(text: string, seed: number): string[] {
  const random = createRandom(seed);
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    const length = 1 + Math.floor(random() * PIECE_LENGTH_MAX);
    pieces.push(text.slice(start, start + length));
    start += length;
  }
  return pieces;
}

/** Random numbers from 0 to 1 for a seed (a 32-bit xorshift after a mixing step). */
function createRandom(seed: number): () => number {
  let state = (Math.imul(seed + 1, 0x9e3779b1) ^ 0x5bd1e995) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 0x1_0000_0000;
  };
}
