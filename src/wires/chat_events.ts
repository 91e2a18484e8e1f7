/**
 * Turns a translated chat answer into the events that a wire's writer gets. Calls whose deltas interleave come one after
 * the other:
 *
 *     deltas   0{  1{  0}  1}  finish  usage  [DONE]
 *     events   start 0, 0{, 0}, end 0, start 1, 1{1}, end 1, finish with usage
 *
 * A call ends only when its arguments are one JSON object; anything else at the end of the answer breaks it off.
 *
 * @module
 */
import type { ChatChunk, ChatCompletion, ToolCallDelta } from "../chat/message/chunk.ts";
import { type ApiError, errorOf } from "../chat/message/error.ts";
import { contentText, DONE_DATA, readChunk, reasoningText } from "../chat/message/read.ts";
import { parseJson } from "../engine/object/parse.ts";
import { isRecord } from "../engine/object/record.ts";
import { SseDecoder, type SseMessage } from "../chat/sse/decode.ts";
import type { AnswerPart, FinishReason, TokenCounts, WholeAnswer, WireEvent } from "./event.ts";

/** A call that began. */
interface OpenCall {
  readonly call: number;
  readonly id: string;
  readonly tool: string;
  json: string;
  /** Whether the writer knows of the call. */
  isAnnounced: boolean;
  /** The length from which on it is worth parsing the arguments: twice the last one, so that the work stays linear. */
  checkLength: number;
}

/** The most characters of arguments and of text after them that one answer may hold. */
const HELD_MAXIMUM = 16 * 1024 * 1024;

const BROKEN: ApiError = {
  message: "The upstream's answer broke off before its end. Send the request again",
  type: "upstream_error",
  code: "upstream_broke_off",
};

const TOO_LONG: ApiError = {
  message:
    `The arguments of the answer's calls are longer than ${HELD_MAXIMUM} characters. Ask for smaller steps`,
  type: "upstream_error",
  code: "answer_too_large",
};

/** Reads the stream of a translated chat answer. */
export class ChatEvents {
  readonly #decoder = new SseDecoder();
  /** Calls that have not ended, in order. Only the first is announced. */
  #calls: OpenCall[] = [];
  /** Text that came before the last call was whole. */
  readonly #waiting: WireEvent[] = [];
  #count = 0;
  #held = 0;
  readonly #byIndex = new Map<number, OpenCall>();
  #reason: FinishReason | undefined;
  #usage: TokenCounts | undefined;
  /** The upstream's error. The text that the matcher held when it arrived follows it. */
  #error: ApiError | undefined;
  #isOver = false;

  /** Takes the next bytes and gives the events that they complete. */
  push(bytes: Uint8Array): WireEvent[] {
    return this.#decoder.push(bytes).flatMap((message) => this.#read(message));
  }

  /** The stream is over or broke off: gives the events that are left. */
  end({ isBroken }: { readonly isBroken: boolean }): WireEvent[] {
    const left = isBroken ? [] : this.#decoder.end();
    const events = left.flatMap((message) => this.#read(message));
    return this.#isOver ? events : [...events, ...this.#finish(isBroken ? undefined : this.#reason)];
  }

  #read({ data, event }: SseMessage): WireEvent[] {
    if (this.#isOver || data === undefined) return [];
    if (data === DONE_DATA) return this.#finish(this.#reason ?? "stop");
    const error = errorOf(data, event);
    if (error !== undefined) {
      this.#error ??= error;
      return [];
    }
    const chunk = readChunk(data);
    const events = chunk === undefined ? [] : this.#readChunk(chunk);
    return this.#held > HELD_MAXIMUM ? [...events, ...this.#fail(TOO_LONG)] : events;
  }

  #fail(error: ApiError): WireEvent[] {
    this.#isOver = true;
    return [...this.#endAll({ isCut: true }), failureEvent(error)];
  }

  #readChunk({ choices, usage }: ChatChunk): WireEvent[] {
    if (usage != null) this.#usage = readCounts(usage);
    const choice = choices.find(({ index = 0 }) => index === 0);
    if (choice === undefined) return [];
    const { delta, finish_reason: reason } = choice;
    const events: WireEvent[] = [];
    const reasoning = reasoningText(delta);
    if (reasoning !== undefined) events.push(...this.#afterCalls({ kind: "reasoning", text: reasoning }));
    const text = contentText(delta?.content);
    if (text) events.push(...this.#afterCalls({ kind: "text", text }));
    for (const call of delta?.tool_calls ?? []) events.push(...this.#readCall(call));
    if (reason) this.#reason = finishReason(reason);
    return events;
  }

  #readCall({ index = 0, id, function: called }: ToolCallDelta): WireEvent[] {
    const json = called?.arguments ?? "";
    let open = this.#byIndex.get(index);
    // Servers repeat the id, leave it out, or send null or "" (vLLM, Ollama): only another id begins another call.
    if (open === undefined || (id && id !== open.id)) {
      const call = this.#count++;
      open = {
        call,
        id: id || `call_${call}`,
        tool: called?.name ?? "",
        json: "",
        isAnnounced: false,
        checkLength: 1,
      };
      this.#byIndex.set(index, open);
      this.#calls.push(open);
    }
    open.json += json;
    this.#held += json.length;
    if (this.#calls[0] !== open) return this.#endFirstIfWhole();
    if (!open.isAnnounced) return announce(open);
    return json === "" ? [] : [{ kind: "arguments", call: open.call, json }];
  }

  /** Ends the calls at the head of the list that are whole, and announces the next one. */
  #endFirstIfWhole(): WireEvent[] {
    const events: WireEvent[] = [];
    for (let first = this.#calls[0]; first !== undefined && hasEnded(first); first = this.#calls[0]) {
      events.push(...this.#endFirst(first));
    }
    const [first] = this.#calls;
    if (first === undefined) events.push(...this.#waiting.splice(0));
    else if (!first.isAnnounced) events.push(...announce(first));
    return events;
  }

  #endFirst(open: OpenCall, isCut = false): WireEvent[] {
    this.#calls.shift();
    const { call, json, isAnnounced } = open;
    const kind = isWhole(json, isCut) ? "call_end" : "call_abort";
    const before = isAnnounced ? [] : announce(open);
    return [...before, { kind, call, json: kind === "call_end" ? json || "{}" : json }];
  }

  /** Text that follows calls ends those that are whole, and waits for the others. */
  #afterCalls(event: Extract<WireEvent, { text: string }>): WireEvent[] {
    if (this.#calls.length === 0) return [event];
    const events = this.#endFirstIfWhole();
    if (this.#calls.length === 0) return [...events, event];
    this.#waiting.push(event);
    this.#held += event.text.length;
    return events;
  }

  /** Ends all calls: those that are not whole broke off. */
  #endAll({ isCut }: { readonly isCut: boolean }): WireEvent[] {
    const events = this.#endFirstIfWhole();
    while (this.#calls[0] !== undefined) events.push(...this.#endFirst(this.#calls[0], isCut));
    return [...events, ...this.#waiting.splice(0)];
  }

  /** Ends the answer; without a reason, it broke off. */
  #finish(reason: FinishReason | undefined): WireEvent[] {
    if (this.#error !== undefined) return this.#fail(this.#error);
    this.#isOver = true;
    const events = this.#endAll({ isCut: isCut(reason) });
    return reason === undefined
      ? [...events, { kind: "error", error: BROKEN, isBroken: true }]
      : [...events, { kind: "finish", reason, usage: this.#usage }];
  }
}

/** Reads a translated chat answer that is not streamed. */
export function readWholeAnswer({ choices, usage }: ChatCompletion): WholeAnswer {
  const { message, finish_reason: reason } = choices[0] ?? {};
  const parts: AnswerPart[] = [];
  const end = finishReason(reason ?? "stop");
  const reasoning = reasoningText(message);
  if (reasoning !== undefined) parts.push({ kind: "reasoning", text: reasoning });
  const text = contentText(message?.content);
  if (text) parts.push({ kind: "text", text });
  for (const [at, { id, function: called }] of (message?.tool_calls ?? []).entries()) {
    const json = called?.arguments ?? "";
    parts.push({
      kind: "call",
      id: id || `call_${at}`,
      tool: called?.name ?? "",
      json: json || "{}",
      isWhole: isWhole(json, isCut(end)),
    });
  }
  return {
    parts,
    reason: end,
    usage: usage == null ? undefined : readCounts(usage),
  };
}

function announce(open: OpenCall): WireEvent[] {
  const { call, id, tool, json } = open;
  open.isAnnounced = true;
  const start: WireEvent = { kind: "call_start", call, id, tool };
  return json === "" ? [start] : [start, { kind: "arguments", call, json }];
}

/** Whether a call's arguments are whole already. A call without any may still get some. */
function hasEnded(open: OpenCall): boolean {
  const { json, checkLength } = open;
  if (json.length < checkLength) return false;
  open.checkLength = 2 * json.length;
  return isWhole(json);
}

/** Whether a reason, or none, means that the answer ended before the model was done. */
function isCut(reason: FinishReason | undefined): boolean {
  return reason !== "stop" && reason !== "tool_calls";
}

/** Whether arguments are one JSON object. No text at all is one without fields, unless the answer was cut after the name. */
function isWhole(json: string, isCut = false): boolean {
  if (json === "") return !isCut;
  return json.trimEnd().endsWith("}") && isRecord(parseJson(json));
}

function finishReason(reason: string): FinishReason {
  switch (reason) {
    case "length":
    case "content_filter":
      return reason;
    case "tool_calls":
    case "function_call":
      return "tool_calls";
    default:
      return "stop";
  }
}

/** The event of an error. After a broken connection, asking again may help. */
export function failureEvent(error: ApiError): WireEvent {
  const isBroken = error.code === BROKEN.code || error.code === "upstream_unreachable";
  return { kind: "error", error, isBroken };
}

function readCounts(usage: unknown): TokenCounts {
  const counts = isRecord(usage) ? usage : {};
  const prompt = counts["prompt_tokens_details"];
  const completion = counts["completion_tokens_details"];
  return {
    prompt: count(counts["prompt_tokens"]),
    completion: count(counts["completion_tokens"]),
    cached: isRecord(prompt) ? count(prompt["cached_tokens"]) : 0,
    reasoning: isRecord(completion) ? count(completion["reasoning_tokens"]) : 0,
  };
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
