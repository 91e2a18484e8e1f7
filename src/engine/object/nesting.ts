/**
 * The limit for nesting in JSON. Many functions follow a value into its parts and call themselves for each level, also
 * those of JavaScript itself, so a value is measured before it is read, without a call for each level.
 *
 * @module
 */

import { isEscaped } from "../pattern/characters.ts";

/** The most nested objects and lists. A tool's schema has about ten, and V8 runs out of stack above 2,000. */
export const NESTING_MAXIMUM = 256;

const QUOTE = 0x22;
const COMMA = 0x2c;

/** How many steps of a path name a place; what is deeper isn't shown. */
const STEPS_SHOWN = 8;

/** Whether a JSON text nests more objects and lists than are read. */
export function isNestedTooDeep(text: string): boolean {
  // Every level has two brackets.
  if (text.length <= 2 * NESTING_MAXIMUM) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = stringEnd(text, at);
    else if (isOpener(unit)) {
      if (++depth > NESTING_MAXIMUM) return true;
    } else if (isCloser(unit)) depth--;
  }
  return false;
}

/** The path to the place from which on a text that is nested too deep is nested: `messages[0].content[0].input…`. */
export function deepPlace(text: string): string {
  const steps: { key: string | number }[] = [];
  for (let at = 0; at < text.length && steps.length <= NESTING_MAXIMUM; at++) {
    const unit = text.charCodeAt(at);
    const step = steps.at(-1);
    if (isOpener(unit)) steps.push({ key: unit === 0x5b ? 0 : "" });
    else if (isCloser(unit)) steps.pop();
    else if (unit === COMMA && typeof step?.key === "number") step.key++;
    else if (unit === QUOTE) {
      const end = stringEnd(text, at);
      const isKey = typeof step?.key === "string" && /^\s*:/.test(text.slice(end + 1, end + 20));
      if (isKey) step.key = text.slice(at + 1, end);
      at = end;
    }
  }
  return `${pathOf(steps.slice(0, STEPS_SHOWN).map(({ key }) => key))}…`;
}

/** A path as clients' authors write it. */
export function pathOf(steps: readonly (string | number)[]): string {
  return steps.map((step, index) =>
    typeof step === "number" ? `[${step}]` : `${index === 0 ? "" : "."}${step.slice(0, 64)}`
  ).join("");
}

function isOpener(unit: number): boolean {
  return unit === 0x7b || unit === 0x5b;
}

function isCloser(unit: number): boolean {
  return unit === 0x7d || unit === 0x5d;
}

/** The quote that ends the string that begins at a quote; the length of the text if none does. */
export function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    if (!isEscaped(text, end)) return end;
  }
  return text.length;
}
