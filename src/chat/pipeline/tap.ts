/**
 * Observes an answer for the audit log, metrics, traces, captures and plugins. It has three stages in a choice:
 *
 *     texts (the matcher) ─▶ … ─▶ beforeRenderer ─▶ renderer ─▶ afterRenderer ─▶ writer
 *     the text                    calls and notes               notes of the renderer
 *
 * @module
 */
import type { AnswerEvent } from "../event/event.ts";
import type { Sink, Stage } from "../event/stage.ts";
import type { CallStartEvent, ContentEvent, NoteEvent } from "../../engine/event/event.ts";
import type { Transcript } from "../event/transcript.ts";

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

/** The stage that reads the text, with what it read. */
interface TranscribedStage extends Stage {
  readonly transcript: Transcript;
}

export class Tap {
  readonly texts: Stage;
  readonly beforeRenderer: Stage;
  readonly afterRenderer: Stage;
  readonly #listener: Listener;
  readonly #choice: number;
  readonly #read: TranscribedStage;
  #hasBegun = false;
  /** The renderer's notes about the call that is read. The matcher notes it after its end, and the renderer has the last word. */
  #held: NoteEvent[] = [];

  constructor(
    listener: Listener,
    { choice, texts }: { readonly choice: number; readonly texts: TranscribedStage },
  ) {
    this.#listener = listener;
    this.#choice = choice;
    this.#read = texts;
    this.texts = {
      push: (event, out) => {
        this.#observeText(event);
        texts.push(event, out);
      },
    };
    this.beforeRenderer = { push: (event, out) => this.#observeCall(event, out) };
    this.afterRenderer = { push: (event, out) => this.#observeRenderer(event, out) };
  }

  #observeText(event: AnswerEvent): void {
    if (event.kind === "text" || event.kind === "reasoning") this.#begin();
    if (event.kind !== "text") return;
    this.#listener.text?.(event.text, this.#choice);
  }

  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#listener.begin?.();
  }

  #observeCall(event: AnswerEvent, out: Sink): void {
    if (!isAbout(event, this.#held[0]?.call)) this.#release();
    switch (event.kind) {
      case "note": {
        const source = this.#read.transcript.cite(event.start, event.end);
        this.#listener.event(event, { choice: this.#choice, isSent: false, source });
        this.#release();
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

  #observeRenderer(event: AnswerEvent, out: Sink): void {
    if (event.kind === "note") {
      this.#held.push(event);
      return event.call === undefined ? this.#release() : undefined;
    }
    if (event.kind === "call_start") this.#listener.sent?.(event);
    if (event.kind === "text" && event.call !== undefined) {
      this.#listener.event(event, { choice: this.#choice, isSent: true });
    }
    this.#listener.written?.(event);
    out.push(event);
  }

  #release(): void {
    const held = this.#held;
    if (held.length === 0) return;
    this.#held = [];
    for (const note of held) this.#listener.event(note, { choice: this.#choice, isSent: true });
  }
}

function isAbout(event: AnswerEvent, call: number | undefined): boolean {
  return call !== undefined && "call" in event && event.call === call;
}
