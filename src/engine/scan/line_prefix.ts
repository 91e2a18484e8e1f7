/**
 * The beginning of a Markdown line: the marks of the containers and blocks that it opens, according to CommonMark.
 *
 *     "  > 1. ```xml"
 *      ^^ indentation
 *        ^^ the mark of a quotation
 *          ^^^ the mark of an item
 *             ^^^^^^ a fence
 *
 * @module
 */
import { isDigit } from "../pattern/characters.ts";
import type { Container, Leaf } from "./blocks.ts";

/** The columns between two tab stops. The same indentation begins a code block. */
export const TAB_WIDTH = 4;
const FENCE_MINIMUM = 3;
const NUMBER_MAXIMUM = 9;
const ITEM_MARKS = "-+*0123456789";
const TAB = 0x09;

/** The beginning of a line, from which containers take their marks. A tab counts as the columns that it fills. */
export class LinePrefix {
  readonly #text: string;
  #at = 0;
  #column = 0;
  /** Columns of a tab that the preceding mark didn't take. */
  #spare = 0;
  /** The index of the first character that isn't whitespace. */
  at = 0;
  /** The columns of whitespace before the text. */
  indent = 0;

  constructor(text: string) {
    this.#text = text;
    this.#measure();
  }

  get rest(): string {
    return this.at === 0 ? this.#text : this.#text.slice(this.at);
  }

  get isBlank(): boolean {
    return this.at >= this.#text.length;
  }

  get isHeading(): boolean {
    if (this.#mark !== "#") return false;
    const { rest } = this;
    const length = runLength(rest, 0, "#");
    return this.indent < TAB_WIDTH && length > 0 && length <= 6 && isGap(rest[length]);
  }

  /** Takes the mark of a container and returns whether the line has it. */
  enter(container: Container): boolean {
    if (container.kind === "quote") return this.takeQuote();
    if (this.isBlank) return true;
    if (this.indent < container.indent) return false;
    this.#take(container.indent);
    return true;
  }

  takeQuote(): boolean {
    if (this.indent >= TAB_WIDTH || this.#mark !== ">") return false;
    this.#take(this.indent);
    this.#takeMark(1);
    if (this.indent > 0) this.#take(1);
    return true;
  }

  /** Takes `- ` or `3. `. An item that interrupts a paragraph must have text, and a numbered one begins with 1. */
  takeItem(isInterrupting: boolean): Container | undefined {
    const { indent } = this;
    const width = ITEM_MARKS.includes(this.#mark ?? " ") ? markWidth(this.rest, isInterrupting) : 0;
    if (width === 0 || indent >= TAB_WIDTH) return undefined;
    const isEmpty = isSpaceFrom(this.#text, this.at + width);
    if (isEmpty && isInterrupting) return undefined;
    this.#take(indent);
    this.#takeMark(width);
    const gap = this.indent;
    // Five or more columns are one column and indented code.
    const taken = isEmpty || gap > TAB_WIDTH ? 1 : gap;
    if (!isEmpty) this.#take(taken);
    return { kind: "item", indent: indent + width + taken };
  }

  fence(): Extract<Leaf, { kind: "fence" }> | undefined {
    const mark = this.#mark;
    if (mark !== "`" && mark !== "~") return undefined;
    const { rest } = this;
    const length = runLength(rest, 0, mark);
    if (length < FENCE_MINIMUM || (mark === "`" && rest.includes(mark, length))) return undefined;
    return { kind: "fence", mark, length, hasText: false, isFirst: false };
  }

  /** Whether the line ends a fence, even next to the closing tag of an HTML element around it. */
  isFenceEnd(fence: { mark: string; length: number }): boolean {
    if (this.#mark !== fence.mark) return false;
    const { rest } = this;
    const length = runLength(rest, 0, fence.mark);
    const after = trim(rest.slice(length));
    return this.indent < TAB_WIDTH && length >= fence.length && (after === "" || after.startsWith("</"));
  }

  /** Whether the line is `---` or `* * *`, or makes the paragraph above it a heading: `=` or `-`. */
  isBreak(isInterrupting: boolean): boolean {
    const text = this.#text;
    const mark = this.#mark;
    const isUnderline = isInterrupting && (mark === "=" || mark === "-");
    if (isUnderline && isSpaceFrom(text, this.at + runLength(text, this.at, mark))) return true;
    if (mark !== "-" && mark !== "*" && mark !== "_") return false;
    let count = 0;
    for (let at = this.at; at < text.length; at++) {
      if (text[at] === mark) count++;
      else if (!isIndentation(text.charCodeAt(at))) return false;
    }
    return count >= 3;
  }

  /** The first character that isn't whitespace. */
  get #mark(): string | undefined {
    return this.#text[this.at];
  }

  /** Measures the whitespace at the current position. */
  #measure(): void {
    const text = this.#text;
    let column = this.#column;
    let at = this.#at;
    for (; isIndentation(text.charCodeAt(at)); at++) {
      column += text.charCodeAt(at) === TAB ? TAB_WIDTH - column % TAB_WIDTH : 1;
    }
    this.at = at;
    this.indent = column - this.#column + this.#spare;
  }

  /** Takes a mark without whitespace. */
  #takeMark(width: number): void {
    this.#at += width;
    this.#column += width;
    this.#measure();
  }

  /** Takes columns of whitespace. */
  #take(columns: number): void {
    let rest = columns;
    const spare = Math.min(this.#spare, rest);
    this.#spare -= spare;
    rest -= spare;
    while (rest > 0 && isIndentation(this.#text.charCodeAt(this.#at))) {
      const width = this.#text.charCodeAt(this.#at) === TAB ? TAB_WIDTH - this.#column % TAB_WIDTH : 1;
      this.#at++;
      this.#column += width;
      if (width > rest) this.#spare = width - rest;
      rest -= width;
    }
    this.#measure();
  }
}

function markWidth(text: string, isInterrupting: boolean): number {
  if (text[0] === "-" || text[0] === "+" || text[0] === "*") return isGap(text[1]) ? 1 : 0;
  let digits = 0;
  while (isDigit(text.charCodeAt(digits))) digits++;
  if (digits === 0 || digits > NUMBER_MAXIMUM || (isInterrupting && text.slice(0, digits) !== "1")) return 0;
  const isMark = (text[digits] === "." || text[digits] === ")") && isGap(text[digits + 1]);
  return isMark ? digits + 1 : 0;
}

/** The number of times that a character comes in a row from an index on. */
export function runLength(text: string, from: number, mark: string): number {
  let at = from;
  while (text[at] === mark) at++;
  return at - from;
}

/** A text without the whitespace around it; what else `String.trim` removes is text in Markdown. */
export function trim(text: string): string {
  let from = 0;
  let to = text.length;
  while (isIndentation(text.charCodeAt(from))) from++;
  while (to > from && isIndentation(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

/** Whether only whitespace follows an index. */
function isSpaceFrom(text: string, from: number): boolean {
  return trim(text.slice(from)) === "";
}

/** Whether a UTF-16 unit is whitespace inside a line. */
export function isIndentation(unit: number): boolean {
  return unit === 0x20 || unit === TAB || unit === 0x0d;
}

function isGap(character: string | undefined): boolean {
  return character === undefined || isIndentation(character.charCodeAt(0));
}
