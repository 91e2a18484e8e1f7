/** Decides whether an answer is converted or only observed: for one conversation always in the same way. @module */
import type { Reason } from "../../engine/event/reason.ts";

/**
 * `live`: the answer is converted; `dry_run`: the client gets the original bytes, and decisions are only logged;
 * `excluded`: the same, because the conversation is on the other side of the canary.
 */
export type Mode = "live" | "dry_run" | "excluded";

interface ModeInput {
  readonly policy: { readonly dry_run: boolean; readonly rollout_percent: number };
  readonly upstream: { readonly dry_run: boolean };
  readonly conversation: string;
}

/** The mode of an answer. A conversation that is live at some percentage is live at every higher one. */
export function chooseMode({ policy, upstream, conversation }: ModeInput): Mode {
  if (policy.dry_run || upstream.dry_run) return "dry_run";
  return bucketOf(conversation) < policy.rollout_percent ? "live" : "excluded";
}

/** The position of a conversation between 0 and 100 (never 100 itself), evenly spread. */
export function bucketOf(conversation: string): number {
  return Number.parseInt(conversation.slice(0, 8), 16) / 2 ** 32 * 100;
}

/** The reason code in a mode: a call that the client did not get is not transformed. */
export function reasonInMode(reason: Reason, mode: Mode): Reason {
  if (mode === "live" || (reason !== "transformed" && reason !== "recovered")) return reason;
  return mode === "dry_run" ? "would_transform" : "rollout_excluded";
}
