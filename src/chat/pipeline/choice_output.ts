/** The last stage of a choice: a writer of chat messages (`chat/writer.ts`), or events as they are for another wire. @module */
import type { AnswerEvent, FailureEvent } from "../event/event.ts";
import type { Sink } from "../event/stage.ts";
import type { ChoiceOutcome } from "../message/write.ts";

/** Takes the events of one choice, message by message. */
export interface ChoiceOutput extends Sink {
  /**
   * Ends a message, from which some events were read. Returns the new content of the choice; undefined: the message stays
   * unchanged, or no message is written. `mustWrite`: it can't be sent unchanged, whatever arrived.
   */
  end(read: readonly AnswerEvent[], options: { readonly mustWrite: boolean }): ChoiceOutcome | undefined;
  /** The error that ends the answer, because the choice can't continue. */
  readonly failure: FailureEvent | undefined;
}

export class EventOutput implements ChoiceOutput {
  readonly #sink: Sink | undefined;
  failure: FailureEvent | undefined;

  /** @param sink takes the events; undefined: no one wants this choice */
  constructor(sink: Sink | undefined) {
    this.#sink = sink;
  }

  end(): undefined {}

  push(event: AnswerEvent): void {
    if (event.kind === "error") this.failure ??= event;
    else this.#sink?.push(event);
  }
}
