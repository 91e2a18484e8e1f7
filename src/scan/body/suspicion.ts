/**
 * A place of a value where it ends if a closer was forgotten, and what tells such a place from a mere mention.
 *
 * @module
 */
import { isSpace } from "../../pattern/node.ts";
import type { Failure } from "../call_sink.ts";

/** Held text is content once it is longer than this. */
export const HELD_MAXIMUM = 1024 * 1024;

/** A place where the value ends if a closer was forgotten. */
export interface Suspicion {
  /**
   * Whether its own closer stands there, before structure or before prose, the next item or call opens there, it is
   * repeated there, or something closes that is around it.
   */
  readonly kind: "closed" | "prose" | "item" | "call" | "repeated" | "open";
  /** Where in the answer the value ends then, and where reading goes on. */
  readonly start: number;
  readonly resume: number;
  readonly atLineStart: boolean;
  /** Whether it cannot be told which white space before it belongs to the value. */
  isAmbiguous: boolean;
  /** Whether only white space came since the last tag that closes the value or something around it. */
  isDirect: boolean;
  /** What came from there on. */
  text: string;
  /** How many items are open here, this value's own among them. */
  depth: number;
  /** Where in `text` the repeated value begins. */
  repetition?: number;
}

/** Whether half a tag stands at the end of the answer, with text before it that the value may go on with. */
export function isCutShort({ kind, start, resume, text }: Suspicion, cutAt: number | undefined): boolean {
  return kind === "prose" && cutAt !== undefined && !isBlank(text.slice(resume - start, cutAt - start));
}

/** What was held when the place was found. */
export const NOTHING_HELD = { isDirect: false, text: "" };

/** Whether the value's own closer stands there. */
export function isOwnCloser(kind: Suspicion["kind"]): boolean {
  return kind === "closed" || kind === "prose";
}

/** Takes another closer of the value into account, with nothing after it that makes sure that it is one. */
export function countCloser(suspicion: Suspicion): void {
  suspicion.depth--;
  if (isAround(suspicion)) suspicion.isAmbiguous = true;
}

/** Whether a value that ends there ends together with its call. */
export function isAround({ kind }: Suspicion): boolean {
  return kind === "open" || kind === "call";
}

/**
 * Takes a second place into account. Only a closer before prose is doubted once more: its closer before structure is
 * surer, and other tags leave neither certain.
 *
 * @returns whether the second place is the one to remember
 */
export function doubtAgain(before: Suspicion, kind: Suspicion["kind"]): boolean {
  if (before.kind !== "prose") return false;
  if (kind === "prose" || kind === "open") before.isAmbiguous = true;
  return kind === "closed" || kind === "repeated";
}

/** What stands before a tag that a text only mentions. */
const MENTIONING: ReadonlySet<number> = new Set([..."`'\"([{"].map((one) => one.charCodeAt(0)));

/** A parameter came twice with two values. */
export function twice(key: string): Failure {
  return { reason: "malformed", detail: `\`${key}\` came twice` };
}

/** A text without the line break that it begins with. */
export function withoutLineBreak(text: string): string {
  return text.startsWith("\n") ? text.slice(1) : text.startsWith("\r\n") ? text.slice(2) : text;
}

/** A place of a text, moved before a line break that ends there: it may be the one before a value's own closer. */
export function withoutFinalLineBreak(text: string, end: number): number {
  if (text[end - 1] !== "\n") return end;
  return text[end - 2] === "\r" ? end - 2 : end - 1;
}

/** The white space that begins at a place. */
export function leadingSpace(text: string, from: number): string {
  let end = from;
  while (end < text.length && isSpace(text.charCodeAt(end))) end++;
  return text.slice(from, end);
}

/** Whether a text is white space. */
export function isBlank(text: string): boolean {
  return leadingSpace(text, 0).length === text.length;
}

/** Whether a tag after this character is only mentioned. */
export function isMentioning(unit: number): boolean {
  return MENTIONING.has(unit);
}
