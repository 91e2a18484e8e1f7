/** The shapes of OpenAI's chat answers. They are loose: unknown fields are kept, and a value can be of another type. @module */

/** An object that can have unknown fields. */
export interface Loose {
  /** An unknown field; it is kept. */
  readonly [field: string]: unknown;
}

/** One part of a message's content. */
export interface ContentPart extends Loose {
  /** `text`, or a kind that is passed on without being read. */
  readonly type?: string;
  /** The text of a text part. */
  readonly text?: unknown;
}

/** The content of a message or a delta: text, a list of parts, or nothing. */
export type Content = string | readonly ContentPart[] | null;

/** The function of a call, or a piece of it. */
export interface CalledFunction extends Loose {
  /** The tool's name. */
  readonly name?: string;
  /** The arguments as JSON text, or a fragment of that text. */
  readonly arguments?: string;
}

/** A whole tool call of an answer that isn't streamed. */
export interface ToolCall extends Loose {
  /** The id that the client's result refers to. */
  readonly id?: string;
  /** `function`. */
  readonly type?: string;
  /** The tool's name and the arguments. */
  readonly function?: CalledFunction;
}

/** A piece of a tool call in a stream. The first piece has the id and the name; every piece has the index. */
export interface ToolCallDelta extends ToolCall {
  /** The number of the call in its choice: 0, 1, 2 … */
  readonly index?: number;
}

/** The fields in which clients read reasoning. */
export type ReasoningField = "reasoning_content" | "reasoning";

/** A delta that Dragoman writes: text, reasoning, or a piece of a call. */
export type Delta = {
  readonly content?: string;
  /** Reasoning from the text, in the client's field. */
  readonly reasoning_content?: string;
  readonly reasoning?: string;
  readonly tool_calls?: readonly ToolCallDelta[];
  readonly function_call?: CalledFunction;
};

/** The fields of an answer's message, whole or in pieces. */
export interface AnswerFields<Call> extends Loose {
  /** `assistant`; in a stream, in the first delta. */
  readonly role?: string;
  /** The text, or new text. */
  readonly content?: Content;
  /** The upstream's own calls. */
  readonly tool_calls?: readonly Call[] | null;
  /** The only call of an older answer, from before the API had `tool_calls`. */
  readonly function_call?: CalledFunction | null;
}

/** The delta of an upstream's choice. */
export type ChoiceDelta = AnswerFields<ToolCallDelta>;

/** The message of an answer that isn't streamed. */
export type ChatMessage = AnswerFields<ToolCall>;

/** One choice of a chunk. */
export interface ChunkChoice extends Loose {
  /** The number of the choice; 0 if it is missing. */
  readonly index?: number;
  /** The new content. */
  readonly delta?: ChoiceDelta | null;
  /** Why the choice ended; null while it continues. */
  readonly finish_reason?: string | null;
}

/** One chunk of a streamed answer. */
export interface ChatChunk extends Loose {
  /** The choices with new content; empty in a usage chunk. */
  readonly choices: readonly ChunkChoice[];
  /** The token counts, if the request asks for them. */
  readonly usage?: unknown;
}

/** One choice of an answer that isn't streamed. */
export interface CompletionChoice extends Loose {
  /** The number of the choice; 0 if it is missing. */
  readonly index?: number;
  /** The model's message. */
  readonly message?: ChatMessage | null;
  /** Why the model stopped. */
  readonly finish_reason?: string | null;
}

/** An answer that isn't streamed. */
export interface ChatCompletion extends Loose {
  /** One choice, or `n` of them. */
  readonly choices: readonly CompletionChoice[];
}
