/**
 * The one place where an answer is observed: for the audit log, metrics, traces, captures and plugins. It stands at
 * three places of a choice:
 *
 *     came ─▶ matcher ─▶ … ─▶ said ─▶ renderer ─▶ sent ─▶ writer
 *     the text                calls and notes     notes of the renderer
 *
 * It keeps no more of the text than a note may still cite.
 *
 * @module
 */
import type { AnswerEvent, ContentEvent } from "../event/event.ts";
import type { Sink, Stage } from "../event/stage.ts";

/** A longer text is not kept: its candidates are noted without their text. */
const SOURCE_CHARACTERS_MAX = 4 * 1024 * 1024;

/** Observes an answer. It changes nothing and must not throw. */
export interface Listener {
  /** A part of a call, or a note. */
  event(event: ContentEvent, place: EventPlace): void;
  /** The model's text, in pieces. */
  text?(text: string, choice: number): void;
}

/** What goes with an event. */
export interface EventPlace {
  /** The choice of the answer. */
  readonly choice: number;
  /** True: a note's offsets count what was sent to the client, not what the model wrote. */
  readonly isSent: boolean;
  /** The candidate's text, when it is known. */
  readonly source?: string | undefined;
}

/** Finds calls in text; it may tell from where on its notes can still cite the text. */
export interface TextStage extends Stage {
  /** An offset from the beginning of the text, in UTF-16 units. */
  readonly citedFrom?: number;
  /** Whether it paused in a long text: a text without characters, or the same `text_end`, makes it go on. */
  readonly isBehind?: boolean;
}

/** Observes one choice. */
export class Tap {
  /** Before the matcher. */
  readonly came: Stage;
  /** Before the renderer. */
  readonly said: Stage;
  /** After the renderer. */
  readonly sent: Stage;
  readonly #listener: Listener;
  readonly #choice: number;
  /** The text that a note may cite, and where it begins. */
  #text = "";
  #from = 0;

  /**
   * @param listener who observes
   * @param options which choice, and what finds its calls
   */
  constructor(listener: Listener, { choice, texts }: { readonly choice: number; readonly texts: TextStage }) {
    this.#listener = listener;
    this.#choice = choice;
    this.came = { push: (event, out) => this.#hearText(event, { out, texts }) };
    this.said = { push: (event, out) => this.#hearEvent(event, out) };
    this.sent = { push: (event, out) => this.#hearSent(event, out) };
  }

  #hearText(event: AnswerEvent, { out, texts }: { readonly out: Sink; readonly texts: TextStage }): void {
    if (event.kind === "text") {
      this.#listener.text?.(event.text, this.#choice);
      this.#text += event.text;
    }
    out.push(event);
    if (event.kind === "text_end") {
      if (texts.isBehind) return;
      this.#text = "";
      this.#from = 0;
    } else if (event.kind === "text") this.#forget(texts.citedFrom ?? 0);
  }

  #forget(before: number): void {
    const from = this.#text.length > SOURCE_CHARACTERS_MAX ? this.#from + this.#text.length : before;
    if (from <= this.#from) return;
    this.#text = this.#text.slice(from - this.#from);
    this.#from = from;
  }

  #hearEvent(event: AnswerEvent, out: Sink): void {
    switch (event.kind) {
      case "note": {
        const source = this.#cite(event.start, event.end);
        this.#listener.event(event, { choice: this.#choice, isSent: false, source });
        break;
      }
      case "call_start":
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

  #hearSent(event: AnswerEvent, out: Sink): void {
    if (event.kind === "note") this.#listener.event(event, { choice: this.#choice, isSent: true });
    else out.push(event);
  }
}
