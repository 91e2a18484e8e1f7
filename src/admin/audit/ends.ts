/** How a call can end: a word and a color for each end, in one table, so that every place shows the same. @module */
import type { Reason } from "../../engine/event/reason.ts";
import type { DecisionLine } from "./line.ts";

/**
 * `made`: the client got the call. `would`: the mode held it back. `left`: its text was sent. `broken`: it was announced and
 * broke off. `lost`: it was cut off, and its text left the answer. `dropped`: one too many for the client, or sent before. A
 * `remark` isn't an end.
 */
export type End =
  | "made"
  | "would"
  | "left"
  | "near"
  | "refused"
  | "broken"
  | "lost"
  | "dropped"
  | "repaired"
  | "remark";

/** The colors of the page's style sheet. */
type EndColor = "good" | "plain" | "warn" | "bad" | "accent";

interface EndEntry {
  /** What one decision is called: `left as text`. */
  readonly word: string;
  /** What a column of counts is called: `Left as text`. */
  readonly title: string;
  readonly color: EndColor;
}

export const ENDS: Readonly<Record<End, EndEntry>> = {
  made: { word: "call", title: "Calls", color: "good" },
  would: { word: "not converted", title: "Not converted", color: "plain" },
  left: { word: "left as text", title: "Left as text", color: "warn" },
  near: { word: "near miss", title: "Near misses", color: "warn" },
  refused: { word: "refused", title: "Refused", color: "warn" },
  broken: { word: "broke off", title: "Broke off", color: "bad" },
  lost: { word: "lost", title: "Lost", color: "bad" },
  dropped: { word: "dropped", title: "Dropped", color: "plain" },
  repaired: { word: "repair", title: "Repairs", color: "accent" },
  remark: { word: "remark", title: "Remarks", color: "plain" },
};

/** The order in which ends are listed: the good one first, then the worst. */
export const END_ORDER = [
  "made",
  "would",
  "lost",
  "broken",
  "refused",
  "near",
  "left",
  "dropped",
  "repaired",
  "remark",
] as const satisfies readonly End[];

/** Decisions against a call that don't leave its text in the answer as it was. */
const UNLIKE_TEXT: Readonly<Partial<Record<Reason, End>>> = {
  near_miss: "near",
  plugin_refused: "refused",
  one_call_only: "dropped",
  repeated_call: "dropped",
};

export function endOf({ reason, outcome }: Pick<DecisionLine, "reason" | "outcome">): End {
  switch (outcome) {
    case "transformed":
      return "made";
    case "would_transform":
      return "would";
    case "abstained":
      return UNLIKE_TEXT[reason] ?? "left";
    case "failed":
      return "broken";
    case "lost":
      return "lost";
    case "repaired":
      return "repaired";
    case "noted":
      return "remark";
  }
}
