/**
 * The body of a chat request. It's read loosely and changed only where necessary; everything else keeps its value to the
 * last digit.
 *
 * @module
 */
import { present } from "../../engine/object/present.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { Content, Loose } from "./chunk.ts";
import { type ReadPrintedCalls, repairHistory } from "./history.ts";
import { parseExact } from "./spelling.ts";

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

/** One tool of a request, in the shape of OpenAI's API. */
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

/** The changes that an upstream needs in a request. */
export interface RequestChanges {
  /** The client's name for a model → the upstream's name. */
  readonly modelNames: Readonly<Record<string, string>>;
  /** Fields to add if the client doesn't set them. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Whether to repair earlier calls that a strict server would refuse. */
  readonly repairsHistory?: boolean;
  /** Reads the calls that the model printed in earlier answers, to repair them, too; by default, they stay. */
  readonly readPrinted?: ReadPrintedCalls | undefined;
}

/** The request in a body; undefined if the body isn't a JSON object. */
export function readRequest(body: string): ChatRequest | undefined {
  const value = parseJson(body);
  return isRecord(value) ? { ...value } : undefined;
}

/** A request, and the text that it was read from. */
export interface RequestText {
  /** The text that the client sent. */
  readonly body: string;
  /** The result of `readRequest` for this text. */
  readonly request: ChatRequest | undefined;
}

/**
 * Makes the changes in a body. Returns undefined if nothing changes, so that the client's bytes can be sent unchanged.
 * Only a body that changes is parsed again, because keeping the spelling of its numbers is slow.
 *
 * @param source the text that the client sent, and the request in it
 * @param changes model names, default fields, and whether to repair the conversation
 *
 * @example
 * ```ts
 * import { readRequest, rewriteRequest } from "./request.ts";
 * const body = '{"model":"small"}';
 * const changes = { modelNames: { small: "qwen3" }, defaults: { max_tokens: 100 } };
 * const rewritten = rewriteRequest({ body, request: readRequest(body) }, changes);
 * console.assert(rewritten === '{"model":"qwen3","max_tokens":100}');
 * ```
 */
export function rewriteRequest({ body, request }: RequestText, changes: RequestChanges): string | undefined {
  const mayChange = request !== undefined && changeRequest(request, changes) !== undefined;
  const value = mayChange ? parseExact(body) : undefined;
  const changed = isRecord(value) ? changeRequest(value, changes) : undefined;
  return changed && JSON.stringify(changed);
}

/** Makes the changes in a request; undefined if nothing changes. */
export function changeRequest(request: ChatRequest, changes: RequestChanges): ChatRequest | undefined {
  const { model } = request;
  const name = typeof model === "string" && Object.hasOwn(changes.modelNames, model)
    ? changes.modelNames[model]
    : undefined;
  const added = Object.entries(changes.defaults).filter(([field]) => !Object.hasOwn(request, field));
  const isRenamed = name !== undefined && name !== model;
  const messages = changes.repairsHistory ? repairHistory(request.messages, changes.readPrinted) : undefined;
  if (!isRenamed && added.length === 0 && messages === undefined) return undefined;
  return { ...request, ...present({ messages, model: name }), ...Object.fromEntries(added) } as ChatRequest;
}
