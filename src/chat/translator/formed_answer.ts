/** An answer whose form the request demands: where it begins as JSON, it is data; otherwise it is read as any other. @module */
import type { MatchEvent, TextEvent } from "../../engine/event/event.ts";
import type { Sink, TextStage } from "../../engine/event/stage.ts";

const DATA_BEGINS = '{["';

export class FormedAnswer implements TextStage {
  readonly #matcher: TextStage;
  #isData: boolean | undefined;
  /** Whitespace before the first sign. */
  #before: TextEvent[] = [];

  constructor(matcher: TextStage) {
    this.#matcher = matcher;
  }

  get citedFrom(): number {
    return this.#isData === false ? this.#matcher.citedFrom ?? 0 : 0;
  }

  push(event: MatchEvent, out: Sink): void {
    if (event.kind !== "text") {
      if (event.kind === "text_end") this.#decide(this.#isData ?? false, out);
      return this.#matcher.push(event, out);
    }
    if (this.#isData === undefined) {
      this.#before.push(event);
      const first = event.text.trimStart()[0];
      if (first !== undefined) this.#decide(DATA_BEGINS.includes(first), out);
    } else this.#give(event, out);
  }

  #decide(isData: boolean, out: Sink): void {
    this.#isData = isData;
    for (const event of this.#before) this.#give(event, out);
    this.#before = [];
  }

  #give(event: TextEvent, out: Sink): void {
    if (this.#isData) out.push(event);
    else this.#matcher.push(event, out);
  }
}
