/** Recognizes objects with named fields. @module */

/** Whether a value is an object with named fields; null and a list are not. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
