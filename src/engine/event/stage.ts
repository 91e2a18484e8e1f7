/** The one interface of everything on the path of an answer: events in, events out. @module */
import type { ContentEvent, MatchEvent } from "./event.ts";

export interface Sink<Event = MatchEvent> {
  /** Takes the next event. */
  push(event: Event): void;
}

/** One step on the path of a choice. An event that it does not change goes on as the very same object. */
export interface Stage<Event = MatchEvent> {
  /** Takes the next event and gives what can go on now. A `finish` event is the last: what is held goes out first. */
  push(event: Event, out: Sink<Event>): void;
}

/** A stage that finds calls in text. */
export interface TextStage<Event = MatchEvent> extends Stage<Event> {
  /** The offset from which notes can still cite the text, in UTF-16 units. */
  readonly citedFrom?: number;
}

/**
 * The text and the calls that a stage gives for some events.
 *
 * @example
 * ```ts
 * import { collect } from "./stage.ts";
 * const events = collect({ push: (event, out) => out.push(event) }, [{ kind: "text", text: "a" }]);
 * console.assert(events.length === 1);
 * ```
 */
export function collect<Event extends { readonly kind: string }>(
  stage: Stage<Event>,
  events: Iterable<Event>,
): ContentEvent[] {
  const collected: ContentEvent[] = [];
  const out: Sink<Event> = { push: (event) => void (isContent(event) && collected.push(event)) };
  for (const event of events) stage.push(event, out);
  return collected;
}

/** Whether an event is text or part of a call: what plugins see. */
export function isContent(event: { readonly kind: string }): event is ContentEvent {
  switch (event.kind) {
    case "text":
    case "call_start":
    case "arguments":
    case "call_end":
    case "call_abort":
    case "group_start":
    case "group_end":
    case "note":
      return true;
    default:
      return false;
  }
}

/** An answer of nothing but text, up to its end. */
export function* textAnswer(
  pieces: Iterable<string>,
  { truncated = false }: { readonly truncated?: boolean } = {},
): Iterable<MatchEvent> {
  for (const text of pieces) if (text !== "") yield { kind: "text", text };
  yield { kind: "text_end", truncated, isAnswered: false };
}
