/**
 * The one interface of everything on the path of an answer: events in, events out.
 *
 * @module
 */
import type { AnswerEvent, ContentEvent } from "./event.ts";

/** Takes events. */
export interface Sink {
  /** Takes the next event. */
  push(event: AnswerEvent): void;
}

/** One step on the path of a choice. An event that it does not change goes on as the very same object. */
export interface Stage {
  /** Takes the next event and gives what can go on now. A `finish` event is the last: what is held goes out first. */
  push(event: AnswerEvent, out: Sink): void;
}

/** A stage that finds calls in text. It can pause in a long one. */
export interface TextStage extends Stage {
  /** The offset from which notes can still cite the text, in UTF-16 units. */
  readonly citedFrom?: number;
  /** Whether it paused: `resume` comes before the next event. */
  readonly isBehind?: boolean;
  /** Reads on after a pause. */
  resume?(out: Sink): void;
}

/** A stage and where its events go. */
class Link implements Sink {
  readonly #stage: Stage;
  readonly #out: Sink;

  constructor(stage: Stage, out: Sink) {
    this.#stage = stage;
    this.#out = out;
  }

  push(event: AnswerEvent): void {
    this.#stage.push(event, this.#out);
  }
}

/** Connects stages in order, without the undefined ones; the events of the last one go to `out`. */
export function connect(stages: readonly (Stage | undefined)[], out: Sink): Sink {
  return stages.reduceRight<Sink>((next, stage) => stage ? new Link(stage, next) : next, out);
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
export function collect(stage: Stage, events: Iterable<AnswerEvent>): ContentEvent[] {
  const collected: ContentEvent[] = [];
  const out: Sink = { push: (event) => void (isContent(event) && collected.push(event)) };
  for (const event of events) stage.push(event, out);
  return collected;
}

/** Whether an event is text or part of a call: what plugins see. */
export function isContent(event: AnswerEvent): event is ContentEvent {
  switch (event.kind) {
    case "role":
    case "reasoning":
    case "text_end":
    case "finish":
    case "usage":
    case "error":
      return false;
    default:
      return true;
  }
}

/** An answer of nothing but text, up to its end. */
export function* textAnswer(
  pieces: Iterable<string>,
  { truncated = false }: { readonly truncated?: boolean } = {},
): Iterable<AnswerEvent> {
  for (const text of pieces) if (text !== "") yield { kind: "text", text };
  yield { kind: "text_end", truncated, isAnswered: false };
}
