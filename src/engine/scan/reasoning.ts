/**
 * Recovers calls from the model's reasoning. They are kept, and if the answer ends without text and without a call,
 * those at the end of the reasoning are made.
 *
 *     <think>I should read it. <tool_call>…</tool_call></think>            recovered: nothing follows it
 *     <think>I could call <tool_call>…</tool_call>, but no.</think>Done.   only a thought
 *
 * Reasoning in the text of the answer waits from a call on until it is decided, because a recovered call leaves the text.
 *
 * @module
 */
import type { CallEvent, MatchEvent } from "../event/event.ts";
import { isContent, type Sink, type TextStage } from "../event/stage.ts";
import { isBlank } from "../pattern/node.ts";

/** The most characters of shown reasoning that wait; longer text is sent, and its calls stay in it. */
const WAITING_MAXIMUM = 1024 * 1024;

interface WaitingText {
  readonly text: string;
  /** Its offset in the reasoning; undefined if it isn't reasoning. */
  readonly offset: number | undefined;
  readonly send: (text: string) => void;
}

export class Reasoning implements Sink {
  readonly #matcher: Required<TextStage>;
  #calls: CallEvent[] = [];
  #length = 0;
  #waiting: WaitingText[] | undefined = [];

  /** @param matcher reads the reasoning and finds its calls */
  constructor(matcher: Required<TextStage>) {
    this.#matcher = matcher;
  }

  feed(text: string): void {
    this.#length += text.length;
    this.#matcher.push({ kind: "text", text }, this);
    this.#sendUntil(this.#certain);
  }

  /** Reads reasoning that the client gets with the answer, and sends what certainly isn't a recovered call. */
  show(text: string, send: (text: string) => void): void {
    if (this.#waiting === undefined) send(text);
    this.#waiting?.push({ text, offset: this.#length, send });
    this.feed(text);
  }

  /** Sends text after the reasoning, such as its closer, in order. */
  follow(text: string, send: (text: string) => void): void {
    if (this.#waiting === undefined || this.#waiting.length === 0) send(text);
    else this.#waiting.push({ text, offset: undefined, send });
  }

  /** Sends all that waits, unchanged: no call is recovered, or none leaves the text. */
  release(): void {
    this.#sendUntil(Infinity);
    this.#waiting = undefined;
  }

  /** The offset before which no text can be part of a recovered call. */
  get #certain(): number {
    const certain = Math.min(this.#matcher.citedFrom, this.#firstCall);
    return this.#length - certain > WAITING_MAXIMUM ? Infinity : certain;
  }

  /** The offset of the first call after which only calls follow. */
  get #firstCall(): number {
    const note = this.#calls.find((event) => event.kind === "note" && event.reason === "transformed");
    return note?.kind === "note" ? note.start : Infinity;
  }

  #sendUntil(offset: number): void {
    const waiting = this.#waiting ?? [];
    while (waiting.length > 0) {
      const { text, offset: start, send } = waiting[0]!;
      const length = start === undefined ? text.length : Math.min(offset - start, text.length);
      if (start !== undefined && length <= 0) return;
      send(text.slice(0, length));
      if (length === text.length) waiting.shift();
      else waiting[0] = { text: text.slice(length), offset: start! + length, send };
    }
  }

  /** The whole calls at the very end of the reasoning. */
  end(): CallEvent[] {
    this.#matcher.push({ kind: "text_end", truncated: false, isAnswered: false }, this);
    const first = this.#firstCall;
    this.#sendUntil(first);
    this.#waiting = this.#waiting?.filter(({ offset }) => offset === undefined || offset < first);
    this.release();
    return this.#calls.map((event) =>
      event.kind === "note" && event.reason === "transformed" ? { ...event, reason: "recovered" } : event
    );
  }

  /** Collects the matcher's events. Text after a call discards it. */
  push(event: MatchEvent): void {
    if (!isContent(event)) return;
    if (event.kind !== "text") this.#calls.push(event);
    else if (!isBlank(event.text)) this.#calls = [];
  }
}
