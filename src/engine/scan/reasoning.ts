/**
 * Recovers calls from the model's reasoning. They are kept, and if the answer ends without text and without a call,
 * those at the end of the reasoning are made.
 *
 *     <think>I should read it. <tool_call>…</tool_call></think>            recovered: nothing follows it
 *     <think>I could call <tool_call>…</tool_call>, but no.</think>Done.   only a thought
 *
 * @module
 */
import type { AnswerEvent, CallEvent } from "../event/event.ts";
import type { Sink, Stage } from "../event/stage.ts";
import { isBlank } from "../pattern/node.ts";

/** Reads text, and can pause. */
interface TextReader extends Stage {
  readonly isBehind: boolean;
}

/** The reasoning of one answer. */
export class Reasoning implements Sink {
  readonly #matcher: TextReader;
  #calls: CallEvent[] = [];

  /** @param matcher reads the reasoning and finds its calls */
  constructor(matcher: TextReader) {
    this.#matcher = matcher;
  }

  /** Whether the matcher paused. An empty text, or the end again, continues it. */
  get isBehind(): boolean {
    return this.#matcher.isBehind;
  }

  /** Reads more of the reasoning. */
  feed(text: string): void {
    this.#matcher.push({ kind: "text", text }, this);
  }

  /** The whole calls at the very end of the reasoning; empty while the matcher pauses. */
  end(): CallEvent[] {
    this.#matcher.push({ kind: "text_end", truncated: false, isAnswered: false }, this);
    if (this.isBehind) return [];
    return this.#calls.map((event) =>
      event.kind === "note" && event.reason === "transformed" ? { ...event, reason: "recovered" } : event
    );
  }

  /** Collects the matcher's events. Text after a call discards it. */
  push(event: AnswerEvent): void {
    switch (event.kind) {
      case "text":
        if (!isBlank(event.text)) this.#calls = [];
        break;
      case "call_start":
      case "arguments":
      case "call_end":
      case "call_abort":
      case "group_start":
      case "group_end":
      case "note":
        this.#calls.push(event);
    }
  }
}
