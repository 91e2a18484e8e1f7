/**
 * Calls in the model's reasoning. They are only thought of, so they are kept aside; if the answer then ends without
 * text and without a call, the last thing that was thought is what the model meant to do.
 *
 *     <think>I should read it. <tool_call>…</tool_call></think>            recovered: nothing came after it
 *     <think>I could call <tool_call>…</tool_call>, but no.</think>Done.   a thought, and no more
 *
 * @module
 */
import type { CallEvent, Event } from "../event/event.ts";
import { isSpace } from "../pattern/node.ts";

/** What reads the reasoning: a matcher of its own, so that a call there is found as anywhere else. */
export interface ReasoningSource {
  feed(text: string): Event[];
  end(options: { truncated: boolean }): Event[];
}

/** The reasoning of one answer. */
export class Reasoning {
  readonly #source: ReasoningSource;
  #calls: CallEvent[] = [];

  constructor(source: ReasoningSource) {
    this.#source = source;
  }

  /** More of the reasoning. */
  feed(text: string): void {
    this.#keep(this.#source.feed(text));
  }

  /** The whole calls at the very end of the reasoning. */
  end(): CallEvent[] {
    this.#keep(this.#source.end({ truncated: false }));
    return this.#calls.map((event) =>
      event.kind === "note" && event.reason === "transformed" ? { ...event, reason: "recovered" } : event
    );
  }

  /** A call that is followed by further thoughts was given up. */
  #keep(events: readonly Event[]): void {
    for (const event of events) {
      if (event.kind !== "text") this.#calls.push(event);
      else if (!isBlank(event.text)) this.#calls = [];
    }
  }
}

function isBlank(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (!isSpace(text.charCodeAt(at))) return false;
  return true;
}
