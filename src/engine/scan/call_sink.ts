/**
 * The interface between a body and its frame. A body knows only its own grammar; the frame decides when the client
 * receives a call and when its text is returned.
 *
 * @module
 */
import type { Reason } from "../event/reason.ts";
import type { ArgumentsWriter } from "./arguments_writer.ts";
import type { Cursor } from "./cursor.ts";

/** The reason that a text isn't a call. */
export interface Failure {
  /** The reason code. */
  readonly reason: Reason;
  /** A short phrase for people, which never contains text of the answer. */
  readonly detail?: string;
  /** Whether the text ends inside a value of a call, so that calls in it are examples in the value. */
  readonly isTorn?: true;
  /** Whether the next call can be a mention in a value of this one. */
  readonly mayHoldNext?: true;
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

/** Receives the calls of a body, part by part. */
export interface CallSink {
  /** Begins a call after checking its tool: offered, allowed, on the rule's list. */
  begin(name: string): ArgumentsWriter | Failure;
  /** Begins a call whose tool the opener named. */
  beginNamed(): ArgumentsWriter;
  /** Ends a whole call. */
  finish(): void;
  /** Sends nothing before the close, because a later call can undo the others. */
  waitForClose(): void;
  /** Sends text after the call, which came before its closer and isn't part of its arguments. */
  follow(text: string): void;
  /** Records a repair. */
  repair(reason: Reason, detail?: string): void;
  /** The groups of the opener. */
  readonly groups: Readonly<Record<string, string>>;
  /** Whether the call begins at the start of a line. */
  readonly startsLine: boolean;
  /** Whether a name refers to an offered tool, and whether that tool can have a parameter. */
  offers(name: string, parameter?: string): boolean;
  /** Items that name the call and aren't arguments. */
  readonly meta: readonly string[];
}

/** Whether a value is a failure. */
export function isFailure(value: unknown): value is Failure {
  return typeof value === "object" && value !== null && "reason" in value;
}
