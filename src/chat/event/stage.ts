/** The stages of an answer, and how they are connected. @module */
import type * as engine from "../../engine/event/stage.ts";
import type { AnswerEvent, FailureEvent } from "./event.ts";

export type Sink = engine.Sink<AnswerEvent>;

export type Stage = engine.Stage<AnswerEvent>;

/** Writes one answer that isn't chat messages. It gets the events of the first choice, and the token counts. */
export interface AnswerSink extends Sink {
  finish(): void;
  fail(error: Omit<FailureEvent, "kind">): void;
  /** Takes what is written for the client by now. */
  take(): string;
  /** Whether nothing follows: the answer was finished or failed. */
  readonly isOver: boolean;
  readonly errorCode: string | undefined;
  /** Whether the client's connection has to break, so that the client asks again. */
  readonly mustBreak: boolean;
}

class Link implements Sink {
  readonly #stage: Stage;
  readonly #out: Sink;

  constructor(stage: Stage, out: Sink) {
    this.#stage = stage;
    this.#out = out;
  }

  push(event: AnswerEvent): void {
    this.#stage.push(event, this.#out);
  }
}

/** Connects stages in order, without the undefined ones; the events of the last one go to `out`. */
export function connect(stages: readonly (Stage | undefined)[], out: Sink): Sink {
  return stages.reduceRight<Sink>((next, stage) => stage ? new Link(stage, next) : next, out);
}

export function inOrder(first: Stage, second: Stage): Stage {
  return { push: (event, out) => first.push(event, { push: (given) => second.push(given, out) }) };
}
