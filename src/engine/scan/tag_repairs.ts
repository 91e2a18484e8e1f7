/** The repairs of a call's tags: after them, other text can be its values. @module */
import type { Reason } from "../event/reason.ts";

export const TAG_REPAIRS = [
  "value_closer_missing",
  "closer_missing",
  "closer_repeated",
  "closer_replaced",
  "wrapper_closer_missing",
  "text_before_closer",
] as const satisfies readonly Reason[];
