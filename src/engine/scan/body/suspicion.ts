/**
 * A position at which a value ends if a closer was forgotten, and how to distinguish it from a mention of a tag.
 *
 * @module
 */
import { isBlank, isSpace } from "../../pattern/node.ts";
import type { Failure } from "../call_sink.ts";

/** The length above which held text is content. */
export const HELD_MAXIMUM = 1024 * 1024;

/** A position at which the value ends if a closer was forgotten. */
export interface Suspicion {
  /**
   * What is at the position: the value's own closer before structure ("closed") or before prose, the next item or call,
   * a repetition of the value, or the closer of something around it ("open").
   */
  readonly kind: "closed" | "prose" | "item" | "call" | "repeated" | "open";
  /** The offsets in the answer at which the value would end and reading would continue. */
  readonly start: number;
  readonly resume: number;
  readonly atLineStart: boolean;
  /** Whether it is unclear which white space before it belongs to the value. */
  isAmbiguous: boolean;
  /** Whether only white space followed the last tag that closes the value or something around it. */
  isDirect: boolean;
  /** The text from the position on. */
  text: string;
  /** The number of open items, including this value's own. */
  depth: number;
  /** The keys of the items that open in `text`. */
  readonly keys: Set<string>;
  /** The offset of the first closer of the value before an item, where the value ends if the items in `text` are content. */
  whole?: number;
  /** The index in `text` at which the repeated value begins. */
  repetition?: number;
}

/** Whether the answer ends in an unfinished tag, with text before it that can be part of the value. */
export function isCutShort({ kind, start, resume, text }: Suspicion, cutAt: number | undefined): boolean {
  return kind === "prose" && cutAt !== undefined && !isBlank(text.slice(resume - start, cutAt - start));
}

/** The held text of a position that was just found. */
export const NOTHING_HELD = { isDirect: false, text: "" };

/** Whether the value's own closer is at the position. */
export function isOwnCloser(kind: Suspicion["kind"]): boolean {
  return kind === "closed" || kind === "prose";
}

/** Counts another closer of the value that nothing after it confirms. */
export function countCloser(suspicion: Suspicion): void {
  suspicion.depth--;
  if (isAround(suspicion)) suspicion.isAmbiguous = true;
}

/** Whether a value that ends at the position ends together with its call. */
export function isAround({ kind }: Suspicion): boolean {
  return kind === "open" || kind === "call";
}

/**
 * Considers a second position. Only a closer before prose is doubted again: a closer before structure is more certain,
 * and other tags make neither position certain.
 *
 * @returns whether to remember the second position instead
 */
export function doubtAgain(before: Suspicion, kind: Suspicion["kind"]): boolean {
  if (before.kind !== "prose") return false;
  if (kind === "prose" || kind === "open") before.isAmbiguous = true;
  return kind === "closed" || kind === "repeated";
}

/** The characters before a tag that a text only mentions. */
const MENTIONING: ReadonlySet<number> = new Set([..."`'\"([{"].map((one) => one.charCodeAt(0)));

/** The failure of a parameter that has two values. */
export function twice(key: string): Failure {
  return { reason: "malformed", detail: `\`${key}\` came twice` };
}

/** A text without a leading line break. */
export function withoutLineBreak(text: string): string {
  return text.startsWith("\n") ? text.slice(1) : text.startsWith("\r\n") ? text.slice(2) : text;
}

/** Moves a position before a line break that ends there, which can be the one before a value's own closer. */
export function withoutFinalLineBreak(text: string, end: number): number {
  if (text[end - 1] !== "\n") return end;
  return text[end - 2] === "\r" ? end - 2 : end - 1;
}

/** The white space at a position. */
export function leadingSpace(text: string, from: number): string {
  let end = from;
  while (end < text.length && isSpace(text.charCodeAt(end))) end++;
  return text.slice(from, end);
}

/** Whether a tag after this character is only mentioned. */
export function isMentioning(unit: number): boolean {
  return MENTIONING.has(unit);
}
