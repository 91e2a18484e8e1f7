/**
 * Whether an answer is translated for its client, or only watched. In: the policy, the upstream and the
 * conversation. Out: a mode, and the reason codes as they read in it. Pure: the same conversation always gives the
 * same side.
 *
 * @module
 */
import type { Config, UpstreamConfig } from "../config/schema.ts";
import type { Reason } from "../event/reason.ts";
import { bucketOf } from "./conversation.ts";

/**
 * `live`: the answer is translated; `dry_run`: the client gets the original bytes, the decisions are recorded;
 * `excluded`: the same, because the conversation is on the other side of the canary.
 */
export type Mode = "live" | "dry_run" | "excluded";

/** What decides the mode. */
export interface ModeInput {
  /** The policy of the configuration. */
  readonly policy: Pick<Config["policy"], "dry_run" | "rollout_percent">;
  /** The upstream that answers. */
  readonly upstream: Pick<UpstreamConfig, "dry_run">;
  /** The conversation's hash. */
  readonly conversation: string;
}

/**
 * The mode of an answer. A conversation that is in at some percentage is in at every higher one.
 *
 * @example
 * ```ts
 * import { chooseMode } from "./mode.ts";
 * const policy = { dry_run: false, rollout_percent: 0 };
 * console.assert(chooseMode({ policy, upstream: { dry_run: false }, conversation: "00000000" }) === "excluded");
 * ```
 */
export function chooseMode({ policy, upstream, conversation }: ModeInput): Mode {
  if (policy.dry_run || upstream.dry_run) return "dry_run";
  return bucketOf(conversation) < policy.rollout_percent ? "live" : "excluded";
}

/** What a decision is called in a mode: a call that nobody heard of was not transformed. */
export function reasonInMode(reason: Reason, mode: Mode): Reason {
  if (mode === "live" || (reason !== "transformed" && reason !== "recovered")) return reason;
  return mode === "dry_run" ? "would_transform" : "rollout_excluded";
}
