/**
 * Recognizes a string that is a path with a drive whose backslashes the model didn't escape:
 *
 *     "C:\dir\new"
 *        ^^ not an escape of JSON, so `\n` isn't one either
 *
 * @module
 */
import { readEscape } from "./escape.ts";
import { isBare } from "./scalar.ts";

/** The longest path that programs for Windows take. */
const PATH_MAXIMUM = 260;

const BACKSLASH = 0x5c;

/** Whether the beginning of a string is a drive. */
export function isDrive(head: string): boolean {
  const letter = head.charCodeAt(0) | 0x20;
  return head.length === 2 && head[1] === ":" && letter >= 0x61 && letter <= 0x7a;
}

/**
 * Finds the end of such a path.
 *
 * @param options `at`: the backslash after the drive; `quote`: the mark that closes the string
 * @returns the position of the closing mark; -1 if the string is something else, undefined if more text decides
 */
export function unescapedPathEnd(
  text: string,
  { at, quote }: { readonly at: number; readonly quote: number },
): number | undefined {
  let isUnescaped = false;
  for (let end = at + 1; end < text.length; end++) {
    const unit = text.charCodeAt(end);
    const isAfterSeparator = text.charCodeAt(end - 1) === BACKSLASH;
    if (isAfterSeparator && readEscape(text, end - 1)?.isRepaired === true) isUnescaped = true;
    if (unit === quote && !isAfterSeparator) return isUnescaped ? end : -1;
    const isPart = unit === BACKSLASH ? !isAfterSeparator : isBare(unit);
    if (!isPart || end - at > PATH_MAXIMUM) return -1;
  }
  return undefined;
}
