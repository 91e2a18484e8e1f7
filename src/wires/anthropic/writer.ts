/**
 * Writes a streamed answer of Anthropic's Messages API. Blocks follow each other strictly, numbered without gaps:
 *
 *     message_start
 *     content_block_start 0 (thinking) … content_block_stop 0
 *     content_block_start 1 (text)     … content_block_stop 1
 *     content_block_start 2 (tool_use) … content_block_stop 2
 *     message_delta (stop_reason, usage), message_stop
 *
 * Clients execute every call whose block was stopped, whatever the stop reason. So the block of a call that broke off is
 * never stopped: the answer ends with an error event, or with a broken connection, after which clients ask again, if the
 * upstream's connection broke.
 *
 * @see https://docs.anthropic.com/en/docs/build-with-claude/streaming (version 2023-06-01)
 * @module
 */
import type { ApiError } from "../../chat/message/error.ts";
import type { FinishReason, TokenCounts, WireEvent } from "../event.ts";
import { anthropicWords } from "../overflow.ts";
import type { AnswerIdentity, JsonObject, WireWriter } from "../wire.ts";

type BlockKind = "thinking" | "text" | "tool_use";

/** Signs reasoning, so that a client sends it back. The prefix distinguishes our signatures from Anthropic's. */
export const SIGNATURE_PREFIX = "dragoman-";

const STOP_REASONS: Readonly<Record<FinishReason, string>> = {
  stop: "end_turn",
  tool_calls: "tool_use",
  length: "max_tokens",
  content_filter: "refusal",
};

/** The error if a call broke off: the token limit cut it, or it can't be read. */
export const CUT_CALL: ApiError = {
  type: "api_error",
  code: "call_cut_off",
  message: "A tool call in the model's answer is incomplete or can't be read, so it was not made. " +
    "Ask again; if the answer reached the token limit, raise `max_tokens` or ask for smaller steps",
};

export class MessagesWriter implements WireWriter {
  readonly #model: unknown;
  readonly #identity: AnswerIdentity;
  #index = -1;
  #open: BlockKind | undefined;
  #hasCall = false;
  /** Whether a call broke off, so that the answer can't end normally. */
  #hasBroken = false;

  constructor(model: unknown, identity: AnswerIdentity) {
    this.#model = model;
    this.#identity = identity;
  }

  begin(): string {
    const usage = { input_tokens: 0, output_tokens: 0 };
    const head = { id: `msg_${this.#identity.id}`, type: "message", role: "assistant", model: this.#model };
    const message = { ...head, content: [], stop_reason: null, stop_sequence: null, usage };
    return encode("message_start", { message });
  }

  beat(): string {
    return encode("ping", {});
  }

  push(event: WireEvent): string {
    // Only the error follows the block of a call that broke off.
    if (this.#hasBroken && event.kind !== "finish" && event.kind !== "error") return "";
    switch (event.kind) {
      case "reasoning":
        return this.#block("thinking") + this.#delta({ type: "thinking_delta", thinking: event.text });
      case "text":
        return this.#block("text") + this.#delta({ type: "text_delta", text: event.text });
      case "call_start":
        return this.#startCall(event);
      case "arguments":
        return this.#delta({ type: "input_json_delta", partial_json: event.json });
      case "call_end":
        return this.#stop();
      case "call_abort":
        this.#hasBroken = true;
        return "";
      case "finish":
        return this.#hasBroken ? this.#fail(CUT_CALL) : this.#stop() + this.#finish(event);
      case "error":
        return this.#fail(event.error);
    }
  }

  #startCall({ id, tool }: { readonly id: string; readonly tool: string }): string {
    this.#hasCall = true;
    return this.#stop() + this.#start("tool_use", { type: "tool_use", id, name: tool, input: {} });
  }

  #block(kind: "thinking" | "text"): string {
    if (this.#open === kind) return "";
    const block = kind === "text" ? { type: kind, text: "" } : { type: kind, thinking: "", signature: "" };
    return this.#stop() + this.#start(kind, block);
  }

  #start(kind: BlockKind, block: JsonObject): string {
    this.#open = kind;
    this.#index++;
    return encode("content_block_start", { index: this.#index, content_block: block });
  }

  #delta(delta: JsonObject): string {
    return encode("content_block_delta", { index: this.#index, delta });
  }

  #stop(): string {
    if (this.#open === undefined) return "";
    const signature = `${SIGNATURE_PREFIX}${this.#identity.id}`;
    const signed = this.#open === "thinking" ? this.#delta({ type: "signature_delta", signature }) : "";
    this.#open = undefined;
    return signed + encode("content_block_stop", { index: this.#index });
  }

  #finish(
    { reason, usage }: { readonly reason: FinishReason; readonly usage: TokenCounts | undefined },
  ): string {
    const delta = { stop_reason: stopReason(reason, this.#hasCall), stop_sequence: null };
    return encode("message_delta", { delta, usage: usageOf(usage) }) + encode("message_stop", {});
  }

  #fail(error: ApiError): string {
    const overflow = anthropicWords(error);
    const type = overflow === undefined ? "api_error" : "invalid_request_error";
    return encode("error", { error: { type, message: overflow ?? error.message } });
  }
}

/** The stop reason: that of calls if the answer has some and wasn't cut off. */
export function stopReason(reason: FinishReason, hasCall: boolean): string {
  return reason === "stop" && hasCall ? STOP_REASONS.tool_calls : STOP_REASONS[reason];
}

/** Tokens as Anthropic counts them: without the cached ones, which have their own field. */
export function usageOf(counts: TokenCounts | undefined): JsonObject {
  const { prompt = 0, completion = 0, cached = 0 } = counts ?? {};
  return {
    input_tokens: Math.max(0, prompt - cached),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: completion,
  };
}

function encode(type: string, fields: JsonObject): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}
