/**
 * Observes an answer for the audit log, metrics, traces, captures and plugins. It has three stages in a choice:
 *
 *     texts (the matcher) ─▶ … ─▶ beforeRenderer ─▶ renderer ─▶ afterRenderer ─▶ writer
 *     the text                    calls and notes               notes of the renderer
 *
 * It keeps little more than the text that a note can still cite.
 *
 * @module
 */
import type { AnswerEvent } from "../event/event.ts";
import type { Sink, Stage } from "../event/stage.ts";
import type { CallStartEvent, ContentEvent } from "../../engine/event/event.ts";
import type { TextStage } from "../../engine/event/stage.ts";

/** The most characters of text to keep. Candidates in a longer text are noted without their text. */
const SOURCE_CHARACTERS_MAX = 4 * 1024 * 1024;

/** Up to this many characters are kept although no note can cite them: to look after each token costs more. */
const SPARE_CHARACTERS = 1024;

/** Observes an answer. It can't change the answer and must not throw. */
export interface Listener {
  /** The first text, reasoning or call of a choice arrives. */
  begin?(): void;
  /** Receives a part of a call, or a note. */
  event(event: ContentEvent, place: EventPlace): void;
  /** Receives a call as the renderer sends it, with its id. */
  sent?(event: CallStartEvent): void;
  /** Receives what the renderer gives the client, event by event. */
  written?(event: AnswerEvent): void;
  text?(text: string, choice: number): void;
}

export interface EventPlace {
  readonly choice: number;
  /** True: a note's offsets refer to the client's text, not to the model's. */
  readonly isSent: boolean;
  readonly source?: string | undefined;
}

export class Tap {
  readonly texts: Stage;
  readonly beforeRenderer: Stage;
  readonly afterRenderer: Stage;
  readonly #listener: Listener;
  readonly #choice: number;
  /** The text that a note can cite, and its offset. */
  #text = "";
  #from = 0;
  #hasBegun = false;

  constructor(
    listener: Listener,
    { choice, texts }: { readonly choice: number; readonly texts: TextStage<AnswerEvent> },
  ) {
    this.#listener = listener;
    this.#choice = choice;
    this.texts = {
      push: (event, out) => {
        this.#observeText(event);
        texts.push(event, out);
        if (event.kind === "text" && this.#text.length > SPARE_CHARACTERS) this.#forget(texts);
        if (event.kind !== "text_end") return;
        this.#text = "";
        this.#from = 0;
      },
    };
    this.beforeRenderer = { push: (event, out) => this.#observeCall(event, out) };
    this.afterRenderer = { push: (event, out) => this.#observeRenderer(event, out) };
  }

  #observeText(event: AnswerEvent): void {
    if (event.kind === "text" || event.kind === "reasoning") this.#begin();
    if (event.kind !== "text") return;
    this.#listener.text?.(event.text, this.#choice);
    this.#text += event.text;
  }

  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#listener.begin?.();
  }

  /** Forgets what no note can cite. */
  #forget({ citedFrom = 0 }: TextStage<AnswerEvent>): void {
    const from = this.#text.length > SOURCE_CHARACTERS_MAX ? this.#from + this.#text.length : citedFrom;
    if (from <= this.#from) return;
    this.#text = this.#text.slice(from - this.#from);
    this.#from = from;
  }

  #observeCall(event: AnswerEvent, out: Sink): void {
    switch (event.kind) {
      case "note": {
        const source = this.#cite(event.start, event.end);
        this.#listener.event(event, { choice: this.#choice, isSent: false, source });
        break;
      }
      case "call_start":
        this.#begin();
        this.#listener.event(event, { choice: this.#choice, isSent: false });
        break;
      case "arguments":
      case "call_end":
      case "call_abort":
      case "group_start":
      case "group_end":
        this.#listener.event(event, { choice: this.#choice, isSent: false });
    }
    out.push(event);
  }

  #cite(start: number, end: number): string | undefined {
    const isKept = end > start && start >= this.#from && end <= this.#from + this.#text.length;
    return isKept ? this.#text.slice(start - this.#from, end - this.#from) : undefined;
  }

  #observeRenderer(event: AnswerEvent, out: Sink): void {
    if (event.kind === "note") return this.#listener.event(event, { choice: this.#choice, isSent: true });
    if (event.kind === "call_start") this.#listener.sent?.(event);
    if (event.kind === "text" && event.call !== undefined) {
      this.#listener.event(event, { choice: this.#choice, isSent: true });
    }
    this.#listener.written?.(event);
    out.push(event);
  }
}
