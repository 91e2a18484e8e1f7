/**
 * Upstreams that get a prompt as text: a chat template renders the conversation with its tools, and the completion
 * becomes a chat answer, in which calls are text.
 *
 *     chat request ─▶ template ─▶ POST /completions ─▶ text ─▶ chat answer ─▶ read as always
 *
 * @module
 */
import { bodyText, type RequestBody } from "./request_body.ts";
import { concernsCalls, demandsForm } from "../../chat/message/demanded_form.ts";
import { openReasoning, ReasoningSplit } from "../../chat/message/open_reasoning.ts";
import { parseExact } from "../../chat/message/number_spelling.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import { SseDecoder, type SseMessage } from "../../chat/sse/decode.ts";
import { encodeMessage } from "../../chat/sse/encode.ts";
import { convertBody } from "./converted.ts";
import type { ServerProfile } from "./profiles/profiles.ts";
import type { HttpError } from "../transport/respond.ts";
import { kindOf, LOOK_BYTES_MAX } from "../transport/body_kind.ts";
import type { UpstreamAnswer } from "./upstream.ts";

export type Fields = Readonly<Record<string, unknown>>;

export interface PromptTemplate {
  /** The prompt; undefined if the template can't write the conversation. */
  render(conversation: {
    readonly messages: readonly Fields[];
    readonly tools: readonly unknown[] | undefined;
    readonly asksForAnswer: boolean;
    readonly date?: Date;
    /** Other variables of the template, such as `enable_thinking`. */
    readonly terms?: Fields;
  }): string | undefined;
  /** The texts of refusals in the template; absent if unknown. */
  readonly refusals?: readonly string[];
  /** The template itself; absent if unknown. */
  readonly source?: string;
}

export const COMPLETIONS_PATH = "/completions";

/** The default of `max_tokens`; without it, servers end a completion after 16 tokens. */
const TOKENS_PRESET = 8192;

/** Fields of a chat request that a completion lacks, or has with another meaning. */
const CHAT_FIELDS = [
  ...["messages", "tools", "tool_choice", "parallel_tool_calls", "functions", "function_call"],
  ...["max_completion_tokens", "logprobs", "top_logprobs", "response_format", "chat_template_kwargs"],
];

export type WrittenPrompt = string | UpstreamAnswer | HttpError;

/** Writes the conversation of a chat request, in which each message is a text, as the prompt of a model. */
export type WritePrompt = (chat: Fields) => WrittenPrompt | Promise<WrittenPrompt>;

/** A completion request, and what is known of its answer. */
interface WrittenCompletion {
  readonly fields: Fields;
  /** The mark that ends the reasoning in which the answer begins; undefined if it doesn't begin there. */
  readonly closer: string | undefined;
  /** How many of the likeliest tokens the client wants for each token; undefined: no probabilities. */
  readonly topLogprobs: number | undefined;
  /** Whether a `response_format` was left out, because it would forbid every call of the offered tools. */
  readonly leavesFormatOut: boolean;
}

export type CompletionProfile = Pick<
  ServerProfile,
  "completion_schema_field" | "completion_logprobs" | "completion_fields"
>;

interface CompletionOptions {
  readonly write: WritePrompt;
  /** The server's profile, once the prompt was written. */
  readonly profile: () =>
    | CompletionProfile
    | undefined;
}

export async function writeCompletion(
  body: RequestBody,
  { write, profile }: CompletionOptions,
): Promise<WrittenCompletion | UpstreamAnswer | HttpError> {
  const text = bodyText(body);
  const request = parseJson(text);
  if (!isRecord(request) || !Array.isArray(request.messages)) return UNREADABLE;
  const messages = request.messages.filter(isRecord).map(plainMessage);
  if (!hasOnlyText(messages)) return NOT_TEXT;
  const prompt = await write({ ...request, messages });
  if (typeof prompt !== "string") return prompt;
  const known = profile();
  return completionFields(parseExact(text) as Fields, {
    prompt,
    closer: openReasoning(prompt),
    profile: known ?? {},
    more: known?.completion_fields,
  });
}

export function hasOnlyText(messages: unknown): boolean {
  return Array.isArray(messages) &&
    messages.filter(isRecord).every((message) => !Array.isArray(plainMessage(message).content));
}

/** What a completion has besides fields of the chat request. */
interface CompletionParts {
  readonly prompt: unknown;
  /** What ends the reasoning that the prompt opens. */
  readonly closer: string | undefined;
  readonly profile: Omit<CompletionProfile, "completion_fields">;
  /** Other fields; the request's own override them. */
  readonly more: Fields | undefined;
}

export function completionFields(
  request: Fields,
  { prompt, closer, profile, more }: CompletionParts,
): WrittenCompletion {
  const kept = Object.entries(request).filter(([field]) => !CHAT_FIELDS.includes(field));
  const max = request.max_completion_tokens ?? request.max_tokens ?? more?.max_tokens ?? TOKENS_PRESET;
  const top = typeof request.top_logprobs === "number" ? request.top_logprobs : 0;
  const wantsLogprobs = request.logprobs === true;
  const format = formatFields(request, profile.completion_schema_field);
  const leavesFormatOut = format !== undefined && canCall(request);
  const fields: Fields = {
    ...more,
    ...Object.fromEntries(kept),
    ...wantsLogprobs ? logprobsAsked(top, profile) : {},
    ...leavesFormatOut ? {} : format,
    ...concernsCalls(request.response_format) ? { response_format: request.response_format } : {},
    max_tokens: max,
    prompt,
  };
  return {
    fields,
    // Under a grammar, the reasoning couldn't end.
    closer: demandsForm(fields) ? undefined : closer,
    topLogprobs: wantsLogprobs ? top : undefined,
    leavesFormatOut,
  };
}

/** The fields for probabilities. To servers that take a number, 0 means none. */
function logprobsAsked(top: number, { completion_logprobs: form }: CompletionParts["profile"]): Fields {
  if (form === undefined) return { logprobs: Math.max(1, top) };
  return { logprobs: true, ...top > 0 ? { top_logprobs: top } : {} };
}

function canCall({ tools, tool_choice: choice }: Fields): boolean {
  return Array.isArray(tools) && tools.length > 0 && choice !== "none";
}

/** The fields that demand a form of the answer; undefined without such a demand. */
function formatFields({ response_format: format }: Fields, field: string | undefined): Fields | undefined {
  if (!isRecord(format) || format.type === "text" || concernsCalls(format)) return undefined;
  if (field === undefined) return { response_format: format };
  const given = isRecord(format.json_schema) ? format.json_schema.schema : undefined;
  return { [field]: given ?? { type: "object" } };
}

/** A message in the form that every template knows. Many drop text parts and the role `developer` without an error. */
function plainMessage(message: Fields): Fields {
  const { role, content } = message;
  const isText = (part: unknown): part is { text: string } =>
    isRecord(part) && part.type === "text" && typeof part.text === "string";
  const text = Array.isArray(content) && content.every(isText)
    ? content.map((part) => part.text).join("\n")
    : content;
  return { ...message, role: role === "developer" ? "system" : role, content: text };
}

/** Renders prompts. Most templates need arguments as objects and an absent list of tools; some need JSON, or an empty list. */
export function writeWith(template: PromptTemplate): WritePrompt {
  return ({ messages: given, tools: offered, chat_template_kwargs: kwargs }) => {
    const messages = given as readonly Fields[];
    // Also with `tool_choice: none`: the prompt stays the same, and no call is read.
    const hasTools = Array.isArray(offered) && offered.length > 0;
    const terms = isRecord(kwargs) ? kwargs : {};
    for (const tools of hasTools ? [offered] : [undefined, []]) {
      for (const written of [messages.map(withObjects), messages]) {
        const prompt = template.render({
          messages: written,
          tools,
          asksForAnswer: true,
          date: new Date(),
          terms,
        });
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

interface ChatAnswerOptions extends Pick<WrittenCompletion, "closer" | "topLogprobs"> {
  /** The longest answer that is read whole, in characters. */
  readonly lengthMax: number;
}

/** A completion as a chat answer; everything else stays. */
export function chatAnswer(answered: UpstreamAnswer, options: ChatAnswerOptions): UpstreamAnswer {
  return convertBody(answered, (body) => body.pipeThrough(converterStream(options)));
}

interface Converter {
  push(text: string): string;
  end(): string;
}

/** Converts a body according to its first characters, because some servers send a wrong content type. */
function converterStream(options: ChatAnswerOptions): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let start = "";
  let converter: Converter | undefined;
  const push = (text: string): string => {
    if (converter !== undefined) return converter.push(text);
    start += text;
    const kind = kindOf(start);
    if (kind === "unsure" && start.length < LOOK_BYTES_MAX) return "";
    converter = kind === "stream" ? eventConverter(options) : wholeConverter(options);
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

function eventConverter(options: ChatAnswerOptions): Converter {
  const decoder = new SseDecoder();
  const splits = new Map<unknown, ReasoningSplit>();
  const write = (messages: readonly SseMessage[]) =>
    messages.map(({ raw, data }) => {
      const value = data === undefined ? undefined : parseJson(data);
      return isRecord(value) && Array.isArray(value.choices)
        ? encodeMessage(JSON.stringify(chunkOf(value, { ...options, splits })))
        : raw;
    }).join("");
  return { push: (text) => write(decoder.read(text)), end: () => write(decoder.end()) };
}

function chunkOf(
  value: Fields,
  { closer, topLogprobs, splits }: ChatAnswerOptions & { readonly splits: Map<unknown, ReasoningSplit> },
): Fields {
  const choices = (value.choices as readonly unknown[]).filter(isRecord).map((choice) => {
    const { text, index = 0, finish_reason: finish = null, logprobs } = choice;
    const split = splits.get(index) ?? new ReasoningSplit(closer);
    const role = splits.has(index) ? {} : { role: "assistant" };
    splits.set(index, split);
    const { reasoning, text: content } = split.push(textOf(text), finish !== null);
    return {
      index,
      delta: { ...role, ...reasoning === "" ? {} : { reasoning_content: reasoning }, content },
      finish_reason: finish,
      ...logprobsField(logprobs, topLogprobs),
    };
  });
  return { ...value, object: "chat.completion.chunk", choices };
}

/** Converts an answer that isn't streamed. One that is too long stays, so that its reader refuses it. */
function wholeConverter(options: ChatAnswerOptions): Converter {
  let whole = "";
  let isTooLong = false;
  return {
    push(text) {
      whole += text;
      isTooLong ||= whole.length > options.lengthMax;
      return isTooLong ? take() : "";
    },
    end() {
      const value = isTooLong ? undefined : parseJson(whole);
      return isRecord(value) && Array.isArray(value.choices)
        ? JSON.stringify(completionOf(value, options))
        : take();
    },
  };

  function take(): string {
    const taken = whole;
    whole = "";
    return taken;
  }
}

function completionOf(value: Fields, { closer, topLogprobs }: ChatAnswerOptions): Fields {
  const choices = (value.choices as readonly unknown[]).filter(isRecord).map((choice) => {
    const { text, index = 0, finish_reason: finish = null, logprobs } = choice;
    const { reasoning, text: content } = new ReasoningSplit(closer).push(textOf(text), true);
    const thought = reasoning === "" ? {} : { reasoning_content: reasoning };
    return {
      index,
      message: { role: "assistant", content, ...thought },
      finish_reason: finish,
      ...logprobsField(logprobs, topLogprobs),
    };
  });
  return { ...value, object: "chat.completion", choices };
}

function textOf(text: unknown): string {
  return typeof text === "string" ? text : "";
}

/** The probabilities as in a chat; servers that don't use that form for completions send four lists of one length. */
function logprobsField(given: unknown, top: number | undefined): Fields {
  if (top === undefined || !isRecord(given)) return {};
  const content = Array.isArray(given.content) ? given.content.filter(isRecord) : listed(given);
  if (top > 0) return { logprobs: { content } };
  return { logprobs: { content: content.map((token) => ({ ...token, top_logprobs: [] })) } };
}

function listed({ tokens, token_logprobs: values, top_logprobs: tops }: Fields): Fields[] {
  if (!Array.isArray(tokens)) return [];
  const entry = (token: unknown, logprob: unknown) => ({
    token,
    logprob,
    bytes: [...new TextEncoder().encode(String(token))],
  });
  return tokens.map((token, at) => {
    const likeliest = Array.isArray(tops) && isRecord(tops[at]) ? Object.entries(tops[at]) : [];
    const value = Array.isArray(values) ? values[at] : undefined;
    return {
      ...entry(token, value),
      top_logprobs: likeliest.map(([other, logprob]) => entry(other, logprob)),
    };
  });
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
  message: "The upstream's chat template (`chat_template`) can't render this conversation: it fails, or " +
    "needs a feature that Dragoman's template engine doesn't have. Try another template for the model",
};

const NOT_TEXT: HttpError = {
  status: 400,
  type: "invalid_request_error",
  code: "not_text",
  param: "messages",
  message:
    "The upstream gets each conversation as one prompt (`chat_template`), which can't contain images, files, or " +
    "audio. Remove them, or use an upstream with a chat API",
};
