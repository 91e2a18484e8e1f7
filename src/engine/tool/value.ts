/**
 * Text → the value that the tool's schema asks for. The schema alone decides: where a string is allowed the text
 * stays exactly as it is, and nothing is ever guessed.
 *
 * | schema allows    | text                      | value                             |
 * | ---------------- | ------------------------- | --------------------------------- |
 * | string           | anything                  | exactly that text                 |
 * | string or null   | `null`                    | null                              |
 * | string or array  | a JSON list               | the list                          |
 * | string or others | anything else             | the text                          |
 * | integer, number  | `5`, `5.0`, ` 5 `, `1e3`  | 5, 5, 5, 1000                     |
 * | boolean          | true, False, 1, 0         | the boolean                       |
 * | object, array    | JSON, or nearly, or Python, or escaped once more | the value  |
 * | object           | an object whose strings have no quotes | the object            |
 * | anything         | what does not read so     | the text, and it is noted         |
 *
 * @module
 */
import { decodePython } from "../json/json_string.ts";
import { readWhole } from "../json/reader.ts";
import type { ValueType } from "./schema.ts";
import { parseJson } from "../object/parse.ts";
import { spaceEnd } from "../pattern/node.ts";

/** A value as JSON text. */
export interface ReadValue {
  /** JSON without whitespace. */
  readonly json: string;
  /** Whether the schema asked for something that the text does not read as. */
  readonly isKeptAsText: boolean;
  /** Whether it was nearly JSON and was repaired. */
  readonly isRepaired: boolean;
}

/**
 * Reads a text as the schema's types ask.
 *
 * @param types the types that the schema allows; none: it does not say, and the text stays text
 * @param items the types of a list's elements
 *
 * @example
 * ```ts
 * import { readValue } from "./value.ts";
 * console.assert(readValue(" 5.0 ", new Set(["integer"])).json === "5");
 * console.assert(readValue("5", new Set(["string"])).json === '"5"');
 * ```
 */
export function readValue(
  text: string,
  types: ReadonlySet<ValueType>,
  items: ReadonlySet<ValueType> = new Set(),
): ReadValue {
  const trimmed = text.trim();
  if (types.has("null") && trimmed === "null") return plain("null");
  if (types.has("string") && types.has("array") && isJsonList(trimmed)) {
    const list = readStructure(trimmed, types);
    if (list) return list;
  }
  if (types.size === 0 || types.has("string")) return plain(JSON.stringify(text));
  // `1` is a number where numbers are allowed, else a boolean.
  const scalar = (types.has("number") || types.has("integer") ? readNumber(trimmed, types) : undefined) ??
    (types.has("boolean") ? readBoolean(trimmed) : undefined);
  if (scalar !== undefined) return plain(scalar);
  if (types.has("object") || types.has("array")) {
    const structure = readStructure(trimmed, types) ?? readEscaped(trimmed, types) ??
      (types.has("array") ? readElements(trimmed, items) : undefined);
    if (structure) return structure;
  }
  return { json: JSON.stringify(text), isKeptAsText: true, isRepaired: false };
}

/** Whether a scalar's text is its only notation, so that a string of it loses nothing. */
export function isExact(json: string): boolean {
  return json === "true" || json === "false" || (json !== "null" && String(Number(json)) === json);
}

/** Whether the types allow only text, or nothing. */
export function wantsText(types: ReadonlySet<ValueType>): boolean {
  return types.has("string") && [...types].every((type) => type === "string" || type === "null");
}

function plain(json: string): ReadValue {
  return { json, isKeptAsText: false, isRepaired: false };
}

/** Whether a text is a JSON list to the letter: where any text is allowed, nothing is repaired into one. */
function isJsonList(text: string): boolean {
  return text.startsWith("[") && text.endsWith("]") && Array.isArray(parseJson(text));
}

function readBoolean(text: string): string | undefined {
  const word = text.toLowerCase();
  if (word === "true" || word === "1") return "true";
  return word === "false" || word === "0" ? "false" : undefined;
}

/** Decimal numbers only; JSON's own form of them goes out. */
function readNumber(text: string, types: ReadonlySet<ValueType>): string | undefined {
  let sawDigit = false;
  for (const character of text) {
    if (character >= "0" && character <= "9") sawDigit = true;
    else if (!"+-.eE".includes(character)) return undefined;
  }
  const value = sawDigit ? Number(text) : NaN;
  if (!Number.isFinite(value)) return undefined;
  // An integer too large for a double keeps its digits.
  if (!Number.isSafeInteger(value) && Number.isInteger(value) && isInteger(text)) return text;
  return types.has("number") || Number.isInteger(value) ? JSON.stringify(value) : undefined;
}

function isInteger(text: string): boolean {
  const digits = text.startsWith("-") ? text.slice(1) : text;
  if (digits.startsWith("0")) return false;
  for (const character of digits) if (character < "0" || character > "9") return false;
  return digits.length > 0;
}

/** JSON that was escaped once more, as if it were in a string: `[{\\"a\\": 1}]`. */
function readEscaped(text: string, types: ReadonlySet<ValueType>): ReadValue | undefined {
  const isQuoted = text.startsWith('"') && text.endsWith('"');
  const inside = isQuoted ? text.slice(1, -1) : text;
  if (!inside.includes('\\"')) return undefined;
  const { decoded, end } = decodePython(inside);
  const structure = end < inside.length ? undefined : readStructure(decoded, types);
  return structure && { ...structure, isRepaired: true };
}

/** A list as elements of one name: `<item>red</item><item>blue</item>`. */
function readElements(text: string, items: ReadonlySet<ValueType>): ReadValue | undefined {
  const opener = text.slice(0, text.indexOf(">") + 1);
  const name = opener.slice(1, -1);
  if (
    !opener.startsWith("<") || name === "" || name.startsWith("/") || name.includes("<") || name.includes(" ")
  ) {
    return undefined;
  }
  const closer = `</${name}>`;
  const found: string[] = [];
  for (let at = 0; at < text.length;) {
    if (!text.startsWith(opener, at)) return undefined;
    const end = text.indexOf(closer, at);
    const element = text.slice(at + opener.length, end);
    if (end < 0 || element.includes(opener)) return undefined;
    const { json, isKeptAsText } = readValue(element.trim(), items);
    if (isKeptAsText) return undefined;
    found.push(json);
    at = spaceEnd(text, end + closer.length);
  }
  return plain(`[${found.join()}]`);
}

/** `{status: open, limit: 5}`: strings without quotes, because their mark is a sign that no text has. */
const UNQUOTED = { isPython: true, stringMark: "\uE000" };

function readStructure(text: string, types: ReadonlySet<ValueType>): ReadValue | undefined {
  if (!(text.startsWith("{") && types.has("object")) && !(text.startsWith("[") && types.has("array"))) {
    return undefined;
  }
  const isBare = text.startsWith("{") && !text.includes('"') && !text.includes("'");
  const whole = readWhole(text) ?? (isBare ? readWhole(text, UNQUOTED) : undefined);
  return whole && { ...whole, isKeptAsText: false };
}
