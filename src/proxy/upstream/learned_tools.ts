/** What `tools: auto` has learned from refusals and lost answers: which models are prompted or read raw. @module */
import { putLast } from "../../engine/object/drop_oldest.ts";

/** The number of models that are remembered; the one that was learned first is forgotten first. */
const MODELS_MAX = 1000;

interface LearnedModel {
  readonly upstream: string;
  /** The upstream's name for the model; empty for a request without one. */
  readonly model: string;
}

/** `refused`: the upstream refused tools; `refused_calls`: it refused calls in the conversation; `unparsed`: its parser failed. */
export type LearnedReason = "refused" | "refused_calls" | "unparsed";

/** A model that gets its tools in the prompt, or is read raw. */
export interface LearnedTools extends LearnedModel {
  readonly reason: LearnedReason;
  /** The rule whose dialect it is prompted in; empty if it is read raw. */
  readonly dialect: string;
}

interface AcceptedRequest {
  readonly hasCalls: boolean;
}

export class ToolMemory {
  readonly #learned = new Map<string, LearnedTools>();
  /** Models that have answered a request with `tools`, and whether its conversation had calls. */
  readonly #accepted = new Map<string, { readonly hadCalls: boolean }>();
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

  /** The upstream answered a request with `tools`, so a later refusal of such a one is about that request only. */
  accept(model: LearnedModel, { hasCalls }: AcceptedRequest): void {
    const key = keyOf(model);
    const hadCalls = hasCalls || this.#accepted.get(key)?.hadCalls === true;
    putLast(this.#accepted, key, { hadCalls }, MODELS_MAX);
  }

  /** The upstream refused a request because of its tools, or of the calls in its conversation. */
  refuse({ hasCalls, ...model }: LearnedModel & AcceptedRequest & { readonly dialect: string }): void {
    const accepted = this.#accepted.get(keyOf(model));
    if (accepted === undefined) this.learn({ ...model, reason: "refused" });
    else if (hasCalls && !accepted.hadCalls) this.learn({ ...model, reason: "refused_calls" });
  }

  /** Another server is there now: what was learned about the upstream's models doesn't hold any more. */
  forget(upstream: string): void {
    for (const models of [this.#learned, this.#accepted]) {
      for (const key of [...models.keys()].filter((key) => JSON.parse(key)[0] === upstream)) {
        models.delete(key);
      }
    }
  }

  learn(learned: LearnedTools): void {
    const key = keyOf(learned);
    if (this.#learned.has(key)) return;
    putLast(this.#learned, key, learned, MODELS_MAX);
    this.#report(learned);
  }
}

function keyOf({ upstream, model }: LearnedModel): string {
  return JSON.stringify([upstream, model]);
}
