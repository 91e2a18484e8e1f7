/**
 * What `tools: auto` has learned: the models that get their tools in the prompt or are read raw. It learns from a refused
 * request, from answers whose calls were all printed as text, and from answers that the server's parser lost.
 *
 * @module
 */
import { dropOldest } from "../../engine/object/drop_oldest.ts";
import type { ContentEvent } from "../../engine/event/event.ts";
import { NATIVE_RULE } from "../../chat/native/call.ts";
import { PLUGIN_RULE } from "../transport/served.ts";
import type { RequestWatch } from "../exchange/watch.ts";

/** After this many answers with calls in their text, and none of the upstream's own, tools go into the prompt. */
const LEAKS_MAX = 5;

/** The number of models that are remembered; the one that was learned first is forgotten first. */
const MODELS_MAX = 1000;

interface LearnedModel {
  readonly upstream: string;
  /** The upstream's name for the model; empty for a request without one. */
  readonly model: string;
}

export type LearnedReason = "refused" | "leaked" | "unparsed";

/** A model that gets its tools in the prompt, or is read raw. */
export interface LearnedTools extends LearnedModel {
  /**
   * `refused`: the upstream refused `tools`; `leaked`: every call came as text; `unparsed`: the server's parser failed,
   * so the model is read raw.
   */
  readonly reason: LearnedReason;
  /** The rule whose dialect it is prompted in; empty if it is read raw. */
  readonly dialect: string;
}

interface Seen {
  /** Answers with calls in their text. */
  leaks: number;
  /** Whether the upstream has sent a call of its own. */
  isNative: boolean;
  /** Whether it has answered a request with `tools`. */
  isAccepted: boolean;
}

export class ToolMemory {
  readonly #learned = new Map<string, LearnedTools>();
  readonly #seen = new Map<string, Seen>();
  readonly #report: (learned: LearnedTools) => void;

  /** @param report gets each model once, when it is learned */
  constructor(report: (learned: LearnedTools) => void = () => {}) {
    this.#report = report;
  }

  /** Why a model doesn't get its tools natively; undefined if it does. */
  reasonFor(model: LearnedModel): LearnedReason | undefined {
    return this.#learned.get(keyOf(model))?.reason;
  }

  has(model: LearnedModel): boolean {
    return this.#learned.has(keyOf(model));
  }

  entries(): readonly LearnedTools[] {
    return [...this.#learned.values()];
  }

  /** The upstream answered a request with `tools`, so a later refusal is about that request only. */
  accept(model: LearnedModel): void {
    this.#seenOf(keyOf(model)).isAccepted = true;
  }

  /** The upstream refused a request because of its tools. */
  refuse(model: LearnedModel & { readonly dialect: string }): void {
    if (this.#seen.get(keyOf(model))?.isAccepted !== true) this.learn({ ...model, reason: "refused" });
  }

  learn(learned: LearnedTools): void {
    const key = keyOf(learned);
    if (this.#learned.has(key)) return;
    this.#learned.set(key, learned);
    dropOldest(this.#learned, MODELS_MAX);
    this.#report(learned);
  }

  watch(model: LearnedModel & { readonly dialect: string }): RequestWatch {
    const counts = { own: 0, text: 0 };
    return {
      observe(event: ContentEvent) {
        // The calls of a plugin show nothing about the model.
        if (event.kind !== "call_start" || event.rule === PLUGIN_RULE) return;
        counts[event.rule === NATIVE_RULE ? "own" : "text"]++;
      },
      end: () => this.#count(model, counts),
    };
  }

  #count(
    model: LearnedModel & { readonly dialect: string },
    { own, text }: { readonly own: number; readonly text: number },
  ): void {
    if (own + text === 0) return;
    const seen = this.#seenOf(keyOf(model));
    seen.isNative ||= own > 0;
    if (text > 0) seen.leaks++;
    if (seen.leaks >= LEAKS_MAX && !seen.isNative) this.learn({ ...model, reason: "leaked" });
  }

  #seenOf(key: string): Seen {
    const seen = this.#seen.get(key) ?? { leaks: 0, isNative: false, isAccepted: false };
    this.#seen.set(key, seen);
    dropOldest(this.#seen, MODELS_MAX);
    return seen;
  }
}

function keyOf({ upstream, model }: LearnedModel): string {
  return JSON.stringify([upstream, model]);
}
