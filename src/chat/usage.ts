/**
 * The tokens of an answer, as OpenAI's API tells them: numbers, some of them in groups.
 *
 * @module
 */
import { isRecord } from "../object/record.ts";

/** Token counts of several answers, added up; what is no number is that of the last one. */
export function addUsage(before: unknown, now: unknown): unknown {
  if (typeof before === "number" && typeof now === "number") return before + now;
  if (!isRecord(before) || !isRecord(now)) return now ?? before;
  return Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(now)])].map((
      key,
    ) => [key, addUsage(before[key], now[key])]),
  );
}
