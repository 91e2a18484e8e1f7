/**
 * Gives each text of a choice its own matcher. Most choices have one text. For a client that reads calls in the text,
 * another text begins after each of the upstream's own calls.
 *
 * @module
 */
import type { AnswerEvent } from "../event/event.ts";
import type { Sink } from "../event/stage.ts";
import type { TextStage } from "../../engine/event/stage.ts";

export class Texts implements TextStage<AnswerEvent> {
  readonly #createMatcher: () => TextStage;
  #matcher: TextStage | undefined;

  constructor(createMatcher: () => TextStage) {
    this.#createMatcher = createMatcher;
    this.#matcher = createMatcher();
  }

  /** The offset from which notes can still cite the text. */
  get citedFrom(): number {
    return this.#matcher?.citedFrom ?? 0;
  }

  /** Passes text and reasoning to the matcher; `text_end` ends it. Other events are passed on. */
  push(event: AnswerEvent, out: Sink): void {
    switch (event.kind) {
      case "text":
      case "reasoning":
        this.#matcher ??= this.#createMatcher();
        this.#matcher.push(event, out);
        break;
      case "text_end":
        this.#matcher?.push(event, out);
        this.#matcher = undefined;
        break;
      default:
        out.push(event);
    }
  }
}
