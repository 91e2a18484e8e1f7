/**
 * Recognizes closing tags and control tokens by their form, whatever dialect they belong to.
 *
 *     </think>   </call>   <|im_end|>   <｜tool▁call▁end｜>
 *
 * @module
 */
import { unitsOf } from "../../pattern/characters.ts";
import { isSpace } from "../../pattern/node.ts";

const TAG_MAXIMUM = 64;

/** Whether a text consists of closing tags and control tokens. */
export function isTags(text: string): boolean {
  for (let at = 0; at < text.length;) {
    if (isSpace(text.charCodeAt(at))) at++;
    else {
      const end = tagEnd(text, at);
      if (end < 0) return false;
      at = end;
    }
  }
  return true;
}

/** Marks of JSON and of calls in parentheses that hold nothing. */
const MARKS = unitsOf("{}[](),:=\"'");

/** Whether a text has only marks that hold nothing: brackets, commas, quotes, and half a tag at its end. */
export function isBare(text: string): boolean {
  let at = 0;
  while (at < text.length && (isSpace(text.charCodeAt(at)) || MARKS.has(text.charCodeAt(at)))) at++;
  const isHalfTag = text[at] === "<" && text.length - at <= TAG_MAXIMUM && !isBroken(text.slice(at + 1));
  return at === text.length || isHalfTag;
}

/** The end of the closing tag or control token at an index, or -1. */
export function tagEnd(text: string, at: number): number {
  if (text[at] !== "<" || !"/|｜".includes(text[at + 1] ?? " ")) return -1;
  const end = text.indexOf(">", at);
  const isTag = end >= 0 && end - at <= TAG_MAXIMUM && !text.slice(at + 1, end).includes("<");
  return isTag ? end + 1 : -1;
}

/** Whether a text ends with a closing tag without its `<` or its `>`, or in a control token: `</path`, `/path>`, `<|sep|`. */
export function endsWithHalfTag(text: string): boolean {
  const end = text.trimEnd().slice(-TAG_MAXIMUM);
  const last = end.slice(end.lastIndexOf("<"));
  if ("|｜".includes(last[1] ?? " ") && !isBroken(last.slice(1))) return true;
  const isClosed = end.endsWith(">");
  const open = isClosed ? end.slice(0, -1) : end;
  const tag = open.endsWith("/") ? open.slice(0, -1) : open;
  const slash = tag.lastIndexOf("/");
  const name = tag.slice(slash + 1);
  if (slash < 0 || name === "" || isBroken(name)) return false;
  return (tag[slash - 1] === "<") !== isClosed;
}

/** Counts the tags of one name, with any prefix such as `<ns:name`, that a growing text leaves open. */
export class OpenTags {
  #name = "";
  #at = 0;
  #open = 0;

  /** Whether a text, which begins with the last one, opens more tags of a closing tag's name than it closes. */
  has(text: string, closer: string): boolean {
    const name = closer.slice(closer.indexOf("/") + 1, closer.indexOf(">")).trim() || "</";
    if (name !== this.#name) this.#at = this.#open = 0;
    this.#name = name;
    const parts = text.slice(this.#at).split(name);
    this.#at = text.length - parts.pop()!.length;
    for (const before of parts) {
      const at = before.lastIndexOf("<") + 1;
      if (at > 0 && !isBroken(before.slice(at))) this.#open += before[at] === "/" ? -1 : 1;
    }
    return this.#open > 0;
  }
}

/** Whether a part of a text isn't within one tag. */
function isBroken(part: string): boolean {
  return [..." \t\n<>"].some((one) => part.includes(one));
}
