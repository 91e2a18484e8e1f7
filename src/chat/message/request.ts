/** The body of a chat request, which is read loosely. @module */
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { Content, Loose } from "./chunk.ts";

export interface RequestMessage extends Loose {
  /** `system`, `developer`, `user`, `assistant`, `tool`. */
  readonly role?: string;
  readonly content?: Content;
}

export interface RequestFunction extends Loose {
  readonly name?: string;
  readonly description?: string;
  readonly parameters?: unknown;
}

export interface RequestTool extends Loose {
  /** `function`. */
  readonly type?: string;
  readonly function?: RequestFunction;
}

/** A chat request. These are only types: a client can send other values. */
export interface ChatRequest extends Loose {
  readonly model?: string;
  readonly messages?: readonly RequestMessage[];
  readonly tools?: readonly RequestTool[] | null;
  /** The older list of functions, without the wrapper of `tools`. */
  readonly functions?: readonly RequestFunction[] | null;
  readonly stream?: boolean | null;
  /** The number of choices; 1 if it is missing. */
  readonly n?: number | null;
}

/** The request in a body; undefined if the body isn't a JSON object. */
export function readRequest(body: string): ChatRequest | undefined {
  const value = parseJson(body);
  return isRecord(value) ? { ...value } : undefined;
}
