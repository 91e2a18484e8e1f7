/** Gives each text of a choice a matcher: for text clients, one begins after each of the upstream's own calls. @module */
import type { AnswerEvent } from "../event/event.ts";
import type { Sink, Stage } from "../event/stage.ts";
import { Transcript } from "../event/transcript.ts";
import type { ReasoningEvent, TextEvent } from "../../engine/event/event.ts";
import type { TextStage } from "../../engine/event/stage.ts";

/** Creates the matcher of one text, which is kept in a transcript. */
export type CreateMatcher = (transcript: Transcript) => TextStage;

export class Texts implements Stage {
  /** What was read of the current text. */
  transcript = new Transcript();
  readonly #createMatcher: CreateMatcher;
  #matcher: TextStage | undefined;

  constructor(createMatcher: CreateMatcher) {
    this.#createMatcher = createMatcher;
    this.#matcher = createMatcher(this.transcript);
  }

  /** Passes text and reasoning to the matcher; `text_end` ends it. Other events are passed on. */
  push(event: AnswerEvent, out: Sink): void {
    switch (event.kind) {
      case "text":
      case "reasoning":
        return this.#read(event, out);
      case "text_end":
        this.#matcher?.push(event, out);
        this.#matcher = undefined;
        this.transcript = new Transcript();
        break;
      default:
        out.push(event);
    }
  }

  #read(event: TextEvent | ReasoningEvent, out: Sink): void {
    const matcher = this.#matcher ??= this.#createMatcher(this.transcript);
    if (event.kind === "text") this.transcript.append(event.text);
    matcher.push(event, out);
    this.transcript.keepFrom(() => matcher.citedFrom ?? 0);
  }
}
