/**
 * Finds values of a rule's call that can hold marks of the call itself, because one of these was damaged. The second reader then
 * decides about the call:
 *
 *     a</parameter>\nb         the opener of another parameter is lost between two values
 *     <path><path>a</path>     the value's own opener came twice
 *     a]]<]word[>[</path>      a sign of the closer did
 *     <![[CDATA[a]]>           the same with a section
 *
 * @module
 */
import { findMarks } from "../../engine/evidence/mark.ts";
import { isMention } from "../../engine/evidence/position.ts";
import type { Surroundings } from "../../engine/scan/body/value_ambiguity.ts";

/** The shortest beginning of an item's opener that shows one. */
const BEFORE_MINIMUM = 3;

/**
 * Whether marks like the value's own have no counterpart in it. A closer too many shows nothing if no parameter is missing whose
 * opener can be lost, and no other item begins in the value. An opener shows something if it has a name, as those of parameters
 * have, or begins the value; others are in files: `<content>` in a fence.
 */
export function isAmbiguousValue(text: string, { closer, parameters, before }: Surroundings): boolean {
  const [own] = findMarks(closer.trim());
  // The mark of a token with a word after it doesn't show which one it is: `<|close|>call<|sep|>`.
  if (own?.isCloser !== true) return false;
  if (text.trimStart().startsWith("<![") || (own.isPrefixed && text.endsWith("]"))) return true;
  const first = text.length - text.trimStart().length;
  let [open, least, isShown] = [0, 0, false];
  for (const mark of findMarks(text)) {
    if (mark.word !== own.word || mark.isEmpty || isMention(text, mark)) continue;
    isShown ||= mark.start === first || (mark.named !== undefined && !mark.isCloser);
    open += mark.isCloser ? -1 : 1;
    least = Math.min(least, open);
  }
  const hasItem = before.length >= BEFORE_MINIMUM && text.includes(before);
  return (open > 0 && isShown) || (least < 0 && (parameters.length > 0 || hasItem));
}
