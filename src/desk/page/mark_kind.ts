/**
 * How decisions, repairs and remarks look: one kind for each color.
 *
 * @module
 */
import type { Outcome } from "../audit/outcome.ts";
import type { Reason } from "../../engine/event/reason.ts";

/** The kinds. */
export type MarkKind = "call" | "refused" | "near" | "broken" | "repair" | "remark";

/** What a person reads. */
export const KIND_TITLES: Readonly<Record<MarkKind, string>> = {
  call: "call",
  refused: "left as text",
  near: "near miss",
  broken: "broke off",
  repair: "repair",
  remark: "remark",
};

/** The kind of a reason code. */
export function kindOf(reason: Reason, outcome: Outcome): MarkKind {
  if (reason === "near_miss") return "near";
  switch (outcome) {
    case "transformed":
    case "would_transform":
      return "call";
    case "abstained":
      return "refused";
    case "failed":
      return "broken";
    case "repaired":
      return "repair";
    case "noted":
      return "remark";
  }
}
