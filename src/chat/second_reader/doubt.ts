/** Which calls of a rule the second reader checks before the client gets them. @module */
import type { CheckedEnd } from "../../engine/event/event.ts";
import type { Reason } from "../../engine/event/reason.ts";

/** The repairs after which a call is checked. */
const CHECKED: ReadonlySet<Reason> = new Set<Reason>([
  "value_closer_missing",
  "closer_missing",
  "closer_repeated",
  "closer_replaced",
  "wrapper_closer_missing",
  "text_before_closer",
  "json_repaired",
  "replaced_parameter",
]);

/** What is doubtful about a call with these repairs; undefined if nothing is. */
export function doubtOf(
  repairs: readonly Reason[],
  holds?: "structure" | "end",
): CheckedEnd["doubt"] | undefined {
  if (holds === "end") return "structure";
  // Then the value can be another one.
  if (repairs.includes("value_closer_missing")) return "repair";
  return holds !== undefined || repairs.some((reason) => CHECKED.has(reason)) ? "none" : undefined;
}
