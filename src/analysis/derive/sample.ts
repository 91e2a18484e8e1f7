/**
 * What rules are derived from: texts with their calls, and the places of names, keys and
 * values.
 *
 * @module
 */

import type { OfferedTool } from "../../engine/tool/offered.ts";

export interface SampleCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A text that holds these calls and nothing else but whitespace. */
export interface Sample {
  readonly text: string;
  readonly calls: readonly SampleCall[];
  /** Identifiers that the conversation gives these calls: they differ from call to call. */
  readonly ids: readonly string[];
}

/** A stretch of a text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  /** The place of the next character after it. */
  readonly end: number;
}

/** A key and its value in the text, outside of any JSON. */
export interface MarkedItem {
  readonly key: Span;
  /** The place of the value, without the line breaks around it. */
  readonly value: Span;
  /** Whether the value is a CDATA section; its marks are part of the place. */
  readonly isCdata?: boolean;
  /** The item's own marks, where they are signs. */
  readonly marks?: SignMarks;
}

/** The marks of an item that signs mark, and its place with them. */
export interface SignMarks extends Span {
  readonly opener: string;
  /** Between key and value. */
  readonly middle: string;
  /** The quote before the value; empty if there is none. */
  readonly quote: string;
  /** After the value, the quote included. */
  readonly closer: string;
}

export interface MarkedCall {
  readonly name: Span;
  /** The JSON object, or the call in Python, that holds the arguments, and perhaps the name. */
  readonly object?: MarkedObject;
  /** The items; empty where an object holds the arguments, or where the call has none. */
  readonly items: readonly MarkedItem[];
}

interface MarkedObject extends Span {
  /** The keys of name and arguments; absent: the object is the arguments. */
  readonly envelope?: EnvelopeKeys;
  /** Whether it is a call in Python's syntax: `f(a=1)`, the name included. */
  readonly isPython?: boolean;
}

export interface EnvelopeKeys {
  /** The key of the name; if the envelope is keyed, the tool's name itself. */
  readonly name: string;
  /** Whether the name is the only key, and its value the arguments. */
  readonly isKeyed?: boolean;
  /** The key of the arguments; absent: they are next to the name. */
  readonly arguments?: string;
  /** The key of the object that holds both; absent: nothing is around them. */
  readonly nested?: string;
  /** What is before the name in its string. */
  readonly prefix: string;
  /** Other keys of the object. */
  readonly others: readonly string[];
}

/** A text with the places of its calls. */
export interface MarkedText {
  readonly text: string;
  readonly calls: readonly MarkedCall[];
  /** Identifiers that differ from call to call. */
  readonly ids: readonly string[];
  /** The tools that were offered, if it is a recorded answer. */
  readonly tools?: readonly OfferedTool[];
  /** The whole recorded answer. */
  readonly answer?: string;
}
