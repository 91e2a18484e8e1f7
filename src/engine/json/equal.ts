/** Compares two JSON values, regardless of the order of keys. @module */
import { parseJson } from "../object/parse.ts";
import { isRecord } from "../object/record.ts";

/** Whether two JSON values are equal: 5 equals 5.0; the order of keys doesn't matter, the order of list entries does. */
export function isJsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((entry, index) => isJsonEqual(entry, b[index]));
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isJsonEqual(a[key], b[key]));
}

/** The same text for every spelling of a JSON value; undefined if the text isn't JSON or is nested too deeply. */
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
