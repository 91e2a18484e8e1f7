/**
 * Recognizes closing tags and control tokens by their form, whatever dialect they belong to.
 *
 *     </think>   </call>   <|im_end|>   <｜tool▁call▁end｜>
 *
 * @module
 */
import { isSpace } from "../../pattern/node.ts";

/** The longest tag. */
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

/** The end of the closing tag or control token at an index, or -1. */
function tagEnd(text: string, at: number): number {
  if (text[at] !== "<" || !"/|｜".includes(text[at + 1] ?? " ")) return -1;
  const end = text.indexOf(">", at);
  const isTag = end >= 0 && end - at <= TAG_MAXIMUM && !text.slice(at + 1, end).includes("<");
  return isTag ? end + 1 : -1;
}

/** Whether a text ends with a closing tag without its `<` or its `>`: `</path`, `/path>`, `/path/>`. */
export function endsWithHalfTag(text: string): boolean {
  const end = text.trimEnd().slice(-TAG_MAXIMUM);
  const isClosed = end.endsWith(">");
  const open = isClosed ? end.slice(0, -1) : end;
  const tag = open.endsWith("/") ? open.slice(0, -1) : open;
  const slash = tag.lastIndexOf("/");
  const name = tag.slice(slash + 1);
  if (slash < 0 || name === "" || [..." \t\n<>"].some((one) => name.includes(one))) return false;
  return (tag[slash - 1] === "<") !== isClosed;
}

/** Counts the tags of one name that a growing text leaves open. */
export class OpenTags {
  #name = "";
  #at = 0;
  #open = 0;

  /** Whether a text, which begins with the last one, opens more tags of a closing tag's name than it closes. */
  has(text: string, closer: string): boolean {
    const name = nameOf(closer);
    if (name === undefined) return false;
    if (name !== this.#name) {
      this.#name = name;
      this.#at = this.#open = 0;
    }
    for (let at = this.#find(text); at >= 0; at = this.#find(text)) {
      const prefix = prefixOf(text, at);
      if (prefix !== undefined) this.#open += prefix.startsWith("/") ? -1 : 1;
      this.#at = at + name.length;
    }
    this.#at = Math.max(this.#at, text.length - name.length + 1);
    return this.#open > 0;
  }

  #find(text: string): number {
    return text.indexOf(this.#name, this.#at);
  }
}

/** The longest prefix of a tag's name. */
const PREFIX_MAXIMUM = 16;

/** What a tag has before its name, such as `/`, `ns:` or `｜x｜`; undefined if the name isn't in a tag. */
function prefixOf(text: string, at: number): string | undefined {
  const before = text.slice(Math.max(0, at - PREFIX_MAXIMUM), at);
  const prefix = before.slice(before.lastIndexOf("<") + 1);
  const isInTag = prefix.length < before.length && !prefix.includes(">") && !hasSpace(prefix);
  return isInTag ? prefix : undefined;
}

function hasSpace(text: string): boolean {
  return [...text].some((one) => isSpace(one.charCodeAt(0)));
}

/** The name of the first closing tag in a text. */
function nameOf(text: string): string | undefined {
  const from = text.indexOf("</") + 2;
  const end = text.indexOf(">", from);
  return from < 2 || end < 0 ? undefined : text.slice(from, end).trim() || undefined;
}
