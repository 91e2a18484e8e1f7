/** What one line of the audit log counts as. Metrics and reports count by these answers, so their figures agree. @module */
import type { DecisionLine, RequestLine } from "./line.ts";
import { isAttempt, isDecision } from "../../engine/event/reason.ts";

interface Classification {
  /** A text that a rule took for a call. A near miss isn't one, nor is a plugin's refusal of a call that was read. */
  readonly isCandidate: boolean;
  /** A candidate that the model meant as a call. */
  readonly isAttempt: boolean;
  /** An attempt that became a call, or would have. */
  readonly isMade: boolean;
  /** A call that the model printed as text: an attempt, a near miss, or a call that a plugin refused. */
  readonly isPrinted: boolean;
  /** A call that the agent got as text. */
  readonly isReached: boolean;
}

/** Rules of calls that don't come from the model's text: the upstream's own, and those of plugins. */
const OTHER_RULES: readonly string[] = ["native", "plugin"];

type Judged = Pick<DecisionLine, "rule" | "reason" | "outcome">;

export function isFromText({ rule }: Pick<DecisionLine, "rule">): boolean {
  return !OTHER_RULES.includes(rule);
}

export function isMeantAsCall({ reason, outcome }: Pick<DecisionLine, "reason" | "outcome">): boolean {
  return outcome === "failed" || outcome === "lost" || isAttempt(reason);
}

/** What a decision counts as. One that repeats another one counts as nothing. */
export function standingOf(line: Judged & Pick<DecisionLine, "repeats">): Classification {
  const { reason, outcome, repeats = false } = line;
  const isText = isDecision(reason) && isFromText(line) && !repeats;
  const isNearMiss = reason === "near_miss";
  const isRefusal = reason === "plugin_refused";
  const isCandidate = isText && !isNearMiss && !isRefusal;
  const isMeant = isCandidate && isMeantAsCall(line);
  const isPrinted = isText && (isMeant || isNearMiss || isRefusal);
  return {
    isCandidate,
    isAttempt: isMeant,
    isMade: isMeant && (outcome === "transformed" || outcome === "would_transform"),
    isPrinted,
    isReached: isPrinted && !["transformed", "failed", "lost"].includes(outcome),
  };
}

/** Whether a request ended with an error. A client that left early isn't one. */
export function isErrorLine({ status, error }: Pick<RequestLine, "status" | "error">): boolean {
  return status >= 400 || (error !== null && error !== "client_left");
}

/** Whether a request offered tools to a known client's model and got an answer: only such an answer can leak. */
export function isAnswerLine(line: Pick<RequestLine, "status" | "error" | "tools" | "client">): boolean {
  return !isErrorLine(line) && line.tools > 0 && line.client !== null;
}
