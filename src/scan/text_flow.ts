/**
 * Where the text goes that is not part of a call: to the client as text or as reasoning, to the group or the reasoning
 * that it stands in, and to Markdown, which tells what is quoted.
 *
 * @module
 */
import type { Quotation } from "./quotation.ts";
import type { Reasoning } from "./reasoning.ts";
import type { Region } from "./region.ts";
import type { Session } from "./session.ts";

/** The text of one answer. */
export class TextFlow {
  /** Whether text came that is not the model's reasoning. */
  sawAnswer = false;
  /** Reads the model's reasoning, if calls in it may be recovered. */
  readonly reasoning: Reasoning | undefined;
  readonly #session: Session;
  readonly #quotation: Quotation;

  constructor(session: Session, options: { quotation: Quotation; reasoning: Reasoning | undefined }) {
    this.#session = session;
    this.#quotation = options.quotation;
    this.reasoning = options.reasoning;
  }

  /** Whether something other than reasoning has come. */
  get hasBegun(): boolean {
    return this.sawAnswer || this.#session.calls > 0;
  }

  /** Text inside a region. */
  text(text: string, region: Region): void {
    region.group?.text(text);
    if (region.shows !== "nothing") this.#show(text, region);
    if (region.isThought && !this.#quotation.suspense) this.reasoning?.feed(text);
  }

  /** What opens or closes an opaque region: some regions show it, some use it only as a mark. */
  mark(text: string, region: Region): void {
    if (region.shows === "all") this.#show(text, region);
  }

  #show(text: string, { isThought, isSentApart }: Region): void {
    if (!this.sawAnswer && text.trim() !== "") this.sawAnswer = !isThought;
    this.#session.emission[isSentApart ? "reasoning" : "text"](text);
    if (!isThought) this.#quotation.text(text);
  }

  /** The answer is over. If it came to nothing, the calls at the end of the reasoning are made. */
  recover(): void {
    if (!this.reasoning || this.hasBegun) return;
    for (const event of this.reasoning.end()) {
      if (event.kind === "call_start") this.#session.calls++;
      this.#session.emission.push(event);
    }
  }
}
