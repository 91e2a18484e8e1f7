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
export function doubtOfRepairs(repairs: readonly Reason[]): CheckedEnd["doubt"] | undefined {
  // Then the value can be another one.
  if (repairs.includes("value_closer_missing")) return "repair";
  return repairs.some((reason) => CHECKED.has(reason)) ? "none" : undefined;
}

/** The same for a client that gets no call before its end. A call that flows to its client can't be taken back. */
export function doubtOf(repairs: readonly Reason[], isDoubtful: boolean): CheckedEnd["doubt"] | undefined {
  return isDoubtful ? "structure" : doubtOfRepairs(repairs);
}
