/** Closes the string and braces of arguments that broke off, for a report. A client never gets the result. @module */
import { parseJson } from "../../engine/object/parse.ts";

/**
 * The value of a JSON text that may break off anywhere; undefined if no part of it is readable. A key without a value and
 * an incomplete literal are dropped.
 *
 * @example
 * ```ts
 * import { readBrokenJson } from "./close_json.ts";
 * console.assert(JSON.stringify(readBrokenJson('{"a":"x')) === '{"a":"x"}');
 * console.assert(JSON.stringify(readBrokenJson('{"a":"x","b":')) === '{"a":"x"}');
 * ```
 */
export function readBrokenJson(json: string): unknown {
  const { closers, isInString, lastWhole } = scan(json);
  const open = isInString ? `${withoutPartialEscape(json)}"` : json;
  for (const candidate of [open + closers, lastWhole]) {
    const value = parseJson(candidate);
    if (value !== undefined) return value;
  }
  return undefined;
}

interface JsonScan {
  readonly closers: string;
  readonly isInString: boolean;
  /** The text up to the last position at which a value was complete, closed. */
  readonly lastWhole: string;
}

function scan(json: string): JsonScan {
  let closers = "";
  let isInString = false;
  let lastWhole = "";
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (isInString) {
      if (character === "\\") at++;
      else if (character === '"') isInString = false;
      continue;
    }
    if (character === '"') isInString = true;
    if (character === ",") lastWhole = json.slice(0, at) + closers;
    if (character === "{" || character === "[") {
      closers = (character === "{" ? "}" : "]") + closers;
      lastWhole = json.slice(0, at + 1) + closers;
    }
    if (character === "}" || character === "]") closers = closers.slice(1);
  }
  return { closers, isInString, lastWhole };
}

/** Removes an escape that is cut off: `\`, `\u12`, or the first half of a surrogate pair. */
function withoutPartialEscape(json: string): string {
  const backslash = json.lastIndexOf("\\");
  const tail = json.slice(backslash);
  let before = 0;
  while (backslash - before > 0 && json[backslash - before - 1] === "\\") before++;
  const isEscape = backslash >= 0 && before % 2 === 0;
  return isEscape && (tail === "\\" || (tail.startsWith("\\u") && tail.length < 6))
    ? json.slice(0, backslash)
    : json;
}
