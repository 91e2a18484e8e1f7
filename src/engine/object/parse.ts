/**
 * Reads JSON that may be anything else.
 *
 * @module
 */

/**
 * The value of a JSON text; undefined if it isn't JSON.
 *
 * @example
 * ```ts
 * import { parseJson } from "./parse.ts";
 * console.assert(parseJson("[1]") instanceof Array && parseJson("[1") === undefined);
 * ```
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
