/**
 * The closed list of reason codes. Every candidate ends with exactly one decision; repairs, remarks and notes of
 * plugins accompany it. The audit log, the metrics, `trace` and `explain` all derive from this table.
 *
 * @module
 */
import { REASONS } from "./reasons.ts";

/** What a decision made of its candidate: a call, a call that the client did not get, or text. */
export type DecisionOutcome = "transformed" | "would_transform" | "abstained";

/** The meaning of a reason code. */
export type ReasonEntry =
  | {
    /** The code decides about a candidate. */
    readonly kind: "decision";
    /** What became of the candidate. */
    readonly outcome: DecisionOutcome;
    /** Whether a candidate that was left as text was a call that the model meant, not an example or a repetition. */
    readonly isAttempt?: true;
    /** What the code means. */
    readonly meaning: string;
  }
  | {
    /** The code accompanies a decision: a repair, a remark, or a note of a plugin. */
    readonly kind: "repair" | "remark" | "plugin";
    /** What the code means. */
    readonly meaning: string;
  };

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
