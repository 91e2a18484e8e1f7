/**
 * Upstreams that get a prompt as text: a chat template writes the conversation with its tools, and the completion comes
 * back as a chat answer, in which calls are text.
 *
 *     chat request ─▶ template ─▶ POST /completions ─▶ text ─▶ chat answer ─▶ read as always
 *
 * @module
 */
import { parseJson } from "../object/parse.ts";
import { isRecord } from "../object/record.ts";
import { SseDecoder } from "../sse/decode.ts";
import { encodeMessage } from "../sse/encode.ts";
import { isEvents } from "./pass_on.ts";
import type { RequestBody } from "./prompted.ts";
import type { HttpError } from "./respond.ts";
import type { UpstreamAnswer } from "./upstream.ts";

type Fields = Readonly<Record<string, unknown>>;

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

/** The body of a completion request for the body of a chat request. */
export function completionBody(body: RequestBody, template: PromptTemplate): string | HttpError {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body ?? new Uint8Array());
  const request = parseJson(text);
  if (!isRecord(request) || !Array.isArray(request.messages)) return UNREADABLE;
  const prompt = promptOf(request, template);
  if (prompt === undefined) return UNWRITABLE;
  const kept = Object.entries(request).filter(([field]) => !CHAT_FIELDS.includes(field));
  const max = request.max_completion_tokens ?? request.max_tokens ?? TOKENS_PRESET;
  return JSON.stringify({ ...Object.fromEntries(kept), max_tokens: max, prompt });
}

/** Most templates want arguments as objects, some as JSON. */
function promptOf(request: Fields, template: PromptTemplate): string | undefined {
  const messages = (request.messages as readonly unknown[]).filter(isRecord);
  const tools = Array.isArray(request.tools) && request.tools.length > 0 && request.tool_choice !== "none"
    ? request.tools as readonly unknown[]
    : undefined;
  const render = (written: readonly Fields[]) =>
    template.render({ messages: written, tools, asksForAnswer: true, date: new Date() });
  return render(messages.map(withObjects)) ?? render(messages);
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
export function chatAnswer(answered: UpstreamAnswer, bytesMax: number): UpstreamAnswer {
  const { response, deadline } = answered;
  const { status, statusText, headers, body } = response;
  if (!response.ok || body === null) return answered;
  const converted = body.pipeThrough(isEvents(headers) ? chatEvents() : chatWhole(bytesMax));
  const kept = new Headers(headers);
  kept.delete("content-length");
  return { response: new Response(converted, { status, statusText, headers: kept }), deadline };
}

function chatEvents(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new SseDecoder();
  const encoder = new TextEncoder();
  const begun = new Set<unknown>();
  const write = (messages: ReturnType<SseDecoder["push"]>) =>
    encoder.encode(
      messages.map(({ raw, data }) => {
        const value = data === undefined ? undefined : parseJson(data);
        return isRecord(value) && Array.isArray(value.choices)
          ? encodeMessage(JSON.stringify(chunkOf(value, begun)))
          : raw;
      }).join(""),
    );
  return new TransformStream({
    transform: (bytes, out) => out.enqueue(write(decoder.push(bytes))),
    flush: (out) => out.enqueue(write(decoder.end())),
  });
}

function chunkOf(value: Fields, begun: Set<unknown>): Fields {
  const choices = (value.choices as readonly unknown[]).filter(isRecord).map((choice) => {
    const { text, index = 0, finish_reason: finish = null } = choice;
    const role = begun.has(index) ? {} : { role: "assistant" };
    begun.add(index);
    return { index, delta: { ...role, content: String(text ?? "") }, finish_reason: finish };
  });
  return { ...value, object: "chat.completion.chunk", choices };
}

/** An answer that isn't streamed is read whole. */
function chatWhole(bytesMax: number): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  return new TransformStream({
    transform(bytes, out) {
      length += bytes.length;
      if (length > bytesMax) return out.error(new RangeError("The answer is too long"));
      text += decoder.decode(bytes, { stream: true });
    },
    flush(out) {
      const value = parseJson(text);
      const whole = isRecord(value) && Array.isArray(value.choices)
        ? JSON.stringify(completionOf(value))
        : text;
      out.enqueue(new TextEncoder().encode(whole));
    },
  });
}

function completionOf(value: Fields): Fields {
  const choices = (value.choices as readonly unknown[]).filter(isRecord).map((choice) => {
    const { text, index = 0, finish_reason: finish = null } = choice;
    return { index, message: { role: "assistant", content: String(text ?? "") }, finish_reason: finish };
  });
  return { ...value, object: "chat.completion", choices };
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
