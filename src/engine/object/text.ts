/** Turns any value of a request, an answer or a file into text. @module */

/**
 * A text itself, and any other value as JSON; nothing for undefined. `String` fails on an object with a `toString` of its own.
 *
 * @example
 * ```ts
 * import { asText } from "./text.ts";
 * console.assert(asText("a") === "a" && asText({ toString: 1 }) === '{"toString":1}');
 * ```
 */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value) ?? "";
}
