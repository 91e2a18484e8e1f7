/**
 * Finds text that repeats itself without a change: the same stretch again and again, up to its end.
 *
 *     … so I read the file. Wait, so I read the file. Wait, so I read the file. Wait,
 *       ╰─────── once ─────╯╰──────── twice ────────╯╰──────── three times ───────╯
 *
 * @module
 */

/** How often the same stretch has to follow itself. */
const TIMES = 4;

/** How long the repeated text has to be at least, and how long one stretch may be, in characters. */
const LENGTH_MIN = 800;
const STRETCH_MAX = 2000;

/** How many characters arrive from one look to the next. */
const STEP = 200;

/** Why thoughts are ended that repeat themselves. */
export const REPEATED = "they repeated themselves";

export class Repetition {
  #lookedAt = 0;

  /** Whether a text that grows ends in a repetition; looks only after some more of it. */
  isIn(text: string): boolean {
    if (text.length - this.#lookedAt < STEP) return false;
    this.#lookedAt = text.length;
    return endsInRepetition(text);
  }
}

/** The beginning of a text up to where it ends in a repetition; undefined if it never does. */
export function beforeRepetition(text: string): string | undefined {
  if (!endsInRepetition(text)) return undefined;
  for (let end = LENGTH_MIN; end < text.length; end += STEP) {
    const beginning = text.slice(0, end);
    if (endsInRepetition(beginning)) return beginning;
  }
  return text;
}

/** Whether a text ends in a repetition. */
export function endsInRepetition(text: string): boolean {
  if (text.length < LENGTH_MIN) return false;
  const end = text.slice(-STEP);
  const from = Math.max(0, text.length - STRETCH_MAX - STEP);
  const before = text.slice(from, -1).lastIndexOf(end);
  if (before < 0) return false;
  const stretch = text.length - STEP - from - before;
  // All of it equals what is one stretch before it.
  const length = Math.max(LENGTH_MIN, stretch * TIMES);
  if (text.length < length) return false;
  const repeated = text.slice(-length);
  return repeated.slice(stretch) === repeated.slice(0, -stretch);
}
