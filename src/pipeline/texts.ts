/**
 * The texts of a choice: each is read by a matcher of its own. Most choices have one. A client that reads its calls in
 * the text gets another after each call that the upstream sends itself.
 *
 * @module
 */
import type { AnswerEvent } from "../event/event.ts";
import type { Sink } from "../event/stage.ts";
import type { TextStage } from "./tap.ts";

/** Reads one text after the other. */
export class Texts implements TextStage {
  readonly #createMatcher: () => TextStage;
  #matcher: TextStage | undefined;

  /** @param createMatcher finds the calls in one text */
  constructor(createMatcher: () => TextStage) {
    this.#createMatcher = createMatcher;
    this.#matcher = createMatcher();
  }

  /** From where on the notes about the text can still cite it. */
  get citedFrom(): number {
    return this.#matcher?.citedFrom ?? 0;
  }

  /** Whether the matcher paused in a long text. */
  get isBehind(): boolean {
    return this.#matcher?.isBehind ?? false;
  }

  /** Passes everything to the matcher; `text_end` is its last event. */
  push(event: AnswerEvent, out: Sink): void {
    switch (event.kind) {
      case "text":
      case "reasoning":
        this.#matcher ??= this.#createMatcher();
        this.#matcher.push(event, out);
        break;
      case "text_end":
        this.#matcher?.push(event, out);
        if (!this.isBehind) this.#matcher = undefined;
        break;
      default:
        out.push(event);
    }
  }
}
