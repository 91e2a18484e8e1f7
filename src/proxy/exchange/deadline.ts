/**
 * The time limits of one exchange with an upstream. One timer serves all of its waits, so that a wait costs a
 * look at the clock and nothing else. When a limit is reached, the exchange is aborted and the error is kept.
 *
 * @module
 */
import type { HttpError } from "../transport/respond.ts";

/** Watches the waits of one exchange. */
export class Deadline {
  readonly #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the timer goes off. */
  #due = 0;
  #wait: { readonly until: number; readonly error: HttpError } | undefined;
  #error: HttpError | undefined;

  /** Aborts when a limit was reached. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The limit that was reached, as the error for the client; undefined until then. */
  get error(): HttpError | undefined {
    return this.#error;
  }

  /** A wait begins. It replaces the one before. */
  begin(limitMs: number, error: HttpError): void {
    const until = performance.now() + limitMs;
    this.#wait = { until, error };
    // A timer that is due before the wait ends finds out by itself; one that is due later would be too late.
    if (this.#timer === undefined || this.#due > until) this.#arm(until, limitMs);
  }

  /** The wait is over; the timer stays for the next one. */
  pause(): void {
    this.#wait = undefined;
  }

  /** The exchange is over. */
  stop(): void {
    this.#wait = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Ends the exchange now. */
  fail(error: HttpError): void {
    this.stop();
    this.#error ??= error;
    this.#controller.abort();
  }

  #look(): void {
    this.#timer = undefined;
    if (this.#wait === undefined) return;
    const left = this.#wait.until - performance.now();
    if (left > 0) this.#arm(this.#wait.until, left);
    else this.fail(this.#wait.error);
  }

  #arm(due: number, delayMs: number): void {
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => this.#look(), delayMs);
  }
}

/** How long the reads of one answer may take, and the error for one that takes longer. */
export interface ReadLimits {
  /** For the first read, in milliseconds: the upstream may still think. */
  readonly firstMs: number;
  /** For every other read, in milliseconds. */
  readonly silenceMs: number;
  /** When the first read takes too long. */
  readonly slow: HttpError;
  /** When another one does. */
  readonly silent: HttpError;
}

/**
 * Begins the waits of an answer's reads, one call for each.
 *
 * @param deadline the deadline of the exchange
 * @param limits how long a read may take
 */
export function watchReads(deadline: Deadline, limits: ReadLimits): () => void {
  let isFirst = true;
  return () => {
    if (isFirst) deadline.begin(limits.firstMs, limits.slow);
    else deadline.begin(limits.silenceMs, limits.silent);
    isFirst = false;
  };
}
