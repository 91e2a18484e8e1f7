/**
 * Routes the text outside calls: to the client as text or reasoning, to the group or reasoning that contains it, and to
 * Markdown, which decides what is quoted.
 *
 * @module
 */
import { isBlank, isSpace } from "../pattern/node.ts";
import { HELD_MAXIMUM } from "../pattern/search.ts";
import type { Quotation } from "./quotation.ts";
import type { Reasoning } from "./reasoning.ts";
import type { Region } from "./region.ts";
import type { Session } from "./session.ts";

export type FlowState = Pick<
  TextFlow,
  "sawAnswer" | "followsCall" | "followsReasoning" | "last" | "isCutCall"
>;

export class TextFlow {
  /** Whether any text other than reasoning was seen. */
  sawAnswer = false;
  /** Whether only whitespace was seen since the last call. */
  followsCall = false;
  /** Whether reasoning that left the text ended, and no text other than whitespace follows it. */
  followsReasoning = false;
  /** The last character of the text other than whitespace; a space before the first one, and after a call. */
  last = " ";
  /** Whether the text belongs to a call that was cut off, and leaves the answer. */
  isCutCall = false;
  /** Reads the model's reasoning, if its calls can be recovered. */
  readonly reasoning: Reasoning | undefined;
  readonly #session: Session;
  readonly #quotation: Quotation;

  constructor(session: Session, options: { quotation: Quotation; reasoning: Reasoning | undefined }) {
    this.#session = session;
    this.#quotation = options.quotation;
    this.reasoning = options.reasoning;
  }

  get state(): FlowState {
    const { sawAnswer, followsCall, followsReasoning, last, isCutCall } = this;
    return { sawAnswer, followsCall, followsReasoning, last, isCutCall };
  }

  restore(state: FlowState): void {
    Object.assign(this, state);
  }

  /** Whether anything other than reasoning was seen. */
  get hasBegun(): boolean {
    return this.sawAnswer || this.#session.calls > 0;
  }

  text(text: string, region: Region): void {
    if (this.isCutCall) return;
    region.group?.text(text);
    this.see(text);
    if ((this.followsCall || this.followsReasoning) && !isBlank(text)) {
      this.followsCall = this.followsReasoning = false;
    }
    if (region.isAmbiguous) this.#session.emission.keep(text);
    if (region.isThought && this.reasoning && !this.#quotation.suspense) {
      this.#think(text, region, this.reasoning);
    } else if (region.shows !== "nothing") this.#show(text, region);
  }

  /** Routes reasoning, whose calls leave the text if they are recovered. */
  #think(text: string, region: Region, reasoning: Reasoning): void {
    if (region.shows === "nothing") return reasoning.feed(text);
    if (this.hasBegun || this.#session.options.reasoning === "ignore") reasoning.release();
    reasoning.show(text, (piece) => this.#show(piece, region));
  }

  /** Routes text of the answer that leaves with a call at most `reach` characters later, or with the upstream's own. */
  remainder(
    text: string,
    { offset, reach, isLeak }: { readonly offset: number; readonly reach: number; readonly isLeak: boolean },
  ): void {
    if (this.isCutCall) return;
    this.reasoning?.release();
    this.see(text);
    this.sawAnswer = true;
    this.#session.emission.remainder({
      kind: "remainder",
      text,
      reach,
      until: offset + HELD_MAXIMUM,
      isAfterCall: this.followsCall && !isLeak,
      isLeak,
    });
    this.followsCall = false;
    this.#quotation.text(text);
  }

  see(text: string): void {
    for (let at = text.length - 1; at >= 0; at--) {
      if (isSpace(text.charCodeAt(at))) continue;
      this.last = text[at]!;
      return;
    }
  }

  /** Routes the opener or closer of an opaque region, which only some regions show. */
  mark(text: string, region: Region): void {
    if (region.shows !== "all" || this.isCutCall) return;
    if (region.isThought && this.reasoning) this.reasoning.follow(text, (piece) => this.#show(piece, region));
    else this.#show(text, region);
  }

  /** Begins or ends a region; the marks of one that leaves as reasoning, and the whitespace around them, don't leave. */
  separate(region: Region): void {
    if (!region.isSentApart) return;
    const { emission } = this.#session;
    if (this.reasoning) this.reasoning.follow("", () => emission.separate());
    else emission.separate();
  }

  /** Begins the answer again, because its text so far was reasoning that nothing opened. */
  begin(): void {
    this.sawAnswer = this.followsCall = false;
    this.followsReasoning = true;
    this.last = " ";
    this.#session.emission.separate();
  }

  #show(text: string, { isThought, isSentApart }: Region): void {
    if (!this.sawAnswer && text.trim() !== "") this.sawAnswer = !isThought;
    const send = (piece: string) => this.#session.emission[isSentApart ? "reasoning" : "text"](piece);
    if (isThought) return send(text);
    // Whitespace can follow reasoning whose calls are recovered; other text shows that none is.
    if (this.sawAnswer) this.reasoning?.release();
    if (this.reasoning) this.reasoning.follow(text, send);
    else send(text);
    this.#quotation.text(text);
  }

  /** Ends the answer. If it has no text and no call, the calls at the end of the reasoning are made, or only noted. */
  recover(): void {
    if (!this.reasoning || this.hasBegun) return;
    const isIgnored = this.#session.options.reasoning === "ignore";
    for (const event of this.reasoning.end()) {
      if (isIgnored) {
        if (event.kind === "note" && event.reason === "recovered") {
          const { call: _, ...about } = event;
          this.#session.emission.push({ ...about, reason: "call_in_reasoning" });
        }
        continue;
      }
      if (event.kind === "call_start") this.#session.calls++;
      this.#session.emission.push(event);
    }
  }
}
