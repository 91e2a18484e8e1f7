/**
 * Work on an answer that can pause, so that a long message doesn't keep other requests waiting. A generator yields at
 * each pause; what drives it decides when to go on.
 *
 * @module
 */

/** Work that gives a result and may pause before. */
export type Work<Result> = Generator<void, Result, void>;

/** Does the work without a pause. */
export function finish<Result>(work: Work<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
