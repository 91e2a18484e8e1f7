/**
 * One watched request. In: the events of its answer, the time that the work on it took and its end. Out: all of
 * that to those who watch, in the words of the request's mode. Where nobody watches, nothing is wrapped.
 *
 * @module
 */
import type { Event, NoteEvent } from "../event/event.ts";
import type { AnswerOptions } from "../pipeline/answer.ts";
import type { EventSource } from "../pipeline/choice.ts";
import type { Renderer } from "../render/renderer.ts";
import { reasonInMode } from "../rollout/mode.ts";
import type { RequestFacts, RequestOutcome, RequestWatch, WatchRequest } from "./watch.ts";

/** A text that is longer is not kept: its candidates are noted without their text. */
const SOURCE_CHARACTERS_MAX = 4 * 1024 * 1024;

/** A request and those who watch it. */
export class Exchange {
  /** What is known of the request. */
  readonly facts: RequestFacts;
  readonly #watches: readonly RequestWatch[];
  readonly #began = performance.now();
  #addedMs = 0;
  #pieces = 0;
  #isOver = false;

  /**
   * Begins to watch.
   *
   * @param facts what is known of the request
   * @param watches who watches
   */
  constructor(facts: RequestFacts, watches: readonly WatchRequest[]) {
    this.facts = facts;
    this.#watches = watches.map((watch) => watch(facts));
  }

  /** The same options, with everything that they say heard by those who watch. */
  watch(options: AnswerOptions): AnswerOptions {
    const { mode } = this.facts;
    if (this.#watches.length === 0 && mode === "live") return options;
    const sent = new WeakSet<Event>();
    // Choices side by side would mix up their offsets.
    const texts = (options.choiceCount ?? 1) === 1 ? new Map<string, string>() : undefined;
    return {
      ...options,
      createSource: () => this.#keepTexts(options.createSource(), texts),
      createRenderer: (note) => {
        const renderer = options.createRenderer((event) => {
          sent.add(event);
          note(event);
        });
        return texts === undefined ? renderer : this.#hearArguments(renderer);
      },
      observe: (event, choice) => {
        const said = event.kind === "note" ? { ...event, reason: reasonInMode(event.reason, mode) } : event;
        options.observe?.(said, choice);
        const isSent = sent.has(event);
        const source = event.kind === "note" && !isSent ? texts?.get(placeOf(event)) : undefined;
        this.#tell((watch) => watch.observe(said, { choice, isSent, source }));
      },
    };
  }

  /** Does a piece of work on the answer and tells how long it took. */
  measure<T>(work: () => T): T {
    if (this.#watches.length === 0) return work();
    const began = performance.now();
    try {
      return work();
    } finally {
      const durationMs = performance.now() - began;
      this.#addedMs += durationMs;
      this.#pieces++;
      this.#tell((watch) => watch.worked?.(durationMs));
    }
  }

  /** The request is over; only the first word counts. */
  end(outcome: Pick<RequestOutcome, "status" | "error">): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const durationMs = performance.now() - this.#began;
    const told = { ...outcome, durationMs, addedMs: this.#addedMs, pieces: this.#pieces };
    this.#tell((watch) => watch.end(told));
  }

  #hearArguments(renderer: Renderer): Renderer {
    const render = renderer.render.bind(renderer);
    renderer.render = (events) => {
      for (const event of events) {
        if (event.kind !== "arguments") continue;
        this.#tell((watch) => watch.observe(event, { choice: 0, isSent: false }));
      }
      return render(events);
    };
    return renderer;
  }

  /** Keeps a candidate's text where a note says where it stood. */
  #keepTexts(source: EventSource, texts: Map<string, string> | undefined): EventSource {
    if (texts === undefined) return source;
    let all = "";
    const keep = (events: Event[]): Event[] => {
      if (all.length > SOURCE_CHARACTERS_MAX) return events;
      for (const event of events) {
        if (event.kind === "note") texts.set(placeOf(event), all.slice(event.start, event.end));
      }
      return events;
    };
    return {
      feed: (text) => {
        this.#tell((watch) => watch.text?.(text));
        if (all.length <= SOURCE_CHARACTERS_MAX) all += text;
        return keep(source.feed(text));
      },
      reason: (text) => source.reason(text),
      end: (options) => keep(source.end(options)),
    };
  }

  /** Whoever watches must never break an answer. */
  #tell(say: (watch: RequestWatch) => void): void {
    for (const watch of this.#watches) {
      try {
        say(watch);
      } catch {
        continue;
      }
    }
  }
}

function placeOf({ rule, start, end }: NoteEvent): string {
  return `${rule} ${start} ${end}`;
}
