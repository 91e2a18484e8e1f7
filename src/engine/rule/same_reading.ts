/** Which rules read alike: those that differ only in their names, cases and other fields that reading doesn't use. @module */
import type { Rule } from "./schema.ts";

/** The fields that don't change what a rule alone reads. */
const UNREAD: ReadonlySet<string> = new Set<keyof Rule>([
  "rule",
  "description",
  "source",
  "dialects",
  "enabled",
  "confidence",
  "speak",
  "examples",
  "untouched",
]);

const keys = new WeakMap<Rule, string>();

/** A key that rules share if each of them alone reads the same calls. */
export function readingKey(rule: Rule): string {
  let key = keys.get(rule);
  if (key === undefined) {
    const read = Object.entries(rule).filter(([field]) => !UNREAD.has(field));
    keys.set(rule, key = JSON.stringify(read));
  }
  return key;
}
