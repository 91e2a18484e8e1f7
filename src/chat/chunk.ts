/**
 * The shapes of OpenAI's chat answers, streamed and whole. Loose on purpose: upstreams add fields of their own,
 * and every field that we do not know travels on. Types only; nothing in a field is promised.
 *
 * @module
 */

/** Something that may have more fields than we know. */
export interface Loose {
  /** A field that we do not know; it is kept. */
  readonly [field: string]: unknown;
}

/** One part of a content that is a list. */
export interface ContentPart extends Loose {
  /** `text`, or a kind that is passed on unread. */
  readonly type?: string;
  /** The text of a text part. */
  readonly text?: unknown;
}

/** What a message or a delta says: text, a list of parts, or nothing. */
export type Content = string | readonly ContentPart[] | null;

/** The function of a call, or a piece of it. */
export interface CalledFunction extends Loose {
  /** The tool's name. */
  readonly name?: string;
  /** The arguments as JSON text, or a fragment of that text. */
  readonly arguments?: string;
}

/** A whole tool call of an answer that is not streamed. */
export interface ToolCall extends Loose {
  /** What the client's result will refer to. */
  readonly id?: string;
  /** `function`. */
  readonly type?: string;
  /** Which tool, with which arguments. */
  readonly function?: CalledFunction;
}

/** A piece of a tool call in a stream. The first of a call has the id and the name, all have the index. */
export interface ToolCallDelta extends ToolCall {
  /** Which call of the choice: 0, 1, 2 … */
  readonly index?: number;
}

/** What Dragoman writes into a choice: text, reasoning, or pieces of calls. */
export type Delta = {
  readonly content?: string;
  /** Reasoning that was in the text. */
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly ToolCallDelta[];
  readonly function_call?: CalledFunction;
};

/** What is new in one choice. */
export interface ChoiceDelta extends Loose {
  /** `assistant`, in the first delta. */
  readonly role?: string;
  /** New text. */
  readonly content?: Content;
  /** Calls that the upstream itself sends. */
  readonly tool_calls?: readonly ToolCallDelta[] | null;
  /** The one call that the API knew before there were `tool_calls`. */
  readonly function_call?: CalledFunction | null;
}

/** One choice of a chunk. */
export interface ChunkChoice extends Loose {
  /** Which choice of the answer; 0 where it is missing. */
  readonly index?: number;
  /** What is new. */
  readonly delta?: ChoiceDelta | null;
  /** Why the choice is over; null while it goes on. */
  readonly finish_reason?: string | null;
}

/** One chunk of a streamed answer. */
export interface ChatChunk extends Loose {
  /** The choices that have something new; empty in a usage chunk. */
  readonly choices: readonly ChunkChoice[];
  /** Token counts, where asked for. */
  readonly usage?: unknown;
}

/** The message of an answer that is not streamed. */
export interface ChatMessage extends Loose {
  /** `assistant`. */
  readonly role?: string;
  /** The text. */
  readonly content?: Content;
  /** The calls. */
  readonly tool_calls?: readonly ToolCall[] | null;
  /** The one call that the API knew before there were `tool_calls`. */
  readonly function_call?: CalledFunction | null;
}

/** One choice of an answer that is not streamed. */
export interface CompletionChoice extends Loose {
  /** Which choice of the answer. */
  readonly index?: number;
  /** What the model said. */
  readonly message?: ChatMessage | null;
  /** Why it stopped. */
  readonly finish_reason?: string | null;
}

/** An answer that is not streamed. */
export interface ChatCompletion extends Loose {
  /** One, or `n` of them. */
  readonly choices: readonly CompletionChoice[];
}
