/** Whether a request demands a form, such as JSON, so that the answer has no reasoning, and marks in it are values. @module */
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
