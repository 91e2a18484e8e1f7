/** The time limits of one exchange. All waits share one timer; at a limit, the exchange is aborted with its error. @module */
import type { BodyReading } from "../transport/body.ts";
import type { HttpError } from "../transport/respond.ts";

export class Deadline {
  readonly #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = 0;
  /** Until when the wait may last, and the error if it lasts longer; undefined if there is no wait. */
  #until = 0;
  #ifLonger: HttpError | undefined;
  #error: HttpError | undefined;

  /** Aborts when a limit was reached. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The client's error for the limit that was reached; undefined until then. */
  get error(): HttpError | undefined {
    return this.#error;
  }

  /** A wait begins, now or a moment ago. It replaces the one before. */
  begin(limitMs: number, error: HttpError, now = performance.now()): void {
    const until = now + limitMs;
    this.#until = until;
    this.#ifLonger = error;
    // A timer that fires before the wait ends restarts itself; one that fires later would be too late.
    if (this.#timer === undefined || this.#due > until) this.#arm(until, limitMs);
  }

  /** The wait is over; the timer stays for the next one. */
  pause(): void {
    this.#ifLonger = undefined;
  }

  stop(): void {
    this.#ifLonger = undefined;
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
    if (this.#ifLonger === undefined) return;
    const left = this.#until - performance.now();
    if (left > 0) this.#arm(this.#until, left);
    else this.fail(this.#ifLonger);
  }

  #arm(due: number, delayMs: number): void {
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => this.#look(), delayMs);
  }
}

/** How long the reads of one answer may take, and the error for one that takes longer. */
export interface ReadLimits {
  /** For the first read, in milliseconds; the model may still process the prompt. */
  readonly firstMs: number;
  /** For every other read, in milliseconds. */
  readonly silenceMs: number;
  /** The error if the first read takes too long. */
  readonly slow: HttpError;
  /** The error if another read takes too long. */
  readonly silent: HttpError;
}

/** Returns what begins the wait of each read of an answer, now or at a moment ago. */
export function watchReads(deadline: Deadline, limits: ReadLimits): (now?: number) => void {
  let isFirst = true;
  return (now) => {
    if (isFirst) deadline.begin(limits.firstMs, limits.slow, now);
    else deadline.begin(limits.silenceMs, limits.silent, now);
    isFirst = false;
  };
}

/** The same for `readWhole` and `readStart`: begins and ends the wait of each read. */
export function timedReads(
  deadline: Deadline,
  limits: ReadLimits,
): Pick<BodyReading, "beforeRead" | "afterRead"> {
  const beforeRead = watchReads(deadline, limits);
  return { beforeRead: () => beforeRead(), afterRead: () => deadline.pause() };
}
