/** The closed list of reason codes, from which audit log, metrics, `trace` and `explain` derive. @module */
import type { ReasonEntry } from "./reason_entry.ts";
import { REASONS } from "./reasons.ts";

/** A reason code. */
export type Reason = keyof typeof REASONS;

/** The entry of a reason code. */
export function reasonEntry(reason: Reason): ReasonEntry {
  return REASONS[reason];
}

/** Whether a reason code names a repair of the model's text. */
export function isRepair(reason: Reason): boolean {
  return REASONS[reason].kind === "repair";
}

/** Whether a reason code decides about a candidate; other codes only accompany a decision. */
export function isDecision(reason: Reason): boolean {
  return REASONS[reason].kind === "decision";
}

/** Whether a decision is about a call that the model meant: one that was made, or one that failed. */
export function isAttempt(reason: Reason): boolean {
  const entry = reasonEntry(reason);
  return entry.kind === "decision" && (entry.outcome !== "abstained" || entry.isAttempt === true);
}
