/** How decisions, repairs and remarks look: one kind for each color. @module */
import type { Outcome } from "../audit/outcome.ts";
import type { Reason } from "../../engine/event/reason.ts";

export type MarkKind = "call" | "would" | "text" | "near" | "broken" | "repair" | "remark";

export const KIND_TITLES: Readonly<Record<MarkKind, string>> = {
  call: "call",
  would: "call, not converted",
  text: "left as text",
  near: "near miss",
  broken: "broke off",
  repair: "repair",
  remark: "remark",
};

export function kindOf(reason: Reason, outcome: Outcome): MarkKind {
  if (reason === "near_miss") return "near";
  switch (outcome) {
    case "transformed":
      return "call";
    case "would_transform":
      return "would";
    case "abstained":
      return "text";
    case "failed":
      return "broken";
    case "repaired":
      return "repair";
    case "noted":
      return "remark";
  }
}
