/**
 * Keeps a result of a call in its frame: a file or a page that contains the mark which ends the frame would go on as a
 * message of the user.
 *
 *     <tool_response>⏎ … </tool_response> …   ─▶   <tool_response>⏎ … < /tool_response> … ⏎</tool_response>
 *
 * @module
 */
import type { Speak } from "../../engine/rule/speak_schema.ts";

/** A mark of a frame, as in `</result>` or `[/TOOL_RESULTS]`. */
const MARK = /<[^<>\s]+>|\[\/?\w+\]/g;

/** The marks after a result: those of its own frame, and of the frame of all results. */
function closersOf({ result, results, between_results: between }: Speak): readonly string[] {
  const after = [result.split(/\{content(?:_json)?\}/).at(-1), results.split("{results}").at(-1), between];
  return [...new Set(after.flatMap((text) => text?.match(MARK) ?? []))];
}

/** What writes a result so that it can't end its frame: a space makes another text of each mark in it. */
export function framing(speak: Speak): (content: string) => string {
  const closers = closersOf(speak).map((mark) => mark.replace(/[^\w\s]/g, "\\$&"));
  if (closers.length === 0) return (content) => content;
  const pattern = new RegExp(closers.join("|"), "gi");
  return (content) => content.replace(pattern, (mark) => `${mark[0]} ${mark.slice(1)}`);
}
