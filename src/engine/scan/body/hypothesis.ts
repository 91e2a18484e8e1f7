/**
 * A position at which a value ends if a closer was forgotten, and how to distinguish it from a mention of a tag.
 *
 * @module
 */
import { unitsOf } from "../../pattern/characters.ts";
import { isBlank, spaceEnd } from "../../pattern/node.ts";
import { type Failure, malformed } from "../body_reader.ts";

/** The length above which held text is content. */
export const HELD_MAXIMUM = 1024 * 1024;

/** A position at which the value ends in another reading, and the text from there on. */
export interface PossibleEnd {
  /** The offsets in the answer at which the value would end and reading would continue. */
  readonly start: number;
  readonly resume: number;
  readonly atLineStart: boolean;
  /** Whether another reading has as little damage, so that the value can't end here: `x⏎</f>⟨here, or here⟩y⏎</f>`. */
  isAmbiguous: boolean;
  text: string;
}

/** A possible end inside an example of a call, if it only mentions one. */
export interface Mention extends PossibleEnd {
  /** The offset at which what closes the call ends; undefined while its items go on. */
  end: number | undefined;
  /** Whether the example's own items are closed, so that the closer at the position isn't theirs: `<f><p=b>y</p></p>`. */
  readonly isSurplus: boolean;
}

/** A possible end if a closer was forgotten. */
export interface Hypothesis extends PossibleEnd {
  /**
   * What is at the position:
   *
   *     x</p></w>      closed     the value's own closer before structure
   *     x</p>⏎Done.    prose      the same before text
   *     x⏎<p=b>y       item       the next item
   *     x⏎<f><p=a>y    call       the next call
   *     x</p><p=a>y    repeated   a repetition of the item
   *     x⏎</f>         open       the closer of something around the value
   */
  readonly kind: "closed" | "prose" | "item" | "call" | "repeated" | "open";
  /** Whether `text` ends in a tag that closes the value or something around it: `</f>⏎`, but not `</f>⏎Done.` */
  endsInCloser: boolean;
  /** The number of open items, including this value's own. */
  depth: number;
  /** The keys of the items that open in `text`. */
  readonly keys: Set<string>;
  /** The offset of the value's first closer before an item: `x⏎<p=b>y⟨here⟩</p><p=c>`. There, it ends if `b` is content. */
  whole?: number;
  /** The index in `text` at which the repeated value begins. */
  repetition?: number;
}

/** Whether the answer ends in an unfinished tag, with text before it that can be part of the value. */
export function isCutShort(
  { kind, start, resume, text, endsInCloser }: Hypothesis,
  cutAt: number | undefined,
): boolean {
  if (cutAt === undefined) return false;
  return kind === "open"
    ? !endsInCloser
    : kind === "prose" && !isBlank(text.slice(resume - start, cutAt - start));
}

/** Whether the value's own closer is at the position. */
export function isOwnCloser(kind: Hypothesis["kind"]): boolean {
  return kind === "closed" || kind === "prose";
}

/** Counts another closer of the value that nothing after it confirms. */
export function countCloser(hypothesis: Hypothesis): void {
  hypothesis.depth--;
  if (isAround(hypothesis)) hypothesis.isAmbiguous = true;
}

/** Whether a value that ends at the position ends together with its call. */
export function isAround({ kind }: Hypothesis): boolean {
  return kind === "open" || kind === "call";
}

/**
 * Considers a second position. Only a closer before prose is doubted again: a closer before structure is more certain,
 * and other tags make neither position certain.
 *
 * @returns whether to remember the second position instead
 */
export function ambiguousAgain(before: Hypothesis, kind: Hypothesis["kind"]): boolean {
  if (before.kind !== "prose") return false;
  if (kind === "prose" || kind === "open") before.isAmbiguous = true;
  return kind === "closed" || kind === "repeated";
}

/** The characters before a tag that a text only mentions. */
const MENTIONING = unitsOf("`'\"([{");

/** The failure of a parameter that has two values. */
export function twice(key: string): Failure {
  return malformed(`\`${key}\` came twice`);
}

export function withoutLineBreak(text: string): string {
  return text.startsWith("\n") ? text.slice(1) : text.startsWith("\r\n") ? text.slice(2) : text;
}

/** Moves a position before a line break that ends there, which can be the one before a value's own closer. */
export function withoutFinalLineBreak(text: string, end: number): number {
  if (text[end - 1] !== "\n") return end;
  return text[end - 2] === "\r" ? end - 2 : end - 1;
}

export function leadingSpace(text: string, from: number): string {
  return text.slice(from, spaceEnd(text, from));
}

/** Whether a tag after this character is only mentioned. */
export function isMentioning(unit: number): boolean {
  return MENTIONING.has(unit);
}
