/** Work that can pause, so that a long message doesn't delay other requests: the generator yields at each pause. @module */

/** Work with a result, and perhaps pauses before it. */
export type Work<Result> = Generator<void, Result, void>;

export function finish<Result>(work: Work<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
