/**
 * What a body says of the calls that it reads, and what it is told. A body knows its own grammar; announcing,
 * committing and giving text back is the frame's.
 *
 * @module
 */
import type { Reason } from "../event/reason.ts";
import type { ArgumentsWriter } from "./arguments_writer.ts";
import type { Cursor } from "./cursor.ts";

/** Why a text is no call after all. */
export interface Failure {
  readonly reason: Reason;
  /** One short phrase for a person; never contents of the answer. */
  readonly detail?: string;
}

/** How far a body came: it waits for more text, it is closed, or it is none. */
export type Progress = "more" | "closed" | Failure;

/** Reads the text in a rule's hole, and its closer. */
export interface BodyReader {
  /** Reads on from the cursor; what is consumed never depends on how the answer was cut. */
  read(cursor: Cursor): Progress;
}

/** Where a body puts its calls. */
export interface CallSink {
  /** A call begins; its tool is checked: offered, allowed, on the rule's list. */
  begin(name: string): ArgumentsWriter | Failure;
  /** A call begins whose tool the opener named. */
  beginNamed(): ArgumentsWriter;
  /** The call that was begun is whole. */
  finish(): void;
  /** The calls so far are certain; from the cursor on it is another one, whose text comes back if it fails. */
  checkpoint(cursor: Cursor): void;
  /** One of the calls to come may undo the others: nothing is said before the close. */
  waitForClose(): void;
  /** Something was mended. */
  repair(reason: Reason, detail?: string): void;
  /** The groups of the opener. */
  readonly groups: Readonly<Record<string, string>>;
  /** Whether a name is that of an offered tool. */
  offers(name: string): boolean;
  /** Items that name the call and are no arguments. */
  readonly meta: readonly string[];
  /** Whether the client has heard of a call of this frame. */
  readonly isCommitted: boolean;
}

/** Whether reading failed. */
export function isFailure(value: unknown): value is Failure {
  return typeof value === "object" && value !== null && "reason" in value;
}
