/**
 * How large a pattern may be. Each limit is far beyond what a dialect needs, and under what would make loading slow:
 * a repeat of a repeat of a repeat writes its item out a hundred million times.
 *
 * @module
 */
import type { Node } from "./node.ts";

/** The longest text of a pattern, in characters. */
export const LENGTH_MAXIMUM = 4096;

/** How many groups may stand inside one another. */
export const NESTING_MAXIMUM = 50;

/** How many steps a pattern may have once its repeats are written out. */
export const STEPS_MAXIMUM = 20_000;

/** The place of the first group that is nested too deep, or -1. Escapes and classes hold no groups. */
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

/** The number of steps of a pattern. */
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
