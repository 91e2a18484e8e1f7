/**
 * Work on an answer that can pause, so that a long message doesn't delay other requests. The generator yields at each
 * pause; its caller decides when to continue.
 *
 * @module
 */

/** Work with a result, and perhaps pauses before it. */
export type Work<Result> = Generator<void, Result, void>;

export function finish<Result>(work: Work<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
