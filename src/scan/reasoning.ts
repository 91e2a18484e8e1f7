/**
 * Calls in the model's reasoning. They are only thought of, so they are kept aside; if the answer then ends without
 * text and without a call, the last thing that was thought is what the model meant to do.
 *
 *     <think>I should read it. <tool_call>…</tool_call></think>            recovered: nothing came after it
 *     <think>I could call <tool_call>…</tool_call>, but no.</think>Done.   a thought, and no more
 *
 * @module
 */
import type { AnswerEvent, CallEvent } from "../event/event.ts";
import type { Sink, Stage } from "../event/stage.ts";
import { isSpace } from "../pattern/node.ts";

/** Reads text, with pauses. */
interface TextReader extends Stage {
  readonly isBehind: boolean;
}

/** The reasoning of one answer. */
export class Reasoning implements Sink {
  readonly #matcher: TextReader;
  #calls: CallEvent[] = [];

  /** @param matcher reads the reasoning, so that a call there is found as anywhere else */
  constructor(matcher: TextReader) {
    this.#matcher = matcher;
  }

  /** Whether the matcher paused; a text without characters, or the end again, makes it go on. */
  get isBehind(): boolean {
    return this.#matcher.isBehind;
  }

  /** More of the reasoning. */
  feed(text: string): void {
    this.#matcher.push({ kind: "text", text }, this);
  }

  /** The whole calls at the very end of the reasoning; none while the matcher pauses. */
  end(): CallEvent[] {
    this.#matcher.push({ kind: "text_end", truncated: false, isAnswered: false }, this);
    if (this.isBehind) return [];
    return this.#calls.map((event) =>
      event.kind === "note" && event.reason === "transformed" ? { ...event, reason: "recovered" } : event
    );
  }

  /** Takes what the matcher found. A call that is followed by further thoughts was given up. */
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

function isBlank(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (!isSpace(text.charCodeAt(at))) return false;
  return true;
}
