/**
 * What `tools: auto` has learned: the models that get their tools in the prompt or are read raw. It learns from a refused
 * request, and from answers that the server's parser lost.
 *
 * @module
 */
import { dropOldest } from "../../engine/object/drop_oldest.ts";

/** The number of models that are remembered; the one that was learned first is forgotten first. */
const MODELS_MAX = 1000;

interface LearnedModel {
  readonly upstream: string;
  /** The upstream's name for the model; empty for a request without one. */
  readonly model: string;
}

export type LearnedReason = "refused" | "unparsed";

/** A model that gets its tools in the prompt, or is read raw. */
export interface LearnedTools extends LearnedModel {
  /**
   * `refused`: the upstream refused `tools`; `unparsed`: the server's parser failed, so the model is read raw.
   */
  readonly reason: LearnedReason;
  /** The rule whose dialect it is prompted in; empty if it is read raw. */
  readonly dialect: string;
}

export class ToolMemory {
  readonly #learned = new Map<string, LearnedTools>();
  /** Models that have answered a request with `tools`. */
  readonly #accepted = new Map<string, true>();
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
    this.#accepted.set(keyOf(model), true);
    dropOldest(this.#accepted, MODELS_MAX);
  }

  /** The upstream refused a request because of its tools. */
  refuse(model: LearnedModel & { readonly dialect: string }): void {
    if (!this.#accepted.has(keyOf(model))) this.learn({ ...model, reason: "refused" });
  }

  learn(learned: LearnedTools): void {
    const key = keyOf(learned);
    if (this.#learned.has(key)) return;
    this.#learned.set(key, learned);
    dropOldest(this.#learned, MODELS_MAX);
    this.#report(learned);
  }
}

function keyOf({ upstream, model }: LearnedModel): string {
  return JSON.stringify([upstream, model]);
}
