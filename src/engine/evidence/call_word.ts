/**
 * The words of calls, in marks and next to them.
 *
 *     tool_call   mcpToolCall   functoin   ool_call      words of a call
 *     interaction   rename   because                     only have a part of one
 *
 * @module
 */
import { isLetter } from "./characters.ts";

const PARTS = ["tool", "call", "func", "invoke", "name", "action"];
const ENDS = ["sep", "use"];

/** Whether a word belongs to a call: a word in it is one of a call's, or begins as one. */
export function isCallWord(word: string): boolean {
  const lower = word.toLowerCase();
  return PARTS.some((part) => {
    let at = lower.indexOf(part);
    while (at >= 0 && !beginsWord(word, at)) at = lower.indexOf(part, at + 1);
    return at >= 0;
  }) || ENDS.some((end) => lower.endsWith(end) && beginsWord(word, word.length - end.length));
}

/** Whether a word has a part that can be a call's: enough to wait for more, and to refuse a call. */
export function hasCallPart(word: string): boolean {
  const lower = word.toLowerCase();
  return PARTS.some((part) => lower.includes(part)) || ENDS.some((end) => lower.endsWith(end));
}

/** Whether another word begins within a word: `tool_call`, `toolCall`. */
function beginsWord(word: string, at: number): boolean {
  const [before, first] = [word[at - 1], word[at]!];
  return !isLetter(before) || (isUpper(first) && !isUpper(before!));
}

function isUpper(letter: string): boolean {
  return letter !== letter.toLowerCase();
}
