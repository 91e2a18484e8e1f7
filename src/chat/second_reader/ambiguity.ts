/** Which calls of a rule the second reader checks before the client gets them. @module */
import type { CheckedEnd } from "../../engine/event/event.ts";
import type { Reason } from "../../engine/event/reason.ts";
import type { ReadAgain } from "../../engine/scan/session.ts";
import { lacksLetter } from "../../engine/tool/akin_names.ts";
import { TAG_REPAIRS } from "../../engine/scan/tag_repairs.ts";
import { isAmbiguousValue } from "./ambiguous_value.ts";

/** What the matcher asks while it reads a call. */
export const READ_AGAIN: ReadAgain = { ambiguityOf, isAmbiguousValue, lacksLetter };

/** The repairs after which a call is checked. */
const CHECKED: ReadonlySet<Reason> = new Set<Reason>([...TAG_REPAIRS, "json_repaired", "replaced_parameter"]);

/** What is ambiguous about a call with these repairs; undefined if nothing is. */
function ambiguityOf(
  repairs: readonly Reason[],
  isAmbiguous: boolean,
): CheckedEnd["ambiguity"] | undefined {
  if (isAmbiguous) return "structure";
  // Then the value can be another one.
  if (repairs.includes("value_closer_missing")) return "repair";
  return repairs.some((reason) => CHECKED.has(reason)) ? "none" : undefined;
}
