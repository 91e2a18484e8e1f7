/**
 * Converts a bare word, a name or number of Python or JSON, to its JSON value.
 *
 * @module
 */
import { isHex, isScalar } from "./scalar.ts";

const NAMES: Readonly<Record<string, string>> = {
  True: "true",
  False: "false",
  None: "null",
  true: "true",
  false: "false",
  null: "null",
};

/**
 * The JSON of a bare word, or undefined if it is neither a name nor a number.
 *
 * @example
 * ```ts
 * import { readPythonScalar } from "./python_scalar.ts";
 * console.assert(readPythonScalar("1_000") === "1000" && readPythonScalar("None") === "null");
 * ```
 */
export function readPythonScalar(word: string): string | undefined {
  if (Object.hasOwn(NAMES, word)) return NAMES[word];
  const isNegative = word.startsWith("-");
  const digits = (isNegative || word.startsWith("+") ? word.slice(1) : word).replaceAll("_", "");
  const hexadecimal = digits.startsWith("0x") || digits.startsWith("0X") ? digits.slice(2) : "";
  const json = hexadecimal !== "" && isHex(hexadecimal) ? String(BigInt(digits)) : decimal(digits);
  const signed = isNegative ? `-${json}` : json;
  return isScalar(signed) ? signed : undefined;
}

/** Adds the digit that JSON requires on each side of the point: `.5` → `0.5`, `5.` → `5.0`. */
function decimal(digits: string): string {
  const whole = digits.startsWith(".") ? `0${digits}` : digits;
  const point = whole.indexOf(".");
  const next = whole[point + 1] ?? "";
  if (point < 0 || (next >= "0" && next <= "9")) return whole;
  return `${whole.slice(0, point + 1)}0${whole.slice(point + 1)}`;
}
