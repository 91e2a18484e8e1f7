/**
 * The interface of a body toward its frame. A body knows only its own grammar; the frame decides when the client
 * receives a call and when its text is returned.
 *
 * @module
 */
import type { Reason } from "../event/reason.ts";
import type { Cursor } from "./cursor.ts";

/** The reason that a text isn't a call. */
export interface Failure {
  readonly reason: Reason;
  /** A short phrase for people, which never contains text of the answer. */
  readonly detail?: string;
  /** Whether the text ends inside a value of a call, so that calls in it are examples in the value. */
  readonly isTorn?: true;
  /** Whether the next call can be a mention in a value of this one. */
  readonly mayHoldNext?: true;
  /** Where the text stops being JSON, if more of it was read. */
  readonly brokenAt?: number;
}

/** The progress of a body: it waits for more text, it is closed, or it isn't a call. */
export type Progress = "more" | "closed" | Failure;

/** Reads the text in a rule's hole and its closer. */
export interface BodyReader {
  /**
   * Reads from the cursor. What it consumes never depends on how the answer is cut.
   *
   * @returns `checkpoint` if the calls so far are certain and another call begins at the cursor; if that one fails,
   * only its own text is returned
   */
  read(cursor: Cursor): Progress | "checkpoint";
  /** Whether it holds text that it can read again. */
  readonly isHolding?: boolean;
  /** Whether the tool's name comes first; until then, no more text is kept than for an opener. */
  readonly beginsWithName?: boolean;
}

export function isFailure(value: unknown): value is Failure {
  return typeof value === "object" && value !== null && "reason" in value;
}

/** The answer ends inside the call. */
export const TRUNCATED: Failure = { reason: "truncated" };

/** Too much text was read again. */
export const EXHAUSTED: Failure = { reason: "over_limit", detail: "parsed again too many times" };

/** The failure of a text that isn't a call in the rule's notation. */
export function malformed(detail: string): Failure {
  return { reason: "malformed", detail };
}
