/**
 * Our own vocabulary: what the matcher says, what plugins see, what renderers turn into an agent's dialect.
 * Everything in the house speaks these events and nothing else.
 *
 * @module
 */
import type { Reason } from "./reason.ts";

/** Text that is no tool call, byte for byte as it came. */
export interface TextEvent {
  /** What kind of event it is. */
  readonly kind: "text";
  /** The text, never empty. */
  readonly text: string;
}

/** A tool call has been announced: from here on the client may have heard of it. */
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
  /** What a wrapper said of the call (`toolId`, `dependsOn`); never part of the arguments. */
  readonly meta?: Readonly<Record<string, string>>;
  /** What the upstream said of its own call; absent where the call was found in text. */
  readonly native?: NativeHead;
}

/** What the head of an upstream's own call held beside the name. */
export interface NativeHead {
  /** Its id, if it gave one that no other call of the conversation has. */
  readonly id?: string;
  /** Fields that we do not know; they travel on. */
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
  /** The call's text as the model wrote it; only where whole calls were asked for. */
  readonly source?: string;
}

/** An announced call broke off. Its arguments must never be presented as complete. */
export interface CallAbortEvent {
  /** What kind of event it is. */
  readonly kind: "call_abort";
  /** The number of the call. */
  readonly call: number;
  /** The reason code. */
  readonly reason: Reason;
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
  /** Where the candidate stood in the answer: UTF-16 offsets from its beginning. */
  readonly start: number;
  /** The end of the candidate, like `start`. */
  readonly end: number;
  /** One short phrase for a person; never contents of the answer. */
  readonly detail?: string;
}

/** Everything that can be said of an answer. */
export type Event = TextEvent | CallEvent;

/** Everything that is not text. */
export type CallEvent =
  | CallStartEvent
  | ArgumentsEvent
  | CallEndEvent
  | CallAbortEvent
  | GroupStartEvent
  | GroupEndEvent
  | NoteEvent;
