/** The part of a rule that its dialect is spoken with. @module */
import type { Escapes } from "../scan/compiled_rule.ts";
import type { Rule } from "./schema.ts";
import type { Speak } from "./speak_schema.ts";

/** How a dialect writes values, and how it is spoken. */
export interface Notation {
  readonly body: string;
  readonly json: { readonly string_mark?: string | undefined };
  readonly envelope: { readonly string_mark?: string | undefined };
  readonly tagged: { readonly escapes: Escapes };
  readonly name_escapes: Escapes;
  readonly speak: Speak;
}

/** A dialect that can be spoken, with the name of its rule. */
export interface Speech extends Notation {
  readonly rule: string;
}

/** What a rule's dialect is spoken with, and nothing else of the rule; undefined if it can't be spoken. */
export function speechOf(
  { rule, body, json, envelope, tagged, name_escapes, speak }: Rule,
): Speech | undefined {
  if (speak === undefined) return undefined;
  const mark = ({ string_mark }: { string_mark?: string | undefined }) =>
    string_mark === undefined ? {} : { string_mark };
  return {
    rule,
    body,
    json: mark(json),
    envelope: mark(envelope),
    tagged: { escapes: tagged.escapes },
    name_escapes,
    speak,
  };
}
