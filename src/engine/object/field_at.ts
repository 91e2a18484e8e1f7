/** Reads a field of JSON by its path. @module */
import { isRecord } from "./record.ts";

/** The value at a path such as `data.0.owned_by`; undefined if there is none. */
export function fieldAt(value: unknown, path: string): unknown {
  return path.split(".").reduce((inner: unknown, step) => {
    if (Array.isArray(inner)) return inner[Number(step)];
    return isRecord(inner) && Object.hasOwn(inner, step) ? inner[step] : undefined;
  }, value);
}
