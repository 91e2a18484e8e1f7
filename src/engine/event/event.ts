/**
 * The events of a text and its calls. A stage passes an event that it does not change on as the very same object: that is
 * how a writer knows which messages it can send unchanged.
 *
 * @module
 */
import type { Reason } from "./reason.ts";

/** Text that isn't a tool call, unchanged. */
export interface TextEvent {
  /** What kind of event it is. */
  readonly kind: "text";
  /** The text, never empty. */
  readonly text: string;
  /** The call that this text is, for a client that reads calls in text; only after the renderer. */
  readonly call?: number;
}

/** A tool call is announced: from here on the client may know of it. */
export interface CallStartEvent {
  /** What kind of event it is. */
  readonly kind: "call_start";
  /** The number of the call in its answer: 0, 1, 2 … */
  readonly call: number;
  /** The offered tool's own name (an alias has been resolved). */
  readonly tool: string;
  /** The name of the rule that read the call. */
  readonly rule: string;
  /** The confidence of that rule, 0 to 1. */
  readonly confidence: number;
  /** What a wrapper states about the call (`toolId`, `dependsOn`); never part of the arguments. */
  readonly meta?: Readonly<Record<string, string>>;
  /** The id that the client's result refers to: the upstream's own, or the one that the renderer chose. */
  readonly id?: string;
  /** True: a client that reads calls in text gets this one while the model still writes it. */
  readonly isFlowing?: boolean;
  /** Where the call begins in the answer; only for a second reader. */
  readonly start?: number;
  /** Unknown fields of the upstream's own call; they travel on. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A fragment of a call's arguments. All fragments of a call concatenate to one JSON object. */
export interface ArgumentsEvent {
  /** What kind of event it is. */
  readonly kind: "arguments";
  /** The number of the call. */
  readonly call: number;
  /** A piece of JSON text. */
  readonly json: string;
}

/** The call is whole: its arguments are one valid JSON object. */
export interface CallEndEvent {
  /** What kind of event it is. */
  readonly kind: "call_end";
  /** The number of the call. */
  readonly call: number;
  /** What was repaired in the call's text; only when whole calls are wanted and something was. */
  readonly repairs?: readonly Reason[];
  /**
   * The call's text as the model wrote it, without words before its closer, which follow the call; only when whole calls
   * are wanted.
   */
  readonly source?: string;
  /** What a second reader needs to check a call whose text was repaired; only for it. */
  readonly checked?: CheckedEnd;
}

/** The end of a call that a second reader checks before the client gets it. */
export interface CheckedEnd {
  /** Where the call begins in the answer. */
  readonly start: number;
  /** The rest of its arguments. */
  readonly rest: string;
  /** Why a value can be another one than the model meant: a repair, or marks of the call in it. */
  readonly ambiguity: "none" | "repair" | "structure";
}

/** An announced call broke off. Its arguments must never be presented as complete. */
export interface CallAbortEvent {
  /** What kind of event it is. */
  readonly kind: "call_abort";
  /** The number of the call. */
  readonly call: number;
  /** The reason code. */
  readonly reason: Reason;
  /** Where the call begins in the answer; only for a second reader, which can finish it. */
  readonly start?: number;
  /** What was read of its arguments and isn't certain; only for a second reader. */
  readonly rest?: string;
}

/** The calls up to the matching `group_end` belong together. */
export interface GroupStartEvent {
  /** What kind of event it is. */
  readonly kind: "group_start";
  /** The name of the rule. */
  readonly rule: string;
  /** How the calls relate, as the model wrote it (`parallel`, `sequential`), or null. */
  readonly mode: string | null;
}

/** The end of a group of calls. */
export interface GroupEndEvent {
  /** What kind of event it is. */
  readonly kind: "group_end";
}

/** A decision or a repair, for the audit log; it changes nothing in the answer. */
export interface NoteEvent {
  /** What kind of event it is. */
  readonly kind: "note";
  /** The reason code. */
  readonly reason: Reason;
  /** The name of the rule. */
  readonly rule: string;
  /** The tool, as far as it was known. */
  readonly tool?: string;
  /** The call that the note is about, where one had been announced or read. */
  readonly call?: number;
  /** Where the candidate is in the answer: UTF-16 offsets from its beginning. */
  readonly start: number;
  /** The end of the candidate, like `start`. */
  readonly end: number;
  /** One short phrase for a person; never contents of the answer. */
  readonly detail?: string;
  /** True: the candidate's text left the answer, because the answer's end cut it off. */
  readonly isLost?: true;
  /** Where its text stops being JSON, if that isn't its end. */
  readonly brokenAt?: number;
}

/** A piece of the model's reasoning, which the upstream keeps apart from the text. */
export interface ReasoningEvent {
  /** What kind of event it is. */
  readonly kind: "reasoning";
  /** The reasoning, never empty. */
  readonly text: string;
}

/** No more text follows, or it begins again after a call: what is held back must leave. Ends at the matcher. */
export interface TextEndEvent {
  /** What kind of event it is. */
  readonly kind: "text_end";
  /** Whether the text was cut off. */
  readonly truncated: boolean;
  /** Whether the upstream made calls of its own. */
  readonly isAnswered: boolean;
}

/** What plugins see of an answer: text and calls. */
export type ContentEvent = TextEvent | CallEvent;

/** Everything that is not text. */
export type CallEvent =
  | CallStartEvent
  | ArgumentsEvent
  | CallEndEvent
  | CallAbortEvent
  | GroupStartEvent
  | GroupEndEvent
  | NoteEvent;

/** Everything that the matcher takes and gives. */
export type MatchEvent = ContentEvent | ReasoningEvent | TextEndEvent;
