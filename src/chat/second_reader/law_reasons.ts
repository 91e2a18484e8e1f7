/** The codes that the laws of evidence are noted with. @module */
import type { Law } from "../../engine/evidence/law.ts";
import type { Reason } from "../../engine/event/reason.ts";

/** What a refusal by a law is noted as; where nothing speaks for a call, it isn't noted. */
export const REASON_OF: Readonly<Partial<Record<Law, Reason>>> = {
  value: "value_refused",
  two_readings: "two_readings",
  damage: "too_damaged",
  shown: "quoted",
  sentence: "call_in_sentence",
  text_follows: "text_follows",
  mark_left: "mark_left",
  cut_off: "truncated",
  part: "calls_in_part",
};
