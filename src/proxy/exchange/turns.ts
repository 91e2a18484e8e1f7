/** Long work is done in short turns of the event loop, so that other requests are answered in between. @module */
import type { Work } from "../../chat/pipeline/work.ts";

const TURN_MS = 5;

/** The last scheduled turn. Turns of all answers run one after the other, and the event loop does everything else in between. */
let last: Promise<void> = Promise.resolve();

function nextTurn(): Promise<void> {
  return last = last.then(() => new Promise((resolve) => setTimeout(resolve, 0)));
}

/** Ends a turn that began at a time, if it was long; what follows runs in the next one. */
export async function endTurn(began: number): Promise<void> {
  if (performance.now() - began >= TURN_MS / 2) await nextTurn();
}

export class Turns {
  readonly #worked: ((durationMs: number) => void) | undefined;
  #end = 0;
  #endedAt = 0;

  /** @param worked gets how long each turn took, in milliseconds */
  constructor(worked?: (durationMs: number) => void) {
    this.#worked = worked;
  }

  get isPauseDue(): boolean {
    return performance.now() >= this.#end;
  }

  /** When the last turn was over, as of `performance.now()`. */
  get endedAt(): number {
    return this.#endedAt;
  }

  /** Does the work of one turn now. Most work ends in its first turn, and then needs no promise. */
  step<Result>(work: Work<Result>): IteratorResult<void, Result> {
    const began = this.#begin();
    try {
      return work.next();
    } finally {
      this.#over(began);
    }
  }

  #begin(): number {
    const began = performance.now();
    this.#end = began + TURN_MS;
    return began;
  }

  #over(began: number): void {
    this.#endedAt = performance.now();
    this.#worked?.(this.#endedAt - began);
  }

  /** Does work that pauses when `isPauseDue`, in as many turns as it takes; undefined if it was given up. */
  async take<Result>(work: Work<Result>, isGivenUp = () => false): Promise<Result | undefined> {
    if (isGivenUp()) return undefined;
    const first = this.step(work);
    return first.done ? first.value : await this.finish(work, isGivenUp);
  }

  /** Does the rest of work whose first turn is over. */
  async finish<Result>(work: Work<Result>, isGivenUp = () => false): Promise<Result | undefined> {
    for (;;) {
      await nextTurn();
      if (isGivenUp()) return undefined;
      const step = this.step(work);
      if (step.done) return step.value;
    }
  }
}
