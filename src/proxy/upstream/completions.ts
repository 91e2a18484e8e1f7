/**
 * Upstreams that get a prompt as text: a chat template writes the conversation with its tools, and the completion comes
 * back as a chat answer, in which calls are text.
 *
 *     chat request ─▶ template ─▶ POST /completions ─▶ text ─▶ chat answer ─▶ read as always
 *
 * @module
 */
import { parseExact } from "../../chat/message/spelling.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import { SseDecoder, type SseMessage } from "../../chat/sse/decode.ts";
import { encodeMessage } from "../../chat/sse/encode.ts";
import { canDecode, codingsOf, decode } from "../transport/encoding.ts";
import type { RequestBody } from "./prompted.ts";
import type { HttpError } from "../transport/respond.ts";
import { LOOK_BYTES_MAX, shapeOf } from "../transport/shape.ts";
import type { UpstreamAnswer } from "./upstream.ts";

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** Writes a conversation as the prompt of a model. */
export interface PromptTemplate {
  /** The prompt; undefined if the template can't write the conversation. */
  render(conversation: {
    readonly messages: readonly Fields[];
    readonly tools: readonly unknown[] | undefined;
    readonly asksForAnswer: boolean;
    readonly date?: Date;
  }): string | undefined;
}

/** The path below the base URL. */
export const COMPLETIONS_PATH = "/completions";

/** Servers end a completion after 16 tokens unless the request states how many it wants. */
const TOKENS_PRESET = 8192;

/** Fields of a chat request that a completion doesn't have, or has with another meaning. */
const CHAT_FIELDS = [
  ...["messages", "tools", "tool_choice", "parallel_tool_calls", "functions", "function_call"],
  ...["max_completion_tokens", "logprobs", "top_logprobs"],
];

/** A prompt, or what the client gets without one. */
export type WrittenPrompt = string | UpstreamAnswer | HttpError;

/** Writes the conversation of a chat request, in which each message is a text, as the prompt of a model. */
export type WritePrompt = (chat: Fields) => WrittenPrompt | Promise<WrittenPrompt>;

/** The body of a completion request for the body of a chat request. */
export async function completionBody(body: RequestBody, write: WritePrompt): Promise<WrittenPrompt> {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body ?? new Uint8Array());
  const request = parseJson(text);
  if (!isRecord(request) || !Array.isArray(request.messages)) return UNREADABLE;
  const messages = request.messages.filter(isRecord).map(plainMessage);
  if (messages.some(({ content }) => Array.isArray(content))) return NOT_TEXT;
  const prompt = await write({ ...request, messages });
  if (typeof prompt !== "string") return prompt;
  const kept = Object.entries(parseExact(text) as Fields).filter(([field]) => !CHAT_FIELDS.includes(field));
  const max = request.max_completion_tokens ?? request.max_tokens ?? TOKENS_PRESET;
  return JSON.stringify({ ...Object.fromEntries(kept), max_tokens: max, prompt });
}

/** A message as every template knows it: many drop parts of text and the role `developer` without an error. */
function plainMessage(message: Fields): Fields {
  const { role, content } = message;
  const isText = (part: unknown): part is { text: string } =>
    isRecord(part) && part.type === "text" && typeof part.text === "string";
  const text = Array.isArray(content) && content.every(isText)
    ? content.map((part) => part.text).join("\n")
    : content;
  return { ...message, role: role === "developer" ? "system" : role, content: text };
}

/**
 * Writes prompts with a template. Most templates want arguments as objects, some as JSON; most want no list of tools instead
 * of an empty one, some loop over it anyway.
 */
export function writeWith(template: PromptTemplate): WritePrompt {
  return ({ messages: given, tools: offered, tool_choice: choice }) => {
    const messages = given as readonly Fields[];
    const hasTools = Array.isArray(offered) && offered.length > 0 && choice !== "none";
    for (const tools of hasTools ? [offered] : [undefined, []]) {
      for (const written of [messages.map(withObjects), messages]) {
        const prompt = template.render({ messages: written, tools, asksForAnswer: true, date: new Date() });
        if (prompt !== undefined) return prompt;
      }
    }
    return UNWRITABLE;
  };
}

function withObjects(message: Fields): Fields {
  const { tool_calls: calls, content } = message;
  if (!Array.isArray(calls)) return message;
  const objects = calls.filter(isRecord).map((call) => {
    const made = isRecord(call.function) ? call.function : {};
    const given = typeof made.arguments === "string"
      ? parseJson(made.arguments) ?? made.arguments
      : made.arguments;
    return { ...call, function: { ...made, arguments: given } };
  });
  return { ...message, content: content ?? "", tool_calls: objects };
}

/** A completion as a chat answer; everything else stays. */
export function chatAnswer(answered: UpstreamAnswer, lengthMax: number): UpstreamAnswer {
  const { response, deadline } = answered;
  const { status, statusText, headers, body } = response;
  const codings = codingsOf(headers);
  if (!response.ok || body === null || !canDecode(codings)) return answered;
  const converted = decode(body, codings).pipeThrough(converterStream(lengthMax));
  const kept = new Headers(headers);
  for (const name of ["content-length", "content-encoding"]) kept.delete(name);
  return { response: new Response(converted, { status, statusText, headers: kept }), deadline };
}

/** Makes pieces of a chat answer of pieces of a completion. */
interface Converter {
  push(text: string): string;
  end(): string;
}

/** Converts a body by what its first characters are: some servers name the wrong type. */
function converterStream(lengthMax: number): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let start = "";
  let converter: Converter | undefined;
  const push = (text: string): string => {
    if (converter !== undefined) return converter.push(text);
    start += text;
    const shape = shapeOf(start);
    if (shape === "unsure" && start.length < LOOK_BYTES_MAX) return "";
    converter = shape === "stream" ? eventConverter() : wholeConverter(lengthMax);
    return converter.push(start);
  };
  const send = (text: string, out: TransformStreamDefaultController<Uint8Array>) => {
    if (text !== "") out.enqueue(encoder.encode(text));
  };
  return new TransformStream({
    transform: (bytes, out) => send(push(decoder.decode(bytes, { stream: true })), out),
    flush: (out) => send(push(decoder.decode()) + (converter?.end() ?? start), out),
  });
}

function eventConverter(): Converter {
  const decoder = new SseDecoder();
  const begun = new Set<unknown>();
  const write = (messages: readonly SseMessage[]) =>
    messages.map(({ raw, data }) => {
      const value = data === undefined ? undefined : parseJson(data);
      return isRecord(value) && Array.isArray(value.choices)
        ? encodeMessage(JSON.stringify(chunkOf(value, begun)))
        : raw;
    }).join("");
  return { push: (text) => write(decoder.read(text)), end: () => write(decoder.end()) };
}

function chunkOf(value: Fields, begun: Set<unknown>): Fields {
  const choices = (value.choices as readonly unknown[]).filter(isRecord).map((choice) => {
    const { text, index = 0, finish_reason: finish = null } = choice;
    const role = begun.has(index) ? {} : { role: "assistant" };
    begun.add(index);
    return { index, delta: { ...role, content: textOf(text) }, finish_reason: finish };
  });
  return { ...value, object: "chat.completion.chunk", choices };
}

/** Converts an answer that isn't streamed. One that is too long stays, so that its reader refuses it as such. */
function wholeConverter(lengthMax: number): Converter {
  let whole = "";
  let isTooLong = false;
  return {
    push(text) {
      whole += text;
      isTooLong ||= whole.length > lengthMax;
      return isTooLong ? take() : "";
    },
    end() {
      const value = isTooLong ? undefined : parseJson(whole);
      return isRecord(value) && Array.isArray(value.choices) ? JSON.stringify(completionOf(value)) : take();
    },
  };

  function take(): string {
    const taken = whole;
    whole = "";
    return taken;
  }
}

function completionOf(value: Fields): Fields {
  const choices = (value.choices as readonly unknown[]).filter(isRecord).map((choice) => {
    const { text, index = 0, finish_reason: finish = null } = choice;
    return { index, message: { role: "assistant", content: textOf(text) }, finish_reason: finish };
  });
  return { ...value, object: "chat.completion", choices };
}

function textOf(text: unknown): string {
  return typeof text === "string" ? text : "";
}

const UNREADABLE: HttpError = {
  status: 400,
  type: "invalid_request_error",
  code: "invalid_json",
  message: "The request's body is not a JSON object with `messages`",
};

const UNWRITABLE: HttpError = {
  status: 400,
  type: "invalid_request_error",
  code: "template_failed",
  param: "messages",
  message:
    "The chat template of the upstream (`chat_template`) can't write this conversation: it stops with an error, or " +
    "needs what Dragoman's template engine doesn't have. Try another template of the model",
};

const NOT_TEXT: HttpError = {
  status: 400,
  type: "invalid_request_error",
  code: "not_text",
  param: "messages",
  message:
    "The upstream gets each conversation as one prompt (`chat_template`), which can't contain images, files, or " +
    "audio. Leave them out, or use an upstream with a chat API",
};
