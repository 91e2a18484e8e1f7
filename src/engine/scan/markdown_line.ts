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
import { isIndentation, LinePrefix, TAB_WIDTH } from "./line_prefix.ts";

/** A block that contains other blocks. An item contains the lines that are indented at least as far as its text. */
export type Container = { readonly kind: "quote" } | { readonly kind: "item"; readonly indent: number };

/** The innermost block. */
export type Leaf =
  /** The text is still blank, or no leaf continues. */
  | { readonly kind: "start" | "none" | "table" }
  /** `hasText`: whether it contains anything besides calls. */
  | { readonly kind: "indented_code"; readonly hasText: boolean }
  /** `hasPipe`: its last line can be the head of a table. */
  | { readonly kind: "paragraph"; readonly hasPipe: boolean }
  | {
    readonly kind: "fence";
    readonly mark: string;
    readonly length: number;
    readonly hasText: boolean;
    /** Whether it is the first thing in the text. */
    readonly isFirst: boolean;
  };

/** The open blocks after a line. */
export interface Blocks {
  readonly containers: readonly Container[];
  readonly leaf: Leaf;
}

/** The blocks after a line, and its text. */
export interface LineBlocks extends Blocks {
  /** The index of the line's text in which code spans count, or -1. */
  readonly text: number;
  /** Whether that text continues the text of the previous line. */
  readonly isContinued: boolean;
}

/** The character that represents a call; it is neither a mark nor white space. */
export const OBJECT = "\ufffc";

/** The blocks before the first line. */
export const NO_BLOCKS: Blocks = { containers: [], leaf: { kind: "start" } };

const NONE: Leaf = { kind: "none" };
const TABLE: Leaf = { kind: "table" };
const PARAGRAPH: Leaf = { kind: "paragraph", hasPipe: false };
const PIPED_PARAGRAPH: Leaf = { kind: "paragraph", hasPipe: true };
const QUOTE: Container = { kind: "quote" };

const MARKS = new Uint8Array(128);
for (const mark of "-+*#=_`~>|:0123456789") MARKS[mark.charCodeAt(0)] = 1;

/** The deepest nesting of containers. Models don't write deeper nesting, and it would make lines slow to read. */
const CONTAINERS_MAXIMUM = 32;

/** A summary of a line, to avoid reading it again. */
export interface LineSummary {
  /** Its first UTF-16 unit that isn't white space, or 0. */
  readonly first: number;
  readonly isIndented: boolean;
  readonly hasPipe: boolean;
}

/** The result of `readLine` for most lines, which are text without containers; undefined if the line must be read. */
export function readPlainLine({ containers, leaf }: Blocks, line: LineSummary): Leaf | undefined {
  if (containers.length > 0 || isMark(line.first)) return undefined;
  switch (leaf.kind) {
    case "fence":
      return leaf.hasText || line.first === 0 ? leaf : undefined;
    case "paragraph":
      if (line.first === 0) return NONE;
      return line.hasPipe ? PIPED_PARAGRAPH : PARAGRAPH;
    case "none":
      if (line.first === 0) return NONE;
      return line.isIndented ? undefined : line.hasPipe ? PIPED_PARAGRAPH : PARAGRAPH;
    default:
      return undefined;
  }
}

/** Whether a block other than a paragraph can begin with a character. */
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
      // White space at the beginning of an answer doesn't begin code.
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
  if (line.isBlank) return without(open, isNew ? NONE : afterBlank(leaf));
  // A line of a paragraph can omit the marks of its containers.
  if (isParagraph && !isNew) return readParagraph({ containers, leaf }, line, areMatched);
  if (leaf.kind === "table" && areMatched && !isNew) {
    return { containers, leaf, text: line.at, isContinued: false };
  }
  const isHeading = line.isHeading;
  const paragraph: Leaf = isHeading ? NONE : { kind: "paragraph", hasPipe: line.rest.includes("|") };
  return { containers: open, leaf: paragraph, text: line.at, isContinued: false };
}

function readParagraph(
  { containers, leaf }: Blocks,
  line: LinePrefix,
  areMatched: boolean,
): LineBlocks {
  const { rest, at } = line;
  if (line.isHeading) return { containers, leaf: NONE, text: at, isContinued: false };
  if (areMatched && leaf.kind === "paragraph" && leaf.hasPipe && isDelimiterRow(rest)) {
    return without(containers, TABLE);
  }
  const paragraph: Leaf = { kind: "paragraph", hasPipe: rest.includes("|") };
  return { containers, leaf: paragraph, text: at, isContinued: true };
}

function without(containers: readonly Container[], leaf: Leaf): LineBlocks {
  return { containers, leaf, text: -1, isContinued: false };
}

function afterBlank(leaf: Leaf): Leaf {
  return leaf.kind === "indented_code" || leaf.kind === "start" ? leaf : NONE;
}

/** Whether a line is the second line of a table: `| --- | :-: |`. */
function isDelimiterRow(text: string): boolean {
  let hasDash = false;
  let hasPipe = false;
  for (const character of text) {
    if (character === "-") hasDash = true;
    else if (character === "|") hasPipe = true;
    else if (character !== ":" && !isIndentation(character)) return false;
  }
  return hasDash && hasPipe;
}

/** Whether a line has only white space and calls. */
export function isNothing(line: string): boolean {
  for (const character of line) if (character !== OBJECT && !isIndentation(character)) return false;
  return true;
}
