/**
 * Whether a request forces a form on the text of its answer, from the first character on, such as JSON. Such an answer has no
 * room for reasoning, and what looks like a mark in it is a value.
 *
 * @module
 */
import { isRecord } from "../../engine/object/record.ts";

const FIELDS = [
  ...["response_format", "json_schema", "grammar", "structured_outputs"],
  ...["guided_json", "guided_regex", "guided_choice", "guided_grammar"],
];

export function demandsForm(request: Readonly<Record<string, unknown>>): boolean {
  return FIELDS.some((field) => {
    const form = request[field];
    return form != null && !(isRecord(form) && form.type === "text") && !concernsCalls(form);
  });
}

/** Whether a format concerns only what follows the mark of a call. */
export function concernsCalls(format: unknown): boolean {
  return isRecord(format) && format.type === "structural_tag";
}
