/**
 * The data that the parts of one running matcher share.
 *
 * @module
 */
import type { CheckedEnd } from "../event/event.ts";
import type { Reason } from "../event/reason.ts";
import type { ArgumentShapes } from "../tool/shapes.ts";
import type { OpenCall } from "../event/open_call.ts";
import type { OfferedTools } from "../tool/offered.ts";
import type { Surroundings } from "./body/value_ambiguity.ts";
import type { Cursor } from "./cursor.ts";
import type { Emission } from "./emission.ts";
import type { EchoGuard } from "./echo_guard.ts";
import type { Program } from "./program.ts";

/** What a second reader decides while a call is read. */
export interface ReadAgain {
  /**
   * What is ambiguous about a call that is read; undefined if the reader needn't check it.
   *
   * @param notes what was repaired
   * @param isAmbiguous whether a parameter's name may lack a letter, or a value can hold marks of the call
   */
  ambiguityOf(notes: readonly Reason[], isAmbiguous: boolean): CheckedEnd["ambiguity"] | undefined;
  /** Whether a parameter's name may be a known one that lacks a letter. */
  lacksLetter(name: string, known: string): boolean;
  /** Whether a value can hold marks of the call, which stand around it. */
  isAmbiguousValue(text: string, surroundings: Surroundings): boolean;
}

/** The decisions that are made once per request. */
export interface MatcherOptions {
  readonly offered: OfferedTools;
  /** The least confidence of a rule that can make a call. */
  readonly minimumConfidence: number;
  /** Whether the client receives only whole calls; `call_end` then contains the call's source text. */
  readonly wholeCalls: boolean;
  /**
   * Decides at each parameter whether the rest of a call can be sent while it is read, although whole calls are wanted.
   * If the call breaks off after that, it ends with `call_abort`. By default, every call waits for its end.
   */
  readonly canFlow?: (call: OpenCall) => boolean;
  /** Whether the client runs a rule's calls in fences, too, if it gets them unchanged; absent: it runs none. */
  readonly runsInFences?: (rule: string) => boolean;
  /** The request text that the model can repeat; a call in that text isn't made. */
  readonly echoGuard?: EchoGuard;
  /** Whether calls in the reasoning are ignored (the default) or recovered; they are never made twice. */
  readonly reasoning?: "ignore" | "recover";
  /** Whether the answer begins inside the reasoning, because the model's template opened it. */
  readonly beginsInReasoning?: boolean;
  /** Whether reasoning in the text leaves as reasoning, without its marks. By default, it stays in the text. */
  readonly separatesReasoning?: boolean;
  /** Whether the text arrives whole, so that what can be reasoning waits until that is certain. */
  readonly isWhole?: boolean;
  /** Whether the beginning of a call that the end of the answer cut off leaves it. By default, it is text. */
  readonly dropsCutCalls?: boolean;
  /** Whether values in JSON keep a type that the schema doesn't allow. By default, they are fitted to the schema. */
  readonly keepsTypes?: boolean;
  /**
   * A second reader, which finishes calls that break off and checks repaired ones: what isn't certain of the arguments comes with
   * the call's end.
   */
  readonly readAgain?: ReadAgain | undefined;
  /** Repairs the shape of arguments in JSON. By default, none is repaired. */
  readonly shapes?: ArgumentShapes;
}

export interface Session {
  readonly program: Program;
  readonly options: MatcherOptions;
  /** The available part of the answer's text. */
  readonly cursor: Cursor;
  readonly emission: Emission;
  /** The number of calls that have begun, which is the next call's number. */
  calls: number;
}
