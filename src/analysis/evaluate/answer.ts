/** Reads a server's answer as a strict agent does, and notes what is odd about its form. It repairs nothing. @module */
import { type ApiError, errorOf } from "../../chat/message/error.ts";
import type { ToolCallDelta } from "../../chat/message/chunk.ts";
import type { ChatRequest } from "../../chat/message/request.ts";
import { contentText, DONE_DATA, readChunk, readCompletion, reasoningText } from "../../chat/message/read.ts";
import { SseDecoder } from "../../chat/sse/decode.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";

export interface RecordedAnswer {
  /** The HTTP status; 0 if no answer arrived. */
  readonly status: number;
  readonly type: string;
  /** The whole body; the cause if no answer arrived. */
  readonly body: string;
  /** How long it took, in milliseconds. */
  readonly ms?: number;
}

export interface AnswerCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as they arrived, or their text gathered from a stream. */
  readonly arguments: unknown;
}

/** What is odd about the form of an answer. */
type Oddity = "index_repeats" | "swallowed" | "broken_off";

export interface Answer {
  readonly status: number;
  /** The error's text; undefined without an error. */
  readonly error?: string | undefined;
  readonly code?: string | undefined;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly AnswerCall[];
  readonly finish: string | null;
  readonly isStreamed: boolean;
  readonly promptTokens?: number | undefined;
  readonly oddities: ReadonlySet<Oddity>;
}

/** Whether a text begins inside the reasoning: it has an end of it, but no beginning. */
export function beginsInReasoning(text: string): boolean {
  return text.includes("</think>") && !text.includes("<think>");
}

export function readAnswer({ status, type, body }: RecordedAnswer): Answer {
  const isStreamed = type.includes("text/event-stream");
  const empty: Answer = {
    status,
    text: "",
    reasoning: "",
    calls: [],
    finish: null,
    isStreamed,
    oddities: new Set(),
  };
  if (status !== 200) return { ...empty, error: errorOf(body)?.message ?? body.slice(0, ERROR_LENGTH_MAX) };
  return isStreamed ? readStream(body, empty) : readWhole(body, empty);
}

const ERROR_LENGTH_MAX = 2000;

function readWhole(body: string, empty: Answer): Answer {
  const completion = readCompletion(body);
  const choice = completion?.choices[0];
  const message = choice?.message;
  if (message == null) {
    return { ...empty, error: errorOf(body)?.message ?? "The answer isn't a chat completion" };
  }
  return {
    ...empty,
    text: contentText(message.content) ?? "",
    reasoning: reasoningText(message) ?? "",
    calls: (message.tool_calls ?? []).map(({ id, function: called }) => ({
      id: typeof id === "string" ? id : "",
      name: typeof called?.name === "string" ? called.name : "",
      arguments: called?.arguments,
    })),
    finish: choice?.finish_reason ?? null,
    promptTokens: promptTokensOf(completion?.usage),
  };
}

interface OpenCall {
  id: string;
  name: string;
  arguments: unknown;
  readonly index: number;
}

function readStream(body: string, empty: Answer): Answer {
  // A gateway's page instead of a stream.
  if (body.trimStart().startsWith("<")) return { ...empty, error: body.slice(0, ERROR_LENGTH_MAX) };
  const decoder = new SseDecoder();
  const calls: OpenCall[] = [];
  const oddities = new Set<Oddity>();
  let [text, reasoning, hasDone] = ["", "", false];
  let finish: string | null = null;
  let error: ApiError | undefined;
  let promptTokens: number | undefined;
  for (const { data, event } of [...decoder.read(body), ...decoder.end()]) {
    if (data === undefined) continue;
    if (data === DONE_DATA) hasDone = true;
    error ??= errorOf(data, event);
    const chunk = readChunk(data);
    promptTokens ??= promptTokensOf(chunk?.usage);
    for (const { index = 0, delta, finish_reason } of chunk?.choices ?? []) {
      if (index !== 0) continue;
      text += contentText(delta?.content) ?? "";
      reasoning += reasoningText(delta) ?? "";
      for (const piece of delta?.tool_calls ?? []) {
        if (addPiece(calls, piece)) oddities.add("index_repeats");
      }
      finish = finish_reason || finish;
    }
  }
  const isEmpty = text === "" && reasoning === "" && calls.length === 0;
  if (finish === null && !hasDone && error === undefined) oddities.add(isEmpty ? "swallowed" : "broken_off");
  return {
    ...empty,
    text,
    reasoning,
    calls,
    finish,
    error: error?.message,
    code: error?.code,
    promptTokens,
    oddities,
  };
}

/** Adds a piece to its call, as agents do: by its index. Returns whether the index is that of another call. */
function addPiece(calls: OpenCall[], { index = 0, id, function: called }: ToolCallDelta): boolean {
  const open = calls.findLast((call) => call.index === index);
  const name = typeof called?.name === "string" ? called.name : "";
  const given = typeof id === "string" ? id : "";
  const isOther = open !== undefined && name !== "" && open.name !== "" && open.arguments !== "" &&
    (given !== open.id || given === "");
  const added: unknown = called?.arguments ?? "";
  if (open === undefined || isOther) calls.push({ id: given, name, arguments: added, index });
  else {
    open.id ||= given;
    open.name ||= name;
    open.arguments = open.arguments === "" ? added : `${open.arguments}${added}`;
  }
  return isOther;
}

function promptTokensOf(usage: unknown): number | undefined {
  const tokens = isRecord(usage) ? usage["prompt_tokens"] : undefined;
  return typeof tokens === "number" ? tokens : undefined;
}

/** The text of the user's last message. */
export function lastWords(request: string): string {
  const { messages = [] } = JSON.parse(request) as ChatRequest;
  return contentText(messages.findLast(({ role }) => role === "user")?.content) ?? "";
}

/** A body that was kept without its status and type. */
export function readBody(body: string): Answer {
  const type = body.startsWith("{") ? "application/json" : "text/event-stream";
  return readAnswer({ status: 200, type, body });
}

/** What a person reads of an answer's body: its text, its calls, or its error. */
export function answerWords(body: string): string {
  const { text, reasoning, calls, error } = readBody(body);
  const words = [
    error === undefined ? "" : `an error, ${error}`,
    reasoning === "" ? "" : `reasoning ${JSON.stringify(reasoning)}`,
    text === "" ? "" : JSON.stringify(text),
    ...calls.map((call) => `calls ${call.name} ${String(call.arguments)}${lackText(call)}`),
  ].filter((part) => part !== "");
  return words.length === 0 ? "nothing" : words.join(", ");
}

/** States what arguments lack that look cut off. */
function lackText({ arguments: given }: AnswerCall): string {
  if (typeof given !== "string" || parseJson(given) !== undefined) return "";
  const lacking = LACKING.find((end) => parseJson(given + end) !== undefined);
  return lacking === undefined ? " (which isn't JSON)" : ` (where ${lacking} is missing at the end)`;
}

/** What a stream most often loses. */
const LACKING = ["}", '"}', "]}", '"]}'];
