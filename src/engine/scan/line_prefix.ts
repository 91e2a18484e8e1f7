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
import type { Container, Leaf } from "./blocks.ts";

/** The columns between two tab stops. The same indentation begins a code block. */
export const TAB_WIDTH = 4;
const FENCE_MINIMUM = 3;
const NUMBER_MAXIMUM = 9;

/** The beginning of a line, from which containers take their marks. A tab counts as the columns that it fills. */
export class LinePrefix {
  readonly #text: string;
  #at = 0;
  #column = 0;
  /** Columns of a tab that the preceding mark didn't take. */
  #spare = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The index of the first character that isn't white space. */
  get at(): number {
    let at = this.#at;
    while (isIndentation(this.#text[at])) at++;
    return at;
  }

  get rest(): string {
    return this.#text.slice(this.at);
  }

  get isBlank(): boolean {
    return this.at >= this.#text.length;
  }

  /** The columns of white space before the text. */
  get indent(): number {
    let column = this.#column;
    for (let at = this.#at; isIndentation(this.#text[at]); at++) {
      column += this.#text[at] === "\t" ? TAB_WIDTH - column % TAB_WIDTH : 1;
    }
    return column - this.#column + this.#spare;
  }

  get isHeading(): boolean {
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
    const { at } = this;
    if (this.indent >= TAB_WIDTH || this.#text[at] !== ">") return false;
    this.#take(this.indent);
    this.#takeMark(1);
    if (this.indent > 0) this.#take(1);
    return true;
  }

  /** Takes `- ` or `3. `. An item that interrupts a paragraph must have text, and a numbered one begins with 1. */
  takeItem(isInterrupting: boolean): Container | undefined {
    const { rest, indent } = this;
    const width = markWidth(rest, isInterrupting);
    if (width === 0 || indent >= TAB_WIDTH) return undefined;
    const isEmpty = trim(rest.slice(width)) === "";
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
    const { rest } = this;
    const mark = rest[0];
    if (mark !== "`" && mark !== "~") return undefined;
    const length = runLength(rest, 0, mark);
    if (length < FENCE_MINIMUM || (mark === "`" && rest.includes(mark, length))) return undefined;
    return { kind: "fence", mark, length, hasText: false, isFirst: false };
  }

  /** Whether the line ends a fence, even next to the closing tag of an HTML element around it. */
  isFenceEnd(fence: { mark: string; length: number }): boolean {
    const { rest } = this;
    const length = runLength(rest, 0, fence.mark);
    const after = trim(rest.slice(length));
    return this.indent < TAB_WIDTH && length >= fence.length && (after === "" || after.startsWith("</"));
  }

  /** Whether the line is `---` or `* * *`, or makes the paragraph above it a heading: `=` or `-`. */
  isBreak(isInterrupting: boolean): boolean {
    const { rest } = this;
    const mark = rest[0]!;
    const isUnderline = isInterrupting && (mark === "=" || mark === "-");
    if (isUnderline && trim(rest.slice(runLength(rest, 0, mark))) === "") return true;
    if (mark !== "-" && mark !== "*" && mark !== "_") return false;
    let count = 0;
    for (const character of rest) {
      if (character === mark) count++;
      else if (!isIndentation(character)) return false;
    }
    return count >= 3;
  }

  /** Takes a mark without white space. */
  #takeMark(width: number): void {
    this.#at += width;
    this.#column += width;
  }

  /** Takes columns of white space. */
  #take(columns: number): void {
    let rest = columns;
    const spare = Math.min(this.#spare, rest);
    this.#spare -= spare;
    rest -= spare;
    while (rest > 0 && isIndentation(this.#text[this.#at])) {
      const width = this.#text[this.#at] === "\t" ? TAB_WIDTH - this.#column % TAB_WIDTH : 1;
      this.#at++;
      this.#column += width;
      if (width > rest) this.#spare = width - rest;
      rest -= width;
    }
  }
}

function markWidth(text: string, isInterrupting: boolean): number {
  if (text[0] === "-" || text[0] === "+" || text[0] === "*") return isGap(text[1]) ? 1 : 0;
  let digits = 0;
  while (digits < text.length && text[digits]! >= "0" && text[digits]! <= "9") digits++;
  if (digits === 0 || digits > NUMBER_MAXIMUM || (isInterrupting && text.slice(0, digits) !== "1")) return 0;
  const isMark = (text[digits] === "." || text[digits] === ")") && isGap(text[digits + 1]);
  return isMark ? digits + 1 : 0;
}

function runLength(text: string, from: number, mark: string): number {
  let at = from;
  while (text[at] === mark) at++;
  return at - from;
}

/** A text without the white space around it; what else `String.trim` removes is text in Markdown. */
export function trim(text: string): string {
  let from = 0;
  let to = text.length;
  while (isIndentation(text[from])) from++;
  while (to > from && isIndentation(text[to - 1])) to--;
  return text.slice(from, to);
}

/** Whether a character is white space inside a line. */
export function isIndentation(character: string | undefined): boolean {
  return character === " " || character === "\t" || character === "\r";
}

function isGap(character: string | undefined): boolean {
  return character === undefined || isIndentation(character);
}
