/**
 * Where an answer ends that isn't written as chat messages: the last stage of its first choice, and of the answer itself.
 *
 * @module
 */
import type { FailureEvent } from "./event.ts";
import type { Sink } from "./stage.ts";

/** Writes one answer from its events. It gets those of the first choice, and the token counts. */
export interface AnswerSink extends Sink {
  /** The upstream ended its answer. */
  finish(): void;
  /** The answer can't go on. */
  fail(error: Omit<FailureEvent, "kind">): void;
  /** Takes what is written for the client by now. */
  take(): string;
  /** Whether nothing follows: the answer was finished or failed. */
  readonly isOver: boolean;
  /** The code of the error with which the answer ended. */
  readonly errorCode: string | undefined;
  /** Whether the client's connection has to break, so that the client asks again. */
  readonly mustBreak: boolean;
}
