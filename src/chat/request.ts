/**
 * The body of a chat request: read loosely, changed only where something has to change, and then so that
 * everything else keeps its value to the last digit.
 *
 * @module
 */
import { present } from "../object/present.ts";
import { isRecord } from "../object/record.ts";
import type { Content, Loose } from "./chunk.ts";
import { mendHistory } from "./history.ts";

/** One message of the conversation. */
export interface RequestMessage extends Loose {
  /** `system`, `developer`, `user`, `assistant`, `tool`. */
  readonly role?: string;
  /** What was said: text, or a list of parts. */
  readonly content?: Content;
}

/** A function that the client can execute. */
export interface RequestFunction extends Loose {
  /** Its name. */
  readonly name?: string;
  /** What it does, for the model. */
  readonly description?: string;
  /** The JSON Schema of its arguments. */
  readonly parameters?: unknown;
}

/** One tool of a request, as OpenAI's API writes it. */
export interface RequestTool extends Loose {
  /** `function`. */
  readonly type?: string;
  /** The function. */
  readonly function?: RequestFunction;
}

/** A chat request. Nothing in it is promised: clients send what they like. */
export interface ChatRequest extends Loose {
  /** What the client calls the model. */
  readonly model?: string;
  /** The conversation. */
  readonly messages?: readonly RequestMessage[];
  /** The tools that the client can execute. */
  readonly tools?: readonly RequestTool[] | null;
  /** The legacy list of functions, without the wrapper that `tools` have. */
  readonly functions?: readonly RequestFunction[] | null;
  /** Whether the answer is to be streamed. */
  readonly stream?: boolean | null;
  /** How many choices are asked for; 1 where it is missing. */
  readonly n?: number | null;
}

/** What an upstream wants to be different in a request. */
export interface RequestChanges {
  /** What the client calls a model → what the upstream calls it. */
  readonly modelNames: Readonly<Record<string, string>>;
  /** Fields that are added where the client left them out. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Whether earlier calls that a strict server would refuse are mended. */
  readonly mendsHistory?: boolean;
}

/**
 * The request of a body, or undefined where the body is no JSON object.
 *
 * @param body the text that the client sent
 */
export function readRequest(body: string): ChatRequest | undefined {
  const value = parse(body);
  return isRecord(value) ? { ...value } : undefined;
}

/** A request with the text that it was read from. */
export interface RequestText {
  /** The text that the client sent. */
  readonly body: string;
  /** What `readRequest` made of it. */
  readonly request: ChatRequest | undefined;
}

/**
 * The body with the changes made, or undefined when nothing changes: the client's bytes then go on as they came. Only
 * a body that changes is parsed again, since keeping the spelling of its numbers is slow.
 *
 * @param sent the text that the client sent, and what was read from it
 * @param changes model names and default fields
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
  if (request === undefined) return undefined;
  const { model } = request;
  const name = typeof model === "string" && Object.hasOwn(changes.modelNames, model)
    ? changes.modelNames[model]
    : undefined;
  const added = Object.entries(changes.defaults).filter(([field]) => !Object.hasOwn(request, field));
  const isRenamed = name !== undefined && name !== model;
  const mayChange = isRenamed || added.length > 0 || changes.mendsHistory === true;
  const value = mayChange ? parse(body, keepNumber) : undefined;
  if (!isRecord(value)) return undefined;
  const messages = changes.mendsHistory ? mendHistory(value.messages) : undefined;
  if (!isRenamed && added.length === 0 && messages === undefined) return undefined;
  return JSON.stringify({
    ...value,
    ...present({ messages, model: name }),
    ...Object.fromEntries(added),
  });
}

/** JSON as JavaScript knows it since 2025: a number's own spelling can be read and written. */
interface SourceTextJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
}

/** Keeps the spelling of a number that would change by being read and written: 12345678901234567890, 1.0. */
function keepNumber(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== "number" || context.source === undefined || String(value) === context.source) {
    return value;
  }
  return (JSON as unknown as SourceTextJson).rawJSON(context.source);
}

function parse(text: string, reviver?: typeof keepNumber): unknown {
  try {
    return reviver ? (JSON as unknown as SourceTextJson).parse(text, reviver) : JSON.parse(text);
  } catch {
    return undefined;
  }
}
