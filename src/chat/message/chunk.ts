/**
 * The shapes of OpenAI's chat answers, streamed and whole. They are loose on purpose: upstreams add fields of their
 * own, and every unknown field is kept. These are only types: an upstream can send other values.
 *
 * @module
 */

export interface Loose {
  /** An unknown field; it is kept. */
  readonly [field: string]: unknown;
}

export interface ContentPart extends Loose {
  /** `text`, or a kind that is passed on without being read. */
  readonly type?: string;
  readonly text?: unknown;
}

export type Content = string | readonly ContentPart[] | null;

export interface CalledFunction extends Loose {
  readonly name?: string;
  /** The arguments as JSON text, or a fragment of that text. */
  readonly arguments?: string;
}

export interface ToolCall extends Loose {
  /** The id that the client's result refers to. */
  readonly id?: string;
  /** `function`. */
  readonly type?: string;
  readonly function?: CalledFunction;
}

/** A piece of a tool call in a stream. The first piece has the id and the name; every piece has the index. */
export interface ToolCallDelta extends ToolCall {
  /** The number of the call in its choice: 0, 1, 2 … */
  readonly index?: number;
}

export type Delta = {
  readonly content?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly ToolCallDelta[];
  readonly function_call?: CalledFunction;
};

/** The fields of an answer's message, whole or in pieces. */
export interface AnswerFields<Call> extends Loose {
  /** `assistant`; in a stream, in the first delta. */
  readonly role?: string;
  readonly content?: Content;
  readonly tool_calls?: readonly Call[] | null;
  /** The only call of an older answer, from before the API had `tool_calls`. */
  readonly function_call?: CalledFunction | null;
}

export type ChoiceDelta = AnswerFields<ToolCallDelta>;

export type ChatMessage = AnswerFields<ToolCall>;

export interface ChunkChoice extends Loose {
  /** The number of the choice; 0 if it is missing. */
  readonly index?: number;
  readonly delta?: ChoiceDelta | null;
  /** Why the choice ended; null while it continues. */
  readonly finish_reason?: string | null;
}

export interface ChatChunk extends Loose {
  /** The choices with new content; empty in a usage chunk. */
  readonly choices: readonly ChunkChoice[];
  /** The token counts, if the request asks for them. */
  readonly usage?: unknown;
}

export interface CompletionChoice extends Loose {
  readonly index?: number;
  readonly message?: ChatMessage | null;
  readonly finish_reason?: string | null;
}

export interface ChatCompletion extends Loose {
  readonly choices: readonly CompletionChoice[];
}
