/** Limits a pattern's size, far above what dialects need: three nested repeats expand to a hundred million items. @module */
import type { Node } from "./node.ts";

/** The longest text of a pattern, in characters. */
export const LENGTH_MAXIMUM = 4096;

export const NESTING_MAXIMUM = 50;

/** The highest number of steps in a pattern whose repeats are expanded. */
export const STEPS_MAXIMUM = 20_000;

/** The offset of the first group that is nested too deeply, or -1. */
export function deepestGroup(pattern: string): number {
  if (pattern.split("(", NESTING_MAXIMUM + 2).length <= NESTING_MAXIMUM + 1) return -1;
  const { groups } = openBrackets(pattern, NESTING_MAXIMUM);
  return groups[NESTING_MAXIMUM] ?? -1;
}

/** The offsets of open groups, outermost first, and of a class at a pattern's end, down to a group at `nestingMax`. */
export function openBrackets(
  pattern: string,
  nestingMax = Infinity,
): { readonly groups: readonly number[]; readonly inClass: number | undefined } {
  const groups: number[] = [];
  let inClass: number | undefined;
  for (let at = 0; at < pattern.length && groups.length <= nestingMax; at++) {
    const character = pattern[at];
    if (character === "\\") at++;
    else if (character === "]") inClass = undefined;
    else if (inClass !== undefined) continue;
    else if (character === "[") inClass = at;
    else if (character === "(") groups.push(at);
    else if (character === ")") groups.pop();
  }
  return { groups, inClass };
}

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
