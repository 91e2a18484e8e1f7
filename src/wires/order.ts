/**
 * Puts the events of an answer into the order that a wire's writer needs. Interleaved calls are sent one after the other:
 *
 *     events of the pipeline   start 0, 0{, start 1, 1{, 0}, end 0, 1}, end 1, text, finish, usage
 *     events of the wire       start 0, 0{, 0}, end 0, start 1, 1{1}, end 1, text, finish with usage
 *
 * A call ends only if its arguments are one JSON object; otherwise it breaks off.
 *
 * @module
 */
import type { AnswerEvent } from "../chat/event/event.ts";
import type { ApiError } from "../chat/message/error.ts";
import { isTokenCount } from "../chat/message/usage.ts";
import type { CallStartEvent } from "../engine/event/event.ts";
import { parseJson } from "../engine/object/parse.ts";
import { isRecord } from "../engine/object/record.ts";
import type { FinishReason, TokenCounts, WireEvent } from "./event.ts";

interface OpenCall {
  readonly call: number;
  readonly id: string;
  readonly tool: string;
  json: string;
  fate: "open" | "whole" | "broken";
}

/** The most characters of arguments, and of text after them, that an answer can hold. */
const HELD_MAXIMUM = 16 * 1024 * 1024;

const TOO_LONG: ApiError = {
  message:
    `The arguments of the answer's calls are longer than ${HELD_MAXIMUM} characters. Ask for smaller steps`,
  type: "upstream_error",
  code: "answer_too_large",
};

export class AnswerOrder {
  readonly #out: (event: WireEvent) => void;
  /** Calls that haven't ended, in order. Only the first is announced. */
  readonly #calls: OpenCall[] = [];
  #byNumber = new Map<number, OpenCall>();
  /** Text that arrived before the last call was whole. */
  readonly #waiting: WireEvent[] = [];
  #count = 0;
  #held = 0;
  #reason: FinishReason | undefined;
  #usage: TokenCounts | undefined;
  #isOver = false;

  constructor(out: (event: WireEvent) => void) {
    this.#out = out;
  }

  /** Takes an event of the first choice, or the token counts. */
  push(event: AnswerEvent): void {
    if (this.#isOver) return;
    switch (event.kind) {
      case "text":
      case "reasoning":
        return this.#pushText({ kind: event.kind, text: event.text });
      case "call_start":
        return this.#start(event);
      case "arguments":
        return this.#add(event.call, event.json);
      case "call_end":
      case "call_abort":
        return this.#end(event.call, event.kind === "call_end" ? "whole" : "broken");
      case "finish":
        if (event.reason !== null) this.#reason = finishReason(event.reason);
        return;
      case "usage":
        this.#usage = readCounts(event.usage);
    }
  }

  /** Begins another attempt at the answer. The calls of the previous one end; the new ones have their own numbers. */
  restart(): void {
    this.#endAll();
    this.#byNumber = new Map();
    this.#reason = undefined;
  }

  finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#endAll();
    this.#out({ kind: "finish", reason: this.#reason ?? "stop", usage: this.#usage });
  }

  fail(error: ApiError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#endAll();
    this.#out({ kind: "error", error });
  }

  #pushText(event: Extract<WireEvent, { text: string }>): void {
    if (this.#calls.length === 0) return this.#out(event);
    this.#waiting.push(event);
    this.#hold(event.text);
  }

  #start({ call: number, id, tool }: CallStartEvent): void {
    const call = this.#count++;
    const open: OpenCall = { call, id: id ?? `call_${call}`, tool, json: "", fate: "open" };
    this.#byNumber.set(number, open);
    if (this.#calls.push(open) === 1) this.#announce(open);
  }

  #add(number: number, json: string): void {
    const open = this.#byNumber.get(number);
    if (open === undefined || open.fate !== "open" || json === "") return;
    open.json += json;
    if (this.#calls[0] === open) this.#out({ kind: "arguments", call: open.call, json });
    this.#hold(json);
  }

  #hold({ length }: string): void {
    this.#held += length;
    if (this.#held > HELD_MAXIMUM) this.fail(TOO_LONG);
  }

  #end(number: number, fate: OpenCall["fate"]): void {
    const open = this.#byNumber.get(number);
    if (open === undefined || open.fate !== "open") return;
    open.fate = fate;
    if (this.#calls[0] === open) this.#settle();
  }

  /** Ends the whole calls at the head of the list, then announces the next one or sends the waiting text. */
  #settle(): void {
    for (let first = this.#calls[0]; first !== undefined && first.fate !== "open"; first = this.#calls[0]) {
      const { fate, ...call } = first;
      const isWhole = fate === "whole" && isObject(call.json);
      this.#out(
        isWhole ? { kind: "call_end", ...call, json: call.json || "{}" } : { kind: "call_abort", ...call },
      );
      this.#calls.shift();
      const next = this.#calls[0];
      if (next !== undefined) this.#announce(next);
    }
    if (this.#calls.length > 0) return;
    for (const event of this.#waiting.splice(0)) this.#out(event);
  }

  #announce({ call, id, tool, json }: OpenCall): void {
    this.#out({ kind: "call_start", call, id, tool });
    if (json !== "") this.#out({ kind: "arguments", call, json });
  }

  /** Ends all calls; those that aren't whole break off. */
  #endAll(): void {
    for (const open of this.#calls) if (open.fate === "open") open.fate = "broken";
    this.#settle();
  }
}

/** Whether arguments are one JSON object; empty arguments count as one. */
function isObject(json: string): boolean {
  return json === "" || isRecord(parseJson(json));
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
  return isTokenCount(value) ? value : 0;
}
