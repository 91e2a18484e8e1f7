/** What became of a candidate, in one word, by its reason code. @module */
import { type Reason, reasonEntry } from "../../engine/event/reason.ts";
import type { DecisionOutcome } from "../../engine/event/reason_entry.ts";

/**
 * `transformed`: the client got a call; `would_transform`: the mode kept the original; `abstained`: the text stayed
 * text; `failed`: an announced call broke off; `repaired`: a call was repaired; `noted`: a remark that changes
 * nothing, or a plugin's note.
 */
export type Outcome = DecisionOutcome | "failed" | "repaired" | "noted";

export function outcomeOf(reason: Reason): Outcome {
  const entry = reasonEntry(reason);
  switch (entry.kind) {
    case "decision":
      return entry.outcome;
    case "repair":
      return "repaired";
    case "remark":
    case "plugin":
      return "noted";
  }
}
