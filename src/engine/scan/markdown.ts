/**
 * Tracks the position in an answer's Markdown: in a fence, in indented code, in a block quote, in a table, or in a
 * possible code span or link. Only the beginning of the current line is kept.
 *
 * @module
 */
import { CodeSpans, type SpansState } from "./code_spans.ts";
import { Links, type LinksState } from "./links.ts";
import { TableHeads } from "./table_heads.ts";
import { type Blocks, type Cells, NO_BLOCKS } from "./blocks.ts";
import {
  CALL,
  cellsOf,
  isNothing,
  type LineBlocks,
  type LineSummary,
  readLine,
  readPlainLine,
} from "./markdown_line.ts";
import { LinePrefix, TAB_WIDTH } from "./line_prefix.ts";
import type { SpanWatch } from "./span_watch.ts";

/** The structures of Markdown in which a call is quoted. */
export const MARKDOWN_KINDS = [
  "fence",
  "indented_code",
  "block_quote",
  "table",
  "code_span",
  "link",
] as const;

/** A structure of Markdown. */
export type MarkdownKind = typeof MARKDOWN_KINDS[number];

/** A structure around a position. */
export interface Context {
  readonly kind: Exclude<MarkdownKind, "code_span" | "link">;
  /** Whether the line has a mark of it. A line without one can be text after it that no blank line sets off. */
  readonly isCertain: boolean;
}

/** The number of characters of a line that decide about its blocks; the rest is text. */
const LINE_MAXIMUM = 4096;

/** The longest line in which quotation marks before a call are counted. */
const SENTENCE_MAXIMUM = 512;

/** The number of characters of an unfinished line that decide the position of its next character. */
const PREFIX_MAXIMUM = 256;

/** The state after the text so far; immutable. */
export interface MarkdownState {
  readonly blocks: Blocks;
  readonly spans: SpansState;
  readonly links: LinksState;
  readonly line: string;
  readonly read: number;
  readonly first: number;
  readonly isIndented: boolean;
  readonly hasBacktick: boolean;
  readonly hasPipe: boolean;
  readonly isInline: boolean;
  readonly last: string;
}

/** Tracks the Markdown of a text. */
export class Markdown {
  readonly #kinds: ReadonlySet<MarkdownKind>;
  readonly #spans = new CodeSpans();
  readonly #heads = new TableHeads();
  readonly #links = new Links();
  /** The open blocks after the last line. */
  #blocks: Blocks = NO_BLOCKS;
  /** The beginning of the current line. */
  #line = "";
  /** The length of its part that was searched for spans. */
  #read = 0;
  /** Whether the line is known to contain inline text from there on. */
  #isInline = false;
  /** The first character of the line that isn't white space, or 0. */
  #first = 0;
  #isIndented = false;
  #hasBacktick = false;
  #hasPipe = false;
  #last = "";

  /** @param kinds the structures that quote calls */
  constructor(kinds: ReadonlySet<MarkdownKind>) {
    this.#kinds = kinds;
  }

  /** The last character of the text, or an empty string. */
  get last(): string {
    return this.#last;
  }

  /** The line so far; empty if it is longer than a sentence. */
  get line(): string {
    return this.#line.length <= SENTENCE_MAXIMUM ? this.#line : "";
  }

  /** The last character of the line other than spaces; empty if there is none, or the line is too long to be known. */
  get lineEnd(): string {
    return this.#line.length < LINE_MAXIMUM ? this.#line.trimEnd().slice(-1) : "";
  }

  /** The state, for `restore`. */
  get state(): MarkdownState {
    return {
      blocks: this.#blocks,
      spans: this.#spans.state,
      links: this.#links.state,
      line: this.#line,
      read: this.#read,
      first: this.#first,
      isIndented: this.#isIndented,
      hasBacktick: this.#hasBacktick,
      hasPipe: this.#hasPipe,
      isInline: this.#isInline,
      last: this.#last,
    };
  }

  /** Returns to an earlier state. */
  restore(state: MarkdownState): void {
    this.#blocks = state.blocks;
    this.#spans.restore(state.spans);
    this.#heads.forget();
    this.#links.restore(state.links);
    this.#line = state.line;
    this.#read = state.read;
    this.#first = state.first;
    this.#isIndented = state.isIndented;
    this.#hasBacktick = state.hasBacktick;
    this.#hasPipe = state.hasPipe;
    this.#isInline = state.isInline;
    this.#last = state.last;
  }

  /** Reads more of the text. */
  feed(text: string): void {
    if (text === "") return;
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      this.#extend(text.slice(from, end));
      this.#endLine();
      from = end + 1;
    }
    if (from < text.length) this.#extend(from === 0 ? text : text.slice(from));
    this.#last = text[text.length - 1]!;
  }

  /** Records a call at this position. */
  skip(): void {
    if (!this.#line.endsWith(CALL)) this.#extend(CALL);
    this.#last = CALL;
  }

  /** Ends the text. An open span isn't a span. */
  end(): void {
    this.#endLine();
    this.#spans.end();
    this.#heads.end();
  }

  /** The structure that contains a character at this position. */
  get context(): Context | undefined {
    const { containers, leaf, isLazy } = this.#readPrefix();
    if (leaf.kind === "fence" || leaf.kind === "indented_code" || leaf.kind === "table") {
      const isCertain = leaf.kind !== "table" || this.#hasPipe;
      if (this.#kinds.has(leaf.kind)) return { kind: leaf.kind, isCertain };
    }
    // White space at the beginning of an answer can be code or nothing; what follows the call shows it.
    const canBeCode = this.#blocks.leaf.kind === "start" && this.#kinds.has("indented_code");
    if (canBeCode && isIndentedCode(this.#line)) return { kind: "indented_code", isCertain: false };
    const isQuoted = containers.some(({ kind }) => kind === "quote") && this.#kinds.has("block_quote");
    return isQuoted ? { kind: "block_quote", isCertain: !isLazy } : undefined;
  }

  /** Whether the code at this position is the first thing in the text. */
  get isFirstCode(): boolean {
    const { leaf } = this.#blocks;
    return leaf.kind === "fence" && leaf.isFirst;
  }

  /** Whether the code at this position contains only calls so far. */
  get isCodeBlank(): boolean {
    const { leaf } = this.#blocks;
    const hasText = (leaf.kind === "fence" || leaf.kind === "indented_code") && leaf.hasText;
    return !hasText && isNothing(this.#line);
  }

  /** Whether a code span can be open at this position. */
  get mayBeInSpan(): boolean {
    if (!this.#kinds.has("code_span")) return false;
    const { text, isContinued } = this.#readInline("no mark follows");
    if (text < 0) return false;
    return isContinued ? this.#spans.mayBeOpen : this.#spans.hasFence;
  }

  /** Whether the line can be the head of a table. */
  get mayBeTableHead(): boolean {
    return this.#hasPipe && this.#kinds.has("table") && this.#readPrefix().leaf.kind === "paragraph";
  }

  /** Watches whether the line is the head of a table. */
  watchTableHead(): SpanWatch {
    return this.#heads.watch();
  }

  /** Watches the link that can be open here, or returns undefined if there is none. */
  watchLink(): SpanWatch | undefined {
    return this.#kinds.has("link") ? this.#links.watch(this.#line) : undefined;
  }

  /** Watches the spans that can be open here. */
  watchSpans(): SpanWatch {
    return this.#spans.watch();
  }

  /** Searches the text so far for spans. */
  readSpans(): void {
    this.#readInline();
  }

  #extend(text: string): void {
    if (this.#first === 0) {
      this.#first = firstUnit(text);
      this.#isIndented ||= this.#first !== text.charCodeAt(0) || this.#line !== "";
    }
    this.#hasBacktick ||= text.includes("`");
    this.#hasPipe ||= text.includes("|");
    if (this.#links.isActive) this.#links.feed(text);
    const room = LINE_MAXIMUM - this.#line.length;
    if (room > 0) this.#line += text.slice(0, room);
    if (text.length < room) return;
    // The kind of a line must be known once it is full.
    if (room > 0) this.#readInline();
    // A line of this length that isn't known to be text is in a fence or opens one.
    if (this.#isInline) this.#spans.feed(text.slice(room));
  }

  /** The blocks of the line, assuming that the next character isn't a mark. */
  #readPrefix(): LineBlocks {
    return readLine(this.#blocks, this.#line.slice(0, PREFIX_MAXIMUM) + CALL);
  }

  /** Reads the available part of the line and searches its text for spans. */
  #readInline(next?: "no mark follows"): { text: number; isContinued: boolean } {
    if (this.#isInline) {
      this.#feedSpans();
      return { text: 0, isContinued: true };
    }
    const read = this.#readPrefix();
    // Up to here, the line can still become another block or a fence.
    const isOpen = read.text < 0 || read.text >= this.#line.length ||
      (next === undefined && isMarks(this.#line.slice(read.text)));
    if (isOpen) return read;
    this.#beginInline(read);
    return { text: 0, isContinued: true };
  }

  #beginInline(read: { text: number; isContinued: boolean }): void {
    if (!read.isContinued) this.#spans.endParagraph();
    this.#isInline = true;
    this.#read = read.text;
    this.#feedSpans();
  }

  #feedSpans(): void {
    if (this.#read < this.#line.length) this.#spans.feed(this.#line.slice(this.#read));
    this.#read = this.#line.length;
  }

  #endLine(): void {
    const isPlain = !this.#hasBacktick && !this.#isInline && !this.#spans.isActive;
    const leaf = isPlain ? readPlainLine(this.#blocks, this.#summary) : undefined;
    if (leaf) {
      if (leaf !== this.#blocks.leaf) this.#blocks = { containers: [], leaf };
    } else if (!this.#spans.closesFence(this.#line)) this.#endMarkedLine();
    this.#heads.endLine(this.#blocks.leaf.kind);
    this.#links.endLine();
    this.#line = "";
    this.#read = 0;
    this.#isInline = false;
    this.#first = 0;
    this.#isIndented = false;
    this.#hasBacktick = false;
    this.#hasPipe = false;
  }

  get #summary(): LineSummary {
    return { first: this.#first, isIndented: this.#isIndented, cells: this.#cells };
  }

  /** The number of cells in the current line. */
  get #cells(): Cells {
    if (!this.#hasPipe) return 1;
    return this.#line.length < LINE_MAXIMUM ? cellsOf(this.#line) : "any";
  }

  #endMarkedLine(): void {
    const read = readLine(this.#blocks, this.#line);
    if (this.#isInline) this.#feedSpans();
    else if (read.text >= 0) this.#beginInline(read);
    if (read.text < 0 && !this.#isInline) this.#spans.endParagraph();
    else this.#spans.endLine();
    this.#blocks = { containers: read.containers, leaf: read.leaf };
    if (read.leaf.kind === "none") this.#spans.endParagraph();
  }
}

/** Whether a line is indented as far as code is. */
function isIndentedCode(line: string): boolean {
  return new LinePrefix(line.slice(0, PREFIX_MAXIMUM) + CALL).indent >= TAB_WIDTH;
}

/** The first character of a text that isn't white space, or 0. */
function firstUnit(text: string): number {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit !== 0x20 && unit !== 0x09 && unit !== 0x0d) return unit;
  }
  return 0;
}

/** Whether a text has only characters with which a block can begin. */
function isMarks(text: string): boolean {
  for (const character of text) if (!"-+*#=_`~>|0123456789.) \t:".includes(character)) return false;
  return true;
}
