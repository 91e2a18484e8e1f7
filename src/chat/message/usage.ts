/** The token counts of an answer in the form of OpenAI's API: numbers, some of them in groups. @module */
import { isRecord } from "../../engine/object/record.ts";

/** Whether an upstream states a count: less than nothing, parts and infinities would spoil every sum. */
export function isTokenCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Adds token counts; a value that isn't a number is the last one. */
export function addUsage(before: unknown, now: unknown): unknown {
  if (typeof before === "number" && typeof now === "number") return before + now;
  if (!isRecord(before) || !isRecord(now)) return now ?? before;
  return Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(now)])].map((
      key,
    ) => [key, addUsage(before[key], now[key])]),
  );
}
