/** What became of a candidate, in one word, by its reason code. @module */
import { type Reason, reasonEntry } from "../../engine/event/reason.ts";
import type { DecisionOutcome } from "../../engine/event/reason_entry.ts";

/**
 * `transformed`: the client got a call; `would_transform`: the mode kept the original; `abstained`: the text stayed
 * text; `failed`: an announced call broke off; `lost`: the answer's end cut the call off, and its text left the answer;
 * `repaired`: a call was repaired; `noted`: a remark that changes nothing, or a plugin's note.
 */
export type Outcome = DecisionOutcome | "failed" | "lost" | "repaired" | "noted";

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
