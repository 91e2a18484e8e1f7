/**
 * The time of day at the start of a log line.
 *
 * @module
 */

/** `09:05:07`, local time. */
export function clockTime(date: Date): string {
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, "0"))
    .join(":");
}
