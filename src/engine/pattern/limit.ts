/**
 * Limits the size of a pattern. The limits are far above what a dialect needs and low enough to load quickly: three
 * nested repeats can expand to a hundred million items.
 *
 * @module
 */
import type { Node } from "./node.ts";

/** The longest text of a pattern, in characters. */
export const LENGTH_MAXIMUM = 4096;

/** The deepest nesting of groups. */
export const NESTING_MAXIMUM = 50;

/** The highest number of steps in a pattern whose repeats are expanded. */
export const STEPS_MAXIMUM = 20_000;

/** The offset of the first group that is nested too deeply, or -1. Escapes and classes contain no groups. */
export function deepestGroup(pattern: string): number {
  let depth = 0;
  let isInClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === "\\") at++;
    else if (character === "[") isInClass = true;
    else if (character === "]") isInClass = false;
    else if (isInClass) continue;
    else if (character === "(" && ++depth > NESTING_MAXIMUM) return at;
    else if (character === ")") depth--;
  }
  return -1;
}

/** The number of steps in a pattern. */
export function stepsOf(node: Node): number {
  switch (node.type) {
    case "sequence":
    case "choice":
      return node.items.reduce((sum, item) => sum + stepsOf(item) + 1, 0);
    case "repeat":
      return (node.maximum === Infinity ? node.minimum + 1 : node.maximum) * (stepsOf(node.item) + 1);
    case "group":
      return stepsOf(node.item) + 2;
    default:
      return 1;
  }
}
