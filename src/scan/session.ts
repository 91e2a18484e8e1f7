/**
 * What the parts of one running matcher share.
 *
 * @module
 */
import type { CallEvent } from "../event/event.ts";
import type { OfferedTools } from "../tool/offered.ts";
import type { Program } from "./program.ts";

/** What is decided once per request. */
export interface MatcherOptions {
  /** A call is made only of these. */
  readonly offered: OfferedTools;
  /** A rule under this confidence makes no call. */
  readonly minimumConfidence: number;
  /** Whether the client gets a call only when it is whole; `call_end` then carries the call's own text. */
  readonly wholeCalls: boolean;
}

/** One answer being read. */
export interface Session {
  /** The compiled rules. */
  readonly program: Program;
  /** What was decided for the request. */
  readonly options: MatcherOptions;
  /** How many calls have been begun: the next call's number. */
  calls: number;
  /** Where in the answer the matcher stands. */
  offset(): number;
  /** Takes an event on its way out. */
  push(event: CallEvent): void;
}
