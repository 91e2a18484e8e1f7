/** Reads JSON that may be anything else. @module */
import { hasTooManyKeys } from "./keys.ts";
import { isNestedTooDeep } from "./nesting.ts";

/** The value of a JSON text; undefined if it isn't JSON, or is nested too deep or has too many keys to be read. */
export function parseJson(text: string): unknown {
  if (isNestedTooDeep(text) || hasTooManyKeys(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
