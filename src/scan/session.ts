/**
 * What the parts of one running matcher share.
 *
 * @module
 */
import type { OpenCall } from "../event/open_call.ts";
import type { OfferedTools } from "../tool/offered.ts";
import type { Cursor } from "./cursor.ts";
import type { Emission } from "./emission.ts";
import type { EchoGuard } from "./echo_guard.ts";
import type { Program } from "./program.ts";

/** What is decided once per request. */
export interface MatcherOptions {
  /** A call is made only of these. */
  readonly offered: OfferedTools;
  /** A rule under this confidence makes no call. */
  readonly minimumConfidence: number;
  /** Whether the client gets a call only when it is whole; `call_end` then carries the call's own text. */
  readonly wholeCalls: boolean;
  /**
   * Decides at each parameter whether a call can leave from there on while it is still read, although whole calls are
   * wanted. If it breaks off after that, it ends with `call_abort`. By default every call waits for its end.
   */
  readonly canFlow?: (call: OpenCall) => boolean;
  /** What of the request the model may be repeating: a call that stands there is not made. */
  readonly echoGuard?: EchoGuard;
  /** What becomes of calls in the model's reasoning; they are never made twice. Default: they are ignored. */
  readonly reasoning?: "ignore" | "recover";
  /** Whether the answer begins inside the reasoning, because the model's template has opened it. */
  readonly beginsInReasoning?: boolean;
  /** Asked between slices of a long text: whether to pause reading. Default: it never pauses. */
  readonly isPauseDue?: () => boolean;
}

/** One answer being read. */
export interface Session {
  /** The compiled rules. */
  readonly program: Program;
  /** What was decided for the request. */
  readonly options: MatcherOptions;
  /** The answer's text, as far as it is at hand. */
  readonly cursor: Cursor;
  /** Takes events on their way out. */
  readonly emission: Emission;
  /** How many calls have been begun: the next call's number. */
  calls: number;
}
