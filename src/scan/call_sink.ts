/**
 * What a body hands over of the calls that it reads. A body knows its own grammar and nothing of the frame, which
 * decides when the client gets a call and when its text comes back.
 *
 * @module
 */
import type { Reason } from "../event/reason.ts";
import type { ArgumentsWriter } from "./arguments_writer.ts";
import type { Cursor } from "./cursor.ts";

/** Why a text is not a call after all. */
export interface Failure {
  /** The reason code. */
  readonly reason: Reason;
  /** One short phrase for a person; never contents of the answer. */
  readonly detail?: string;
}

/** How far a body came: it waits for more text, it is closed, or it is not a call. */
export type Progress = "more" | "closed" | Failure;

/** Reads the text in a rule's hole, and its closer. */
export interface BodyReader {
  /**
   * Reads on from the cursor; what is consumed never depends on how the answer was cut.
   *
   * @returns also `checkpoint`: the calls so far are certain, and from the cursor on it is another one, whose text
   * comes back if it fails
   */
  read(cursor: Cursor): Progress | "checkpoint";
  /** Whether it holds text that it may read again. */
  readonly isHolding?: boolean;
  /** Whether the tool's name comes first in it: until then the text is kept no longer than an opener. */
  readonly beginsWithName?: boolean;
}

/** Takes the calls of a body, part by part. */
export interface CallSink {
  /** A call begins; its tool is checked: offered, allowed, on the rule's list. */
  begin(name: string): ArgumentsWriter | Failure;
  /** A call begins whose tool the opener named. */
  beginNamed(): ArgumentsWriter;
  /** The call that was begun is whole. */
  finish(): void;
  /** One of the calls to come may undo the others: nothing is sent before the close. */
  waitForClose(): void;
  /** Something was repaired. */
  repair(reason: Reason, detail?: string): void;
  /** The groups of the opener. */
  readonly groups: Readonly<Record<string, string>>;
  /** Whether the call begins at the start of a line. */
  readonly startsLine: boolean;
  /** Whether a name is that of an offered tool. */
  offers(name: string): boolean;
  /** Items that name the call and are no arguments. */
  readonly meta: readonly string[];
}

/** Whether reading failed. */
export function isFailure(value: unknown): value is Failure {
  return typeof value === "object" && value !== null && "reason" in value;
}
