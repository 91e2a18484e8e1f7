/** One watched request: passes its events, times and end to all watches, with the reason codes of its mode. @module */
import type { AnswerEvent } from "../../chat/event/event.ts";
import type { CallStartEvent, ContentEvent, NoteEvent } from "../../engine/event/event.ts";
import { present } from "../../engine/object/present.ts";
import type { EventPlace, Listener } from "../../chat/pipeline/tap.ts";
import type { RequestPlugins } from "../plugin/run.ts";
import { reasonInMode } from "../../chat/rollout/canary.ts";
import type { RequestFacts, RequestLine, RequestOutcome, RequestWatch, WatchRequest } from "./watch.ts";

export interface About {
  readonly client: string;
  /** The model, as the client calls it. */
  readonly model: string | undefined;
  readonly choice: number;
}

export interface Watchers {
  readonly observe?: ((event: ContentEvent, about: About) => void) | undefined;
  readonly watches?: readonly WatchRequest[] | undefined;
  readonly line?: Pick<RequestLine, "isWatched"> | undefined;
  /** What the client got while there was nothing to send. */
  readonly beats?: { readonly count: number } | undefined;
  /** Receives the exceptions of watches, and the causes of our own errors. */
  readonly failed?: ((cause: unknown) => void) | undefined;
}

/** How many pieces of an answer the watches are notified of at once; a notification costs more than most pieces. */
const PIECES_AT_ONCE = 64;

export class Exchange implements Listener {
  readonly facts: RequestFacts;
  readonly #watches: RequestWatch[] = [];
  #own: RequestWatch[] = [];
  readonly #tried: string[] = [];
  #upstream: string;
  readonly #beats: Watchers["beats"];
  readonly #failed: (cause: unknown) => void;
  readonly #began = performance.now();
  #addedMs = 0;
  #pieces = 0;
  /** The processing times of pieces that the watches weren't notified of yet, in milliseconds. */
  #durationsMs: number[] = [];
  #firstMs: number | undefined;
  /** The arguments that the watches weren't notified of yet: all of them only add arguments up. */
  #arguments:
    | { readonly kind: "arguments"; readonly call: number; json: string; readonly place: EventPlace }
    | undefined;
  /** Passes what the client gets to the watches; absent if none wants it, because each token is an event. */
  readonly written?: (event: AnswerEvent) => void;
  /** Passes the model's text to the watches; absent if none wants it, for the same reason. */
  readonly text?: (text: string) => void;
  /** What the end of the request shows. */
  endNotes: (outcome: Pick<RequestOutcome, "status" | "usage">) => readonly NoteEvent[] = () => [];
  #isOver = false;

  constructor(facts: RequestFacts, { watches = [], observe, line, beats, failed }: Watchers = {}) {
    this.facts = facts;
    this.#beats = beats;
    this.#upstream = facts.upstream;
    this.#failed = failed ?? (() => {});
    if (line !== undefined) line.isWatched = true;
    for (const watch of watches) this.#try((begin) => this.#watches.push(begin(facts)), watch);
    if (observe !== undefined) this.#watches.push(observeDecisions(facts, observe));
    // The texts of several choices would be mixed.
    if ((facts.chat?.n ?? 1) !== 1) return;
    if (this.#watches.some((watch) => watch.written !== undefined)) {
      this.written = (event) => this.#notify((watch) => watch.written?.(event));
    }
    if (this.#watches.some((watch) => watch.text !== undefined)) {
      this.text = (text) => this.#notify((watch) => watch.text?.(text));
    }
  }

  watchUpstream(facts: RequestFacts, watches: readonly WatchRequest[]): void {
    this.#passArguments();
    this.#own = [];
    for (const watch of watches) this.#try((begin) => this.#own.push(begin(facts)), watch);
    this.#upstream = facts.upstream;
  }

  /** The upstream gave no answer, so that the next one is asked. */
  leaveUpstream(name: string): void {
    this.#tried.push(name);
    this.#own = [];
  }

  /** What observes the answer; undefined without watches. Plugins need the model's text for another attempt. */
  listener(plugins: RequestPlugins | undefined): Listener | undefined {
    if (plugins === undefined) return this.#watches.length + this.#own.length > 0 ? this : undefined;
    return {
      begin: () => this.begin(),
      event: (event, place) => this.event(event, place),
      sent: (event) => this.sent(event),
      ...present({ written: this.written }),
      text: (text) => {
        plugins.takeText(text);
        this.text?.(text);
      },
    };
  }

  begin(): void {
    if (this.#firstMs !== undefined) return;
    this.#firstMs = performance.now() - this.#began;
    this.#notify((watch) => watch.begin?.());
  }

  /** Passes an event of the answer on to the watches; arguments that follow each other arrive as one event. */
  event(event: ContentEvent, place: EventPlace): void {
    const held = this.#arguments;
    const isNext = event.kind === "arguments" && event.call === held?.call &&
      place.choice === held.place.choice;
    if (isNext) return void (held.json += event.json);
    this.#passArguments();
    if (event.kind === "arguments") return void (this.#arguments = { ...event, place });
    const worded = event.kind === "note"
      ? { ...event, reason: reasonInMode(event.reason, this.facts.mode) }
      : event;
    this.#notify((watch) => watch.observe(worded, place));
  }

  #passArguments(): void {
    if (this.#arguments === undefined) return;
    const { place, ...event } = this.#arguments;
    this.#arguments = undefined;
    this.#notify((watch) => watch.observe(event, place));
  }

  sent(event: CallStartEvent): void {
    this.#passArguments();
    this.#notify((watch) => watch.sent?.(event));
  }

  /** Adds the processing time of a piece of the answer. */
  worked(durationMs: number): void {
    this.#addedMs += durationMs;
    this.#pieces++;
    if (this.#durationsMs.push(durationMs) >= PIECES_AT_ONCE) this.#passPieces();
  }

  #passPieces(): void {
    const durationsMs = this.#durationsMs;
    this.#durationsMs = [];
    if (durationsMs.length > 0) this.#notify((watch) => watch.worked?.(durationsMs));
  }

  /** Adds the time of a question that the client didn't ask, such as that for the prompt of a chat. */
  waited(durationMs: number): void {
    this.#addedMs += durationMs;
  }

  /** Ends the request. Only the first call counts. */
  end(outcome: Pick<RequestOutcome, "status" | "error" | "message" | "usage">): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const note of this.endNotes(outcome)) this.event(note, { choice: 0, isSent: false });
    const beats = this.#beats?.count ?? 0;
    if (beats > 0) {
      const note = { kind: "note", reason: "kept_alive", rule: "keep_alive", start: 0, end: 0 } as const;
      this.event({ ...note, detail: `${beats} times` }, { choice: 0, isSent: false });
    }
    this.#passArguments();
    this.#passPieces();
    const durationMs = performance.now() - this.#began;
    const times = { durationMs, firstMs: this.#firstMs, addedMs: this.#addedMs };
    const moved = this.#tried.length === 0 ? {} : { tried: this.#tried, upstream: this.#upstream };
    const whole = { ...outcome, ...times, ...moved, pieces: this.#pieces };
    this.#notify((watch) => watch.end(whole));
  }

  #notify(notify: (watch: RequestWatch) => void): void {
    for (const watches of [this.#watches, this.#own]) {
      for (const watch of watches) this.#try(notify, watch);
    }
  }

  /** A failing watch must not break the answer. */
  #try<Watch>(notify: (watch: Watch) => void, watch: Watch): void {
    try {
      notify(watch);
    } catch (cause) {
      this.#failed(cause);
    }
  }
}

function observeDecisions(
  { client = "", model }: RequestFacts,
  observe: NonNullable<Watchers["observe"]>,
): RequestWatch {
  return {
    observe(event, { choice }) {
      if (event.kind !== "arguments") observe(event, { client, model, choice });
    },
    end() {},
  };
}
