/**
 * Writes a JSON value so that equal values give the same text, regardless of the order of keys (see `isJsonEqual`).
 *
 * @module
 */
import { isRecord } from "../object/record.ts";
import { parseJson } from "../object/parse.ts";

/**
 * The same text for every spelling of a JSON value; undefined if the text isn't JSON or is nested too deep.
 *
 * @example
 * ```ts
 * import { canonicalJson } from "./canonical.ts";
 * console.assert(canonicalJson('{"b": 1.0, "a": 2}') === canonicalJson('{"a":2,"b":1}'));
 * ```
 */
export function canonicalJson(text: string): string | undefined {
  try {
    return JSON.stringify(parseJson(text), (_, value) => isRecord(value) ? sorted(value) : value);
  } catch {
    return undefined;
  }
}

function sorted(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => one < other ? -1 : 1));
}
