/**
 * What became of a candidate, in one word, by its reason code.
 *
 * @module
 */
import type { Reason } from "../event/reason.ts";

/**
 * `transformed`: the client got a call; `would_transform`: it would have got one, but the mode kept the original;
 * `abstained`: the text stayed text; `failed`: an announced call broke off; `repaired`: a call was mended;
 * `noted`: a remark about a call that changes nothing.
 */
export type Outcome = "transformed" | "would_transform" | "abstained" | "failed" | "repaired" | "noted";

/** Codes of repairs. */
const REPAIRS: ReadonlySet<string> = new Set<Reason>([
  "arguments_decoded",
  "json_repaired",
  "closer_missing",
  "id_missing",
  "id_repeated",
  "index_wrong",
  "type_missing",
  "name_repeated",
  "role_missing",
  "arguments_missing",
  "arguments_not_text",
  "surrogate_split",
  "calls_empty",
  "function_call_mended",
  "finish_reason_mended",
  "double_finish",
  "done_missing",
]);

/** Codes of remarks. */
const REMARKS: ReadonlySet<string> = new Set<Reason>([
  "value_kept_as_text",
  "unknown_parameter",
  "parameter_left_out",
  "value_trimmed",
  "repeated_parameter",
]);

/**
 * What a reason code says of its candidate. A code that is neither a success nor a repair nor a remark says why
 * the text stayed as it was.
 */
export function outcomeOf(reason: Reason): Outcome {
  switch (reason) {
    case "transformed":
    case "recovered":
      return "transformed";
    case "would_transform":
    case "rollout_excluded":
      return "would_transform";
  }
  return REPAIRS.has(reason) ? "repaired" : REMARKS.has(reason) ? "noted" : "abstained";
}

/** Whether a reason code decides about its candidate; repairs and remarks only accompany a decision. */
export function isDecision(reason: Reason): boolean {
  const outcome = outcomeOf(reason);
  return outcome !== "repaired" && outcome !== "noted";
}
