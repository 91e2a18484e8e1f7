/**
 * Tracks the text of a value, to decide where it ends if its closer was forgotten.
 *
 * @module
 */
import { isEscaped } from "../../pattern/characters.ts";
import { isSpace } from "../../pattern/node.ts";
import { isMentioning, withoutLineBreak } from "./hypothesis.ts";
import { endsWithHalfTag, OpenTags } from "./tags.ts";
import { holdsDamagedMark, type Surroundings } from "./value_ambiguity.ts";
import type { ItemValue } from "./value_writer.ts";

/** The longest value that is compared with a repetition or searched for tags. */
const COMPARED_MAXIMUM = 64 * 1024;

/** The text of one value while it is written to the arguments. */
export class ValueText {
  readonly #value: ItemValue;
  readonly #isEdge: boolean;
  readonly #isFirst: boolean;
  #text = "";
  #hasLines = false;
  /** The last text, after a backslash that escapes its beginning. */
  #tail = "";
  readonly #openTags = new OpenTags();
  /** Whether the value contains possible structure, so that only its own closer can end it. */
  isAmbiguous = false;

  /**
   * @param options `isEdge`: whether a line break before the closer belongs to the dialect; `isFirst`: whether it is the
   *   call's first value
   */
  constructor(value: ItemValue, { isEdge, isFirst }: { isEdge: boolean; isFirst: boolean }) {
    this.#value = value;
    this.#isEdge = isEdge;
    this.#isFirst = isFirst;
  }

  get isEmpty(): boolean {
    return this.#tail === "";
  }

  /** Whether a tag here directly follows a word; after a quotation mark or a space, a tag is only mentioned. */
  get isGlued(): boolean {
    const last = this.#tail.charCodeAt(this.#tail.length - 1);
    return !isSpace(last) && !isMentioning(last);
  }

  /**
   * Whether the value is one line without a mentioned tag, so that its closer and the next item can't be part of it.
   */
  get isPlain(): boolean {
    return !this.#hasLines && !this.isAmbiguous && !this.hasMark;
  }

  /** Whether the value has several lines, so that a line break alone doesn't show where it ends. */
  get hasLines(): boolean {
    return this.#hasLines;
  }

  /** Whether the value contains the beginning of a tag. */
  get hasMark(): boolean {
    return this.#text.includes("<");
  }

  /**
   * Whether the value begins or ends like JSON and has strings, or only begins or ends like a list, so that it is damaged where
   * it isn't JSON.
   */
  get isNearlyJson(): boolean {
    const text = this.#text.trim();
    const [first = " ", last = " "] = [text[0], text.at(-1)];
    const hasStrings = text.includes('"') || text.includes("'");
    return (hasStrings && ('[{"'.includes(first) || ']}"'.includes(last))) ||
      (first === "[" ? text.split("[").length !== text.split("]").length : last === "]");
  }

  /** Whether the value can hold more than itself, or, if nothing closed it, other marks or half of a quotation. */
  holdsDamagedMark(surroundings: Surroundings): boolean {
    if (this.#text.length > COMPARED_MAXIMUM) return false;
    if (surroundings.closer !== "") return holdsDamagedMark(this.#text, surroundings);
    return endsWithTag(this.#text) || this.#text.split('"').length % 2 === 0;
  }

  /** The text, if it isn't too long to be searched. */
  get searched(): string {
    return this.#text.length > COMPARED_MAXIMUM ? "" : this.#text;
  }

  /** Whether the value ends with a closing tag that nothing in it opens. */
  get endsWithTag(): boolean {
    return this.#text.length <= COMPARED_MAXIMUM && endsWithForeignTag(this.#text);
  }

  /** Whether the value ends with a closing tag without its first or its last character: perhaps its own closer. */
  get endsWithHalfTag(): boolean {
    return this.#text.length <= COMPARED_MAXIMUM && endsWithHalfTag(this.#text);
  }

  /** Whether the value opens more tags of a closer's name than it closes. */
  opens(closer: string): boolean {
    return this.#text.length <= COMPARED_MAXIMUM && this.#openTags.has(this.#text, closer);
  }

  /** Whether the last backslash escapes what follows. */
  get isEscaping(): boolean {
    return isEscaped(this.#tail, this.#tail.length);
  }

  see(text: string): void {
    this.#tail = (this.isEscaping ? "\\" : "") + text;
  }

  write(text: string): void {
    if (!this.#hasLines) this.#hasLines = text.includes("\n");
    this.#text += text.slice(0, COMPARED_MAXIMUM + 1 - this.#text.length);
    this.#value.write(text);
  }

  /** Whether a text repeats this value, with or without a line break before it. */
  isRepeatedBy(again: string): boolean {
    if (this.#text.length > COMPARED_MAXIMUM) return false;
    return again === this.#text || withoutLineBreak(again) === this.#text;
  }

  /**
   * Whether a value without its closer might be incomplete. An empty one, for example, would empty a file.
   *
   * @param space the whitespace after it
   */
  isUnsure(space: string): boolean {
    return this.isEmpty || this.isAmbiguous || this.#mayEndIn(space) || this.endsWithTag;
  }

  /**
   * Whether a value that nothing closes shows that it is whole: it is complete as its type; or it is one line, and the
   * dialect's line break follows. Of any other text, the rest can be missing, also before another call: the model can have
   * broken off and begun again. At the end of the answer, the line can also be the first of several, unless it is the call's
   * first value: a model that wrote another one before it was in the middle of the call.
   *
   * @param space the whitespace after it
   * @param next whether another call follows, or the answer ends
   */
  isWhole(space: string, next: "call" | "end"): boolean {
    if (this.isUnsure(space) || (next === "call" && this.hasMark)) return false;
    if (this.isComplete({ isDelimited: next === "call" || space !== "" })) return true;
    // An empty line at the end of the answer can be the second line of a value that is torn.
    const isLine = next === "call" ? space.includes("\n") : this.#isFirst && lineBreaksIn(space) === 1;
    return isLine && this.#isEdge && !this.#hasLines;
  }

  /** Whether it is complete as its type; `isDelimited`: whether something follows it. */
  isComplete({ isDelimited }: { isDelimited: boolean }): boolean {
    return this.#text.length <= COMPARED_MAXIMUM && this.#value.isComplete(this.#text, isDelimited);
  }

  /**
   * Whether the whitespace can belong to the value. A line break on each side of the closer belongs to the dialect,
   * and a value of one line doesn't end with a line break, but a multi-line string can.
   */
  #mayEndIn(space: string): boolean {
    if (!this.#value.isText || space === "") return false;
    const breaks = lineBreaksIn(space);
    if (breaks === 1) return this.#hasLines && !this.#isEdge;
    return breaks !== 2 || this.#hasLines || !this.#isEdge;
  }
}

/** Whether a text ends with a tag that nothing in it opens, such as the value's closer in another dialect. */
export function endsWithForeignTag(text: string): boolean {
  const trimmed = text.trimEnd();
  if (!trimmed.endsWith(">")) return false;
  const tag = trimmed.slice(trimmed.lastIndexOf("<"), -1);
  if (tag.startsWith("</")) return !text.includes(`<${tag.slice(2).trimEnd()}`);
  return tag.startsWith("<|") || tag.startsWith("<｜");
}

/** Whether a text ends with any tag. */
function endsWithTag(text: string): boolean {
  const end = text.trimEnd();
  const tag = end.slice(end.lastIndexOf("<") + 1, -1);
  return end.endsWith(">") && end.includes("<") && tag !== "" && !tag.includes(" ") && !tag.includes(">");
}

/** The number of line breaks in a text, or undefined if it contains anything else. */
export function lineBreaksIn(space: string): number | undefined {
  let count = 0;
  for (const character of space) {
    if (character === "\n") count++;
    else if (character !== "\r") return undefined;
  }
  return count;
}
