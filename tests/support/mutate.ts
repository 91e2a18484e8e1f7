/**
 * Texts with errors that no one thinks of: a good file, changed at random as editors, merges and tired people change
 * it, or as someone would who wants to break the reader.
 *
 * @module
 */

/** Gives numbers from 0 up to a bound, the same ones for a seed. */
export type Random = (bound: number) => number;

/** A small generator (mulberry32); good enough to choose with. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

/** What may stand somewhere all of a sudden. */
const ODD = [
  "\t",
  "\0",
  "\r",
  "\u2028",
  "\uFEFF",
  "\u009B",
  "&a ",
  "*a",
  "!!js/function x",
  "- ",
  ": ",
  "'",
  '"',
  "{",
  "[",
  "}",
  "(",
  ")",
  "(?<body>…)",
  "…",
  "\\k<x>",
  "(?<=a)",
  "{512}",
  "{1,99999}",
  "*",
  "+",
  "|",
  "null",
  "1e400",
  "-1",
  "true",
  "[".repeat(500),
  "(".repeat(2000),
  "x".repeat(300_000),
  "(a|b)".repeat(2000),
  "\n".repeat(1000),
  // deno-fmt-ignore
];

/** The text with one to three random changes. */
export function mutate(text: string, random: Random): string {
  let changed = text;
  for (let left = 1 + random(3); left > 0; left--) changed = mutateOnce(changed, random);
  return changed;
}

function mutateOnce(text: string, random: Random): string {
  const at = random(text.length + 1);
  const length = 1 + random(random(2) === 0 ? 4 : 80);
  const piece = text.slice(at, at + length);
  switch (random(6)) {
    case 0:
      return text.slice(0, at) + text.slice(at + length);
    case 1:
      return text.slice(0, at) + piece + piece + text.slice(at + length);
    case 2:
      return text.slice(0, at);
    case 3: {
      const lines = text.split("\n");
      const [taken = ""] = lines.splice(random(lines.length), 1);
      lines.splice(random(lines.length + 1), 0, taken);
      return lines.join("\n");
    }
    default:
      return text.slice(0, at) + (ODD[random(ODD.length)] ?? "") + text.slice(at);
  }
}
