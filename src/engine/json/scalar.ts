/** Recognizes the parts of JSON, or nearly valid JSON, that have no quotes: numbers, literals and bare keys. @module */
import { own } from "../object/own.ts";
import { parseJson } from "../object/parse.ts";
import { isDigit, isLetter } from "../pattern/characters.ts";

/** Python's names for JSON's values. */
const PYTHON: Readonly<Record<string, string>> = { True: "true", False: "false", None: "null" };

/** Whether a text is a number, `true`, `false` or `null` in JSON notation. */
function isScalar(json: string): boolean {
  return json === "true" || json === "false" || json === "null" || isNumber(json);
}

function isNumber(json: string): boolean {
  const first = json.charCodeAt(0);
  if (first !== 0x2d && !isDigit(first)) return false;
  return typeof parseJson(json) === "number";
}

/** The JSON of a bare word, or undefined if it is neither a number of JSON nor a name of JSON or Python. */
export function readScalar(word: string): string | undefined {
  const json = own(PYTHON, word) ?? word;
  return isScalar(json) ? json : undefined;
}

/** The JSON of a bare word, or undefined if it is neither a name nor a number of JSON or Python. */
export function readPythonScalar(word: string): string | undefined {
  const scalar = readScalar(word);
  if (scalar !== undefined) return scalar;
  const isNegative = word.startsWith("-");
  const digits = (isNegative || word.startsWith("+") ? word.slice(1) : word).replaceAll("_", "");
  const hexadecimal = digits.startsWith("0x") || digits.startsWith("0X") ? digits.slice(2) : "";
  const json = hexadecimal !== "" && isHex(hexadecimal) ? String(BigInt(digits)) : decimal(digits);
  const signed = isNegative ? `-${json}` : json;
  return isNumber(signed) ? signed : undefined;
}

/** Adds the digit that JSON requires on each side of the point: `.5` → `0.5`, `5.` → `5.0`. */
function decimal(digits: string): string {
  const whole = digits.startsWith(".") ? `0${digits}` : digits;
  const point = whole.indexOf(".");
  if (point < 0 || isDigit(whole.charCodeAt(point + 1))) return whole;
  return `${whole.slice(0, point + 1)}0${whole.slice(point + 1)}`;
}

/** Whether a code unit can be part of a bare key: ASCII letters, digits, `_` and `$`. */
export function isWord(unit: number): boolean {
  return unit === 0x5f || unit === 0x24 || isDigit(unit) || isLetter(unit);
}

/** Whether a code unit can be part of a bare key of a dialect: besides those of a number, `@` and letters beyond ASCII. */
export function isKey(unit: number): boolean {
  return isBare(unit) || unit === 0x40 || (unit >= 0xc0 && unit <= 0x1fff) ||
    (unit >= 0x3040 && unit <= 0xd7ff);
}

/** Whether a code unit can be part of a number or a literal. */
export function isBare(unit: number): boolean {
  return isWord(unit) || unit === 0x2b || unit === 0x2d || unit === 0x2e;
}

/** Whether a text has only hexadecimal digits. An empty text qualifies. */
export function isHex(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (!isHexDigit(text.charCodeAt(at))) return false;
  return true;
}

export function isHexDigit(unit: number): boolean {
  return isDigit(unit) || (isLetter(unit) && (unit | 0x20) <= 0x66);
}
