/**
 * What rules are derived from: texts with the calls that stand in them, and the places where name, keys and values
 * stand.
 *
 * @module
 */

/** A call as a client would get it. */
export interface SampleCall {
  /** The tool's name. */
  readonly tool: string;
  /** Its arguments. */
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A text that holds these calls and nothing else but white space. */
export interface Sample {
  /** What the model prints. */
  readonly text: string;
  /** The calls in it, in order. */
  readonly calls: readonly SampleCall[];
  /** Identifiers that the conversation gives these calls: they differ from call to call. */
  readonly ids: readonly string[];
}

/** A stretch of a text, in UTF-16 units. */
export interface Span {
  /** Where it begins. */
  readonly start: number;
  /** Where the next character after it stands. */
  readonly end: number;
}

/** A key and its value that stand in the text outside of any JSON. */
export interface MarkedItem {
  /** Where the key stands. */
  readonly key: Span;
  /** Where the value stands, without the line breaks around it. */
  readonly value: Span;
}

/** How one call is written. */
export interface MarkedCall {
  /** Where the name stands. */
  readonly name: Span;
  /** The JSON object that holds the arguments, and perhaps the name. */
  readonly object?: MarkedObject;
  /** The items; empty where an object holds the arguments, or where the call has none. */
  readonly items: readonly MarkedItem[];
}

/** A JSON object of a call. */
export interface MarkedObject extends Span {
  /** The keys under which name and arguments stand; absent: the object is the arguments. */
  readonly envelope?: EnvelopeKeys;
}

/** Where an envelope holds what. */
export interface EnvelopeKeys {
  /** The key of the name. */
  readonly name: string;
  /** The key of the arguments; absent: they stand beside the name. */
  readonly arguments?: string;
  /** What stands before the name in its string. */
  readonly prefix: string;
  /** Other keys of the object. */
  readonly others: readonly string[];
}

/** A text with the places of its calls. */
export interface MarkedText {
  /** The text. */
  readonly text: string;
  /** Its calls, in order. */
  readonly calls: readonly MarkedCall[];
  /** Identifiers that differ from call to call. */
  readonly ids: readonly string[];
}
