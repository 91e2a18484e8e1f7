/** The shape of an entry in the table of reason codes. @module */

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
    /** What the request's line in the log and on the page shows of it; absent: nothing. */
    readonly word?: string;
    /** What the code means. */
    readonly meaning: string;
  };
