/**
 * What is known of the text of a value, to tell where it ends if its closer was forgotten.
 *
 * @module
 */
import { isSpace } from "../../pattern/node.ts";
import { isMentioning, withoutLineBreak } from "./suspicion.ts";
import type { ItemValue } from "./value_writer.ts";

/** Longer values are not compared with a repetition, nor searched for tags. */
const COMPARED_MAXIMUM = 64 * 1024;

/** The text of one value, on its way into the arguments. */
export class ValueText {
  readonly #value: ItemValue;
  readonly #isEdge: boolean;
  #text = "";
  #hasLines = false;
  #last = -1;
  /** Whether the value holds something that may be structure, so that only its own closer can end it. */
  isDoubtful = false;

  /** @param options `isEdge`: whether a line break before the closer belongs to the dialect */
  constructor(value: ItemValue, { isEdge }: { isEdge: boolean }) {
    this.#value = value;
    this.#isEdge = isEdge;
  }

  /** Whether nothing of the value has come. */
  get isEmpty(): boolean {
    return this.#last < 0;
  }

  /** Whether a tag here follows a word directly; what stands in quotes or after a space is only mentioned. */
  get isGlued(): boolean {
    return !isSpace(this.#last) && !isMentioning(this.#last);
  }

  /** Whether the value is one line in which no tag is mentioned: its closer and the next item can't be text of it. */
  get isPlain(): boolean {
    return !this.#hasLines && !this.isDoubtful;
  }

  /** Whether the value ends with a tag that nothing in it opens. */
  get endsWithTag(): boolean {
    return this.#text.length <= COMPARED_MAXIMUM && endsWithForeignTag(this.#text);
  }

  /** Text has come that may belong to the value. */
  see(text: string): void {
    this.#last = text.charCodeAt(text.length - 1);
  }

  /** Text belongs to the value. */
  write(text: string): void {
    if (!this.#hasLines) this.#hasLines = text.includes("\n");
    if (this.#text.length <= COMPARED_MAXIMUM) this.#text += text;
    this.#value.write(text);
  }

  /** Whether a text is this value once more; a line break may stand before it. */
  isRepeatedBy(again: string): boolean {
    if (this.#text.length > COMPARED_MAXIMUM) return false;
    return again === this.#text || withoutLineBreak(again) === this.#text;
  }

  /**
   * Whether the value may not be what it seems if it ends without its closer. One of which nothing came would empty a
   * file.
   *
   * @param space the white space after it
   */
  isUnsure(space: string): boolean {
    return this.isEmpty || this.isDoubtful || this.#mayEndIn(space) || this.endsWithTag;
  }

  /**
   * Whether the white space may be the value's. A line break on each side of the closer is the dialect's, and a value
   * of one line doesn't end with one; a text of several lines may end in some.
   */
  #mayEndIn(space: string): boolean {
    if (!this.#value.isText || space === "") return false;
    const breaks = lineBreaksIn(space);
    if (breaks === 1) return this.#hasLines && !this.#isEdge;
    return breaks !== 2 || this.#hasLines || !this.#isEdge;
  }
}

/** Whether a text ends with a tag that nothing in it opens: the value's closer as another dialect writes it. */
export function endsWithForeignTag(text: string): boolean {
  const trimmed = text.trimEnd();
  if (!trimmed.endsWith(">")) return false;
  const tag = trimmed.slice(trimmed.lastIndexOf("<"), -1);
  if (tag.startsWith("</")) return !text.includes(`<${tag.slice(2).trimEnd()}`);
  return tag.startsWith("<|") || tag.startsWith("<｜");
}

/** How many line breaks a text consists of; undefined: it holds something else. */
export function lineBreaksIn(space: string): number | undefined {
  let count = 0;
  for (const character of space) {
    if (character === "\n") count++;
    else if (character !== "\r") return undefined;
  }
  return count;
}
