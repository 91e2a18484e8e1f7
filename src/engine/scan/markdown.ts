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
import { LinePrefix, TAB_WIDTH, trim } from "./line_prefix.ts";
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

export type MarkdownKind = typeof MARKDOWN_KINDS[number];

/** A structure around a position. */
interface Context {
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
  readonly line: Readonly<Line>;
  readonly last: string;
}

interface Line {
  text: string;
  /** The length of the part that was searched for spans. */
  read: number;
  /** Whether it is known to contain inline text from there on. */
  isInline: boolean;
  /** The first character that isn't whitespace, or 0. */
  first: number;
  isIndented: boolean;
  hasBacktick: boolean;
  hasPipe: boolean;
}

const NEW_LINE: Readonly<Line> = {
  text: "",
  read: 0,
  isInline: false,
  first: 0,
  isIndented: false,
  hasBacktick: false,
  hasPipe: false,
};

export class Markdown {
  readonly #kinds: ReadonlySet<MarkdownKind>;
  readonly #spans = new CodeSpans();
  readonly #heads = new TableHeads();
  readonly #links = new Links();
  /** The open blocks after the last line. */
  #blocks: Blocks = NO_BLOCKS;
  #line: Line = { ...NEW_LINE };
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
    return this.#line.text.length <= SENTENCE_MAXIMUM ? this.#line.text : "";
  }

  /** The last character of the line other than spaces; empty if there is none, or the line is too long to be known. */
  get lineEnd(): string {
    return this.#line.text.length < LINE_MAXIMUM ? this.#line.text.trimEnd().slice(-1) : "";
  }

  get state(): MarkdownState {
    return {
      blocks: this.#blocks,
      spans: this.#spans.state,
      links: this.#links.state,
      line: { ...this.#line },
      last: this.#last,
    };
  }

  restore(state: MarkdownState): void {
    this.#blocks = state.blocks;
    this.#spans.restore(state.spans);
    this.#heads.forget();
    this.#links.restore(state.links);
    this.#line = { ...state.line };
    this.#last = state.last;
  }

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
    if (!this.#line.text.endsWith(CALL)) this.#extend(CALL);
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
      const isCertain = leaf.kind !== "table" || this.#line.hasPipe;
      if (this.#kinds.has(leaf.kind)) return { kind: leaf.kind, isCertain };
    }
    // Whitespace at the beginning of an answer can be code or nothing; what follows the call shows it.
    const canBeCode = this.#blocks.leaf.kind === "start" && this.#kinds.has("indented_code");
    if (canBeCode && isIndentedCode(this.#line.text)) return { kind: "indented_code", isCertain: false };
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
    return !hasText && isNothing(this.#line.text);
  }

  /** Whether a code span can be open at this position. */
  get mayBeInSpan(): boolean {
    if (!this.#kinds.has("code_span")) return false;
    const { text, isContinued } = this.#readInline("no mark follows");
    if (text < 0) return false;
    return isContinued ? this.#spans.mayBeOpen : this.#spans.hasFence;
  }

  /** Watches the spans and the link that can be open here, and whether the line is the head of a table. */
  watch(): SpanWatch[] {
    const watches: SpanWatch[] = [];
    if (this.mayBeInSpan) watches.push(this.#spans.watch());
    const canBeHead = this.#line.hasPipe && this.#kinds.has("table");
    if (canBeHead && this.#readPrefix().leaf.kind === "paragraph") watches.push(this.#heads.watch());
    const link = this.#kinds.has("link") ? this.#links.watch(this.#line.text) : undefined;
    return link ? [...watches, link] : watches;
  }

  /** Searches the text so far for spans. */
  readSpans(): void {
    this.#readInline();
  }

  #extend(text: string): void {
    if (this.#line.first === 0) {
      this.#line.first = firstUnit(text);
      this.#line.isIndented ||= this.#line.first !== text.charCodeAt(0) || this.#line.text !== "";
    }
    this.#line.hasBacktick ||= text.includes("`");
    this.#line.hasPipe ||= text.includes("|");
    if (this.#links.isActive) this.#links.feed(text);
    const room = LINE_MAXIMUM - this.#line.text.length;
    if (room > 0) this.#line.text += text.slice(0, room);
    if (text.length < room) return;
    // The kind of a line must be known once it is full.
    if (room > 0) this.#readInline();
    // A line of this length that isn't known to be text is in a fence or opens one.
    if (this.#line.isInline) this.#spans.feed(text.slice(room));
  }

  /** The blocks of the line, assuming that the next character isn't a mark. */
  #readPrefix(): LineBlocks {
    return readLine(this.#blocks, this.#line.text.slice(0, PREFIX_MAXIMUM) + CALL);
  }

  /** Reads the available part of the line and searches its text for spans. */
  #readInline(next?: "no mark follows"): { text: number; isContinued: boolean } {
    if (this.#line.isInline) {
      this.#feedSpans();
      return { text: 0, isContinued: true };
    }
    const read = this.#readPrefix();
    // Up to here, the line can still become another block or a fence.
    const isOpen = read.text < 0 || read.text >= this.#line.text.length ||
      (next === undefined && isMarks(this.#line.text.slice(read.text)));
    if (isOpen) return read;
    this.#beginInline(read);
    return { text: 0, isContinued: true };
  }

  #beginInline(read: { text: number; isContinued: boolean }): void {
    if (!read.isContinued) this.#spans.endParagraph();
    this.#line.isInline = true;
    this.#line.read = read.text;
    this.#feedSpans();
  }

  #feedSpans(): void {
    if (this.#line.read < this.#line.text.length) this.#spans.feed(this.#line.text.slice(this.#line.read));
    this.#line.read = this.#line.text.length;
  }

  #endLine(): void {
    const isPlain = !this.#line.hasBacktick && !this.#line.isInline && !this.#spans.isActive;
    const leaf = isPlain ? readPlainLine(this.#blocks, this.#summary) : undefined;
    if (leaf) {
      if (leaf !== this.#blocks.leaf) this.#blocks = { containers: [], leaf };
    } else if (!this.#spans.closesFence(this.#line.text)) this.#endMarkedLine();
    this.#heads.endLine(this.#blocks.leaf.kind);
    this.#links.endLine();
    this.#line = { ...NEW_LINE };
  }

  get #summary(): LineSummary {
    const { first, isIndented } = this.#line;
    return { first, isIndented, cells: this.#cells };
  }

  get #cells(): Cells {
    if (!this.#line.hasPipe) return 1;
    return this.#line.text.length < LINE_MAXIMUM ? cellsOf(this.#line.text) : "any";
  }

  #endMarkedLine(): void {
    const read = readLine(this.#blocks, this.#line.text);
    if (this.#line.isInline) this.#feedSpans();
    else if (read.text >= 0) this.#beginInline(read);
    if (read.text < 0 && !this.#line.isInline) this.#spans.endParagraph();
    else this.#spans.endLine();
    this.#blocks = { containers: read.containers, leaf: read.leaf };
    if (read.leaf.kind === "none") this.#spans.endParagraph();
  }
}

function isIndentedCode(line: string): boolean {
  return new LinePrefix(line.slice(0, PREFIX_MAXIMUM) + CALL).indent >= TAB_WIDTH;
}

function firstUnit(text: string): number {
  return trim(text).charCodeAt(0) || 0;
}

/** Whether a text has only characters with which a block can begin. */
function isMarks(text: string): boolean {
  for (const character of text) if (!"-+*#=_`~>|0123456789.) \t:".includes(character)) return false;
  return true;
}
