/**
 * Recognizes the parts of JSON, or nearly valid JSON, that have no quotes: numbers, literals and bare keys.
 *
 * @module
 */
import { parseJson } from "../object/parse.ts";

/** Whether a text is a number, `true`, `false` or `null` in JSON notation. */
export function isScalar(json: string): boolean {
  if (json === "true" || json === "false" || json === "null") return true;
  const first = json.charCodeAt(0);
  if (first !== 0x2d && (first < 0x30 || first > 0x39)) return false;
  return typeof parseJson(json) === "number";
}

/** Whether a code unit can be part of a bare key: ASCII letters, digits, `_` and `$`. */
export function isWord(unit: number): boolean {
  return unit === 0x5f || unit === 0x24 || (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a) ||
    (unit >= 0x61 && unit <= 0x7a);
}

/** Whether a code unit can be part of a number, a literal or a bare key. */
export function isBare(unit: number): boolean {
  return isWord(unit) || unit === 0x2b || unit === 0x2d || unit === 0x2e;
}

/** Whether a text has only hexadecimal digits. An empty text qualifies. */
export function isHex(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at) | 0x20;
    if (!((unit >= 0x30 && unit <= 0x39) || (unit >= 0x61 && unit <= 0x66))) return false;
  }
  return true;
}
