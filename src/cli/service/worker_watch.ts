/** What a worker's requests show, gathered for some milliseconds and passed on to the watches of the main thread. @module */
import type { AnswerEvent } from "../../chat/event/event.ts";
import type { CallStartEvent, ContentEvent } from "../../engine/event/event.ts";
import { WORKER_FAILED } from "../../proxy/server/ending.ts";
import {
  type EventPlace,
  promptTokens,
  type RequestFacts,
  type RequestOutcome,
  type RequestWatch,
  tokensUsed,
  type WatchRequest,
} from "../../proxy/exchange/watch.ts";

/** Something that a request showed. */
export type Shown =
  | { readonly kind: "begin"; readonly id: number; readonly facts: RequestFacts }
  | { readonly kind: "first"; readonly id: number }
  | { readonly kind: "event"; readonly id: number; readonly event: ContentEvent; readonly place: EventPlace }
  | Pieces
  | { readonly kind: "written"; readonly id: number; readonly event: AnswerEvent }
  | { readonly kind: "sent"; readonly id: number; readonly event: CallStartEvent }
  | { readonly kind: "worked"; readonly id: number; readonly durationsMs: readonly number[] }
  | { readonly kind: "end"; readonly id: number; readonly outcome: RequestOutcome };

/** Pieces that travel as one: the model's text, or the arguments of a call. */
interface Pieces {
  readonly kind: "text" | "arguments";
  readonly id: number;
  readonly call: number;
  readonly place: EventPlace;
  text: string;
}

/** The place of text, which belongs to no call. */
const NO_PLACE: EventPlace = { choice: 0, isSent: false };

const GATHER_MS = 50;

interface GathererOptions {
  readonly send: (shown: readonly Shown[]) => void;
  /** Whether a watch wants the texts of the model and for the client; few do, and they are most of what there is to see. */
  readonly wantsText: () => boolean;
}

export class ShownGatherer {
  readonly #options: GathererOptions;
  #shown: Shown[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = 0;
  #batch = 0;

  constructor(options: GathererOptions) {
    this.#options = options;
  }

  readonly watch: WatchRequest = (facts) => {
    const id = ++this.#last;
    let last: Pieces | undefined;
    let batch = this.#batch;
    const add = (shown: Shown) => {
      last = undefined;
      this.#add(shown);
    };
    add({ kind: "begin", id, facts });
    const append = (piece: Pieces) => {
      // Pieces in a row travel as one, unless the first ones have left.
      if (last !== undefined && batch === this.#batch && continues(last, piece)) {
        return void (last.text += piece.text);
      }
      batch = this.#batch;
      last = piece;
      this.#add(piece);
    };
    // Each thing that a watch can get, so that none is forgotten.
    const { text, written, ...others }: Required<RequestWatch> = {
      begin: () => add({ kind: "first", id }),
      text: (text) => append({ kind: "text", id, call: -1, place: NO_PLACE, text }),
      // What the client gets doesn't break a row of pieces from the model.
      written: (event) => this.#add({ kind: "written", id, event }),
      observe: (event, place) =>
        event.kind === "arguments"
          ? append({ kind: "arguments", id, call: event.call, place, text: event.json })
          : add({ kind: "event", id, event, place }),
      sent: (event) => add({ kind: "sent", id, event }),
      worked: (durationsMs) => add({ kind: "worked", id, durationsMs }),
      end: (outcome) => {
        // A function can't travel.
        const { usage: _, ...sent } = outcome;
        const counted = { tokens: tokensUsed(outcome), prompt: promptTokens(outcome) };
        add({ kind: "end", id, outcome: { ...sent, ...counted } });
        // Another worker can get the results of its calls at once: its calls have to be known before.
        this.flush();
      },
    };
    return { ...others, ...(this.#options.wantsText() ? { text, written } : {}) };
  };

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#shown.length > 0) this.#options.send(this.#shown);
    this.#shown = [];
    this.#batch++;
  }

  #add(shown: Shown): void {
    this.#shown.push(shown);
    this.#timer ??= setTimeout(() => this.flush(), GATHER_MS);
  }
}

function continues(before: Pieces, { kind, call, place }: Pieces): boolean {
  return before.kind === kind && before.call === call && before.place.choice === place.choice &&
    before.place.isSent === place.isSent;
}

/** Shows a worker's requests to the watches of the main thread. */
export class ShownPlayer {
  readonly #watches: readonly WatchRequest[];
  readonly #running = new Map<number, RequestWatch[]>();
  #isOver = false;

  constructor(watches: readonly WatchRequest[]) {
    this.#watches = watches;
  }

  play(shown: readonly Shown[]): void {
    if (this.#isOver) return;
    for (const each of shown) {
      if (each.kind === "begin") this.#begin(each);
      for (const watch of this.#running.get(each.id) ?? []) pass(each, watch);
      if (each.kind === "end") this.#running.delete(each.id);
    }
  }

  /** The worker is gone, and all its answers broke off. */
  breakOff(): void {
    const outcome = { status: 500, error: WORKER_FAILED, durationMs: 0, addedMs: 0, pieces: 0 };
    for (const id of [...this.#running.keys()]) this.play([{ kind: "end", id, outcome }]);
    this.#isOver = true;
  }

  #begin({ id, facts }: Shown & { readonly kind: "begin" }): void {
    const watches = this.#watches.map((watch) => safely(() => watch(facts)));
    this.#running.set(id, watches.filter((watch) => watch !== undefined));
  }
}

/** A failing watch must not break an answer. */
function safely<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

function pass(shown: Shown, watch: RequestWatch): void {
  safely(() => {
    switch (shown.kind) {
      case "first":
        return watch.begin?.();
      case "event":
        return watch.observe(shown.event, shown.place);
      case "arguments":
        return watch.observe({ kind: "arguments", call: shown.call, json: shown.text }, shown.place);
      case "text":
        return watch.text?.(shown.text);
      case "written":
        return watch.written?.(shown.event);
      case "sent":
        return watch.sent?.(shown.event);
      case "worked":
        return watch.worked?.(shown.durationsMs);
      case "end":
        return watch.end(shown.outcome);
    }
  });
}
