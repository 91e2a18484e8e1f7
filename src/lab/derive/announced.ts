/**
 * Marks that a template's instructions show around a call, although the template writes calls without them.
 *
 *     … formatted as functools[{"name": [function name], "arguments": [function arguments]}, ...]
 *                    ^^^^^^^^^^ head                                                           ^ tail
 *
 * @module
 */
import { objectsIn } from "./json_object.ts";

/** What is before and after the calls of an answer. */
export interface Announced {
  readonly head: string;
  readonly tail: string;
}

/**
 * The marks that touch the same JSON in the prompt.
 *
 * @param text a call as the template writes it
 * @param prompt the instructions
 */
export function announcedMarks(text: string, prompt: string): Announced | undefined {
  const [object] = objectsIn(text);
  if (object === undefined || text.trim() !== text.slice(object.start, object.end)) return undefined;
  const [key] = Object.keys(object.value);
  for (const { 0: found, index } of prompt.matchAll(/(\w+|<[^<>\s]+>)(\[?)\{\s*"(\w+)"/g)) {
    const [, word, bracket, first] = /^(.*?)(\[?)\{\s*"(\w+)"$/s.exec(found)!;
    if (first !== key || index === 0) continue;
    const closing = word!.startsWith("<") ? `</${word!.slice(1)}` : "";
    const tail = prompt.includes(closing) ? closing : "";
    return { head: `${word}${bracket}`, tail: `${bracket === "" ? "" : "]"}${tail}` };
  }
  return undefined;
}
