/** The body of a chat request, which is read loosely. @module */
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { Content, Loose } from "./chunk.ts";

/** One message of the conversation. */
export interface RequestMessage extends Loose {
  /** `system`, `developer`, `user`, `assistant`, `tool`. */
  readonly role?: string;
  /** Its content: text, or a list of parts. */
  readonly content?: Content;
}

/** A function that the client can execute. */
export interface RequestFunction extends Loose {
  /** The name by which the model calls it. */
  readonly name?: string;
  /** What it does, for the model. */
  readonly description?: string;
  /** The JSON Schema of its arguments. */
  readonly parameters?: unknown;
}

/** One tool of a request, in the form of OpenAI's API. */
export interface RequestTool extends Loose {
  /** `function`. */
  readonly type?: string;
  /** The function that the tool is. */
  readonly function?: RequestFunction;
}

/** A chat request. These are only types: a client can send other values. */
export interface ChatRequest extends Loose {
  /** The client's name for the model. */
  readonly model?: string;
  /** The conversation. */
  readonly messages?: readonly RequestMessage[];
  /** The tools that the client can execute. */
  readonly tools?: readonly RequestTool[] | null;
  /** The older list of functions, without the wrapper of `tools`. */
  readonly functions?: readonly RequestFunction[] | null;
  /** Whether to stream the answer. */
  readonly stream?: boolean | null;
  /** The number of choices; 1 if it is missing. */
  readonly n?: number | null;
}

/** The request in a body; undefined if the body isn't a JSON object. */
export function readRequest(body: string): ChatRequest | undefined {
  const value = parseJson(body);
  return isRecord(value) ? { ...value } : undefined;
}
