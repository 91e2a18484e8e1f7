/** JSON as chat templates write it. Numbers keep their spelling. @module */
import type { Speak } from "../../engine/rule/speak_schema.ts";

/**
 * A value as JSON.
 *
 * @param value the value; undefined is written as null
 * @param form the whitespace: `spaced` is a space after commas and colons, as Python's `json.dumps` writes it
 *
 * @example
 * ```ts
 * import { writeJson } from "./json_text.ts";
 * console.assert(writeJson({ a: [1, "x,y"] }, "spaced") === '{"a": [1, "x,y"]}');
 * ```
 */
export function writeJson(value: unknown, form: Speak["json"]): string {
  const json = JSON.stringify(value ?? null, null, form === "indented" ? 4 : 0);
  return form === "spaced" ? spaced(json) : json;
}

/** Adds a space after each comma and colon outside of strings. */
function spaced(json: string): string {
  let text = "";
  let from = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (isInString && character === "\\") at++;
    else if (character === '"') isInString = !isInString;
    else if (!isInString && (character === "," || character === ":")) {
      text += `${json.slice(from, at + 1)} `;
      from = at + 1;
    }
  }
  return text + json.slice(from);
}
