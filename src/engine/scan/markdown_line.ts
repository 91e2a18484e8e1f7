/**
 * The block structure of Markdown, line by line, according to CommonMark: the containers and the leaf of each line. It
 * distinguishes only what matters for code and quotations; a heading is a paragraph of one line.
 *
 *     1. Write it like this:          item, paragraph
 *                                     item, none
 *        > ```xml                     item, quote, fence
 *        > <tool_call>                item, quote, fence
 *        And so on.                   item, paragraph: the fence ended with its quote
 *
 * @module
 */
import { isEscaped } from "../pattern/characters.ts";
import type { Blocks, Cells, Container, Leaf } from "./blocks.ts";
import { isIndentation, LinePrefix, TAB_WIDTH, trim } from "./line_prefix.ts";

export interface LineBlocks extends Blocks {
  /** The index of the line's text in which code spans count, or -1. */
  readonly text: number;
  /** Whether that text continues the text of the previous line. */
  readonly isContinued: boolean;
  /** Whether the line is in a quotation without a mark of its own, as CommonMark lets a paragraph's lines be. */
  readonly isLazy: boolean;
}

/**
 * The character that represents a call in a line. A model can print any character, but its line contains no line break.
 * It is neither a mark nor whitespace inside a line.
 */
export const CALL = "\n";

const NONE: Leaf = { kind: "none" };
const EMPTY_ITEM: Leaf = { kind: "empty_item" };
const TABLE: Leaf = { kind: "table" };
const PARAGRAPH: Leaf = { kind: "paragraph", cells: 1 };
const BAR = 0x7c;
const COLON = 0x3a;
const DASH = 0x2d;
const QUOTE: Container = { kind: "quote" };

const MARKS = new Uint8Array(128);
for (const mark of "-+*#=_`~>|:0123456789") MARKS[mark.charCodeAt(0)] = 1;

/** The deepest nesting of containers. Models don't write deeper nesting, and it would make lines slow to read. */
const CONTAINERS_MAXIMUM = 32;

/** A summary of a line, to avoid reading it again. */
export interface LineSummary {
  /** Its first UTF-16 unit that isn't whitespace, or 0. */
  readonly first: number;
  readonly isIndented: boolean;
  readonly cells: Cells;
}

/** The result of `readLine` for most lines, which are text without containers; undefined if the line must be read. */
export function readPlainLine({ containers, leaf }: Blocks, line: LineSummary): Leaf | undefined {
  if (containers.length > 0 || isMark(line.first)) return undefined;
  switch (leaf.kind) {
    case "fence":
      return leaf.hasText || line.first === 0 ? leaf : undefined;
    case "paragraph":
      if (line.first === 0) return NONE;
      return paragraphOf(line.cells);
    case "none":
      if (line.first === 0) return NONE;
      return line.isIndented ? undefined : paragraphOf(line.cells);
    default:
      return undefined;
  }
}

function isMark(unit: number): boolean {
  return unit < 128 && MARKS[unit] === 1;
}

/** Reads a line, without its end, after the open blocks. */
export function readLine(blocks: Blocks, text: string): LineBlocks {
  const { containers, leaf } = blocks;
  const line = new LinePrefix(text);
  let matched = 0;
  while (matched < containers.length && line.enter(containers[matched]!)) matched++;
  const areMatched = matched === containers.length;
  if (leaf.kind === "fence" && areMatched) {
    if (line.isFenceEnd(leaf)) return without(containers, NONE);
    return without(containers, leaf.hasText || isNothing(text) ? leaf : { ...leaf, hasText: true });
  }
  const open = containers.slice(0, matched);
  const isParagraph = leaf.kind === "paragraph";
  let isNew = false;
  while (!line.isBlank && open.length < CONTAINERS_MAXIMUM) {
    if (line.indent >= TAB_WIDTH) {
      // Whitespace at the beginning of an answer doesn't begin code.
      if (!isNew && (isParagraph || leaf.kind === "start")) break;
      const hasText = (leaf.kind === "indented_code" && leaf.hasText) || !isNothing(text);
      return without(open, { kind: "indented_code", hasText });
    }
    const isInterrupting = isParagraph && areMatched && !isNew;
    const fence = line.fence();
    if (fence) return without(open, { ...fence, isFirst: leaf.kind === "start" && open.length === 0 });
    if (line.isBreak(isInterrupting)) return without(open, NONE);
    const container = line.takeQuote() ? QUOTE : line.takeItem(isInterrupting);
    if (!container) break;
    open.push(container);
    isNew = true;
  }
  if (line.isBlank && isNew) return without(open, open.at(-1)?.kind === "item" ? EMPTY_ITEM : NONE);
  if (line.isBlank) {
    const isEnd = leaf.kind === "empty_item" && areMatched;
    return without(isEnd ? open.slice(0, -1) : open, afterBlank(leaf));
  }
  // A line of a paragraph can omit the marks of its containers.
  if (isParagraph && !isNew && !line.isHeading) return readParagraph(blocks, line, open);
  const own = { text: line.at, isContinued: false, isLazy: false };
  if (leaf.kind === "table" && areMatched && !isNew) return { containers, leaf, ...own };
  return { containers: open, leaf: line.isHeading ? NONE : paragraphOf(cellsOf(line.rest)), ...own };
}

/** Reads a line of a paragraph, which has the marks of the outer containers. */
function readParagraph(
  { containers, leaf }: Blocks,
  line: LinePrefix,
  marked: readonly Container[],
): LineBlocks {
  const { rest, at } = line;
  const areMatched = marked.length === containers.length;
  const canBeRow = areMatched && line.indent < TAB_WIDTH;
  if (canBeRow && leaf.kind === "paragraph" && isDelimiterRow(rest, leaf.cells)) {
    return without(containers, TABLE);
  }
  const isLazy = containers.some(isQuote) && !marked.some(isQuote);
  return { containers, leaf: paragraphOf(cellsOf(rest)), text: at, isContinued: true, isLazy };
}

function isQuote({ kind }: Container): boolean {
  return kind === "quote";
}

function paragraphOf(cells: Cells): Leaf {
  return cells === 1 ? PARAGRAPH : { kind: "paragraph", cells };
}

function without(containers: readonly Container[], leaf: Leaf): LineBlocks {
  return { containers, leaf, text: -1, isContinued: false, isLazy: false };
}

function afterBlank(leaf: Leaf): Leaf {
  return leaf.kind === "indented_code" || leaf.kind === "start" ? leaf : NONE;
}

/** Whether a line is the second line of a table, after a head with as many cells: `| --- | :-: |`. */
function isDelimiterRow(text: string, head: Cells): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit !== DASH && unit !== BAR && unit !== COLON && !isIndentation(unit)) return false;
  }
  const isRow = text.includes("-") && (text.includes("|") || text.includes(":"));
  return isRow && (head === "any" || cellsOf(text) === head);
}

/** The number of cells in a line. A bar can be a part of a call in it. */
export function cellsOf(line: string): Cells {
  if (line.includes(CALL)) return "any";
  const text = trim(line);
  if (text === "|") return 0;
  let cells = 1;
  // A bar at the beginning or the end only encloses the cells.
  for (let at = text.indexOf("|", 1); at >= 0 && at + 1 < text.length; at = text.indexOf("|", at + 1)) {
    if (!isEscaped(text, at)) cells++;
  }
  return cells;
}

export function isNothing(line: string): boolean {
  return trim(line.replaceAll(CALL, "")) === "";
}
