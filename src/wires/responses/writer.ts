/**
 * Writes a streamed answer of OpenAI's Responses API. Items follow each other, and events are numbered:
 *
 *     response.created, response.in_progress
 *     output_item.added 0 (reasoning) … output_item.done 0
 *     output_item.added 1 (message)   … output_item.done 1
 *     output_item.added 2 (function_call), arguments, output_item.done 2
 *     response.completed | response.incomplete | response.failed
 *
 * Clients execute a call when its item is done, and some execute the received part of an unfinished one. So only whole
 * calls are sent. A call that the token limit cut becomes text, because some clients show no message after
 * `response.incomplete`.
 *
 * @see https://platform.openai.com/docs/api-reference/responses-streaming
 * @module
 */
import { cutCallText, type FinishReason, type TokenCounts, type WireCall, type WireEvent } from "../event.ts";
import type { ApiError } from "../../chat/message/error.ts";
import type { JsonObject, WireWriter } from "../wire.ts";
import {
  callItem,
  EventEncoder,
  itemId,
  messageItem,
  type ResponseContext,
  responseObject,
  type ResponseState,
  textPart,
} from "./response.ts";
import { reasoningItem } from "./reasoning.ts";

interface OpenItem {
  readonly kind: "message" | "reasoning";
  readonly id: string;
  text: string;
}

export class ResponsesWriter implements WireWriter {
  readonly #context: ResponseContext;
  readonly #output: JsonObject[] = [];
  readonly #events = new EventEncoder();
  #isCut = false;
  #open: OpenItem | undefined;

  constructor(context: ResponseContext) {
    this.#context = context;
  }

  begin(): string {
    return this.#events.begin(this.#context);
  }

  beat(): string {
    return this.#events.beat(this.#context);
  }

  push(event: WireEvent): string {
    switch (event.kind) {
      case "text":
        return this.#addText(event.text);
      case "reasoning":
        return this.#addReasoning(event.text);
      case "call_end":
        return this.#close() + this.#writeCall(event);
      case "call_abort":
        this.#isCut = true;
        return this.#addText(cutCallText(event.tool, event.json));
      case "finish":
        return this.#close() + this.#finish(event);
      case "error":
        return this.#fail(event.error);
      default:
        return "";
    }
  }

  #addText(delta: string): string {
    const before = this.#begin("message");
    const { id, text } = this.#open!;
    this.#open!.text = text + delta;
    const place = { item_id: id, output_index: this.#output.length, content_index: 0 };
    return before + this.#events.encode("response.output_text.delta", { ...place, delta, logprobs: [] });
  }

  #addReasoning(delta: string): string {
    const before = this.#begin("reasoning");
    const { id, text } = this.#open!;
    this.#open!.text = text + delta;
    const place = { item_id: id, output_index: this.#output.length, summary_index: 0 };
    return before + this.#events.encode("response.reasoning_summary_text.delta", { ...place, delta });
  }

  #begin(kind: OpenItem["kind"]): string {
    if (this.#open?.kind === kind) return "";
    const closed = this.#close();
    const id = itemId(kind === "message" ? "msg" : "rs", this.#context.identity, this.#output.length);
    const open = { kind, id, text: "" };
    this.#open = open;
    this.#context.identity.keep?.(id, () => textItem(open));
    const output_index = this.#output.length;
    const place = { item_id: id, output_index };
    if (kind === "message") {
      const item = messageItem(id, "", "in_progress");
      return closed + this.#events.encode("response.output_item.added", { output_index, item }) +
        this.#events.encode("response.content_part.added", {
          ...place,
          content_index: 0,
          part: textPart(""),
        });
    }
    const item = { id, type: "reasoning", summary: [], encrypted_content: null };
    const part = { type: "summary_text", text: "" };
    return closed + this.#events.encode("response.output_item.added", { output_index, item }) +
      this.#events.encode("response.reasoning_summary_part.added", { ...place, summary_index: 0, part });
  }

  #close(): string {
    if (this.#open === undefined) return "";
    const open = this.#open;
    const { kind, id, text } = open;
    this.#open = undefined;
    const place = { item_id: id, output_index: this.#output.length };
    if (kind === "message") {
      const at = { ...place, content_index: 0 };
      return this.#events.encode("response.output_text.done", { ...at, text, logprobs: [] }) +
        this.#events.encode("response.content_part.done", { ...at, part: textPart(text) }) +
        this.#done(textItem(open));
    }
    const at = { ...place, summary_index: 0 };
    return this.#events.encode("response.reasoning_summary_text.done", { ...at, text }) +
      this.#events.encode("response.reasoning_summary_part.done", {
        ...at,
        part: { type: "summary_text", text },
      }) +
      this.#done(textItem(open));
  }

  #writeCall({ id: callId, tool, json }: WireCall): string {
    const item = callItem({ at: this.#output.length, callId, tool, json }, this.#context);
    this.#context.identity.keep?.(String(item["id"]), () => item);
    const output_index = this.#output.length;
    const place = { item_id: item["id"], output_index };
    const isCustom = item["type"] === "custom_tool_call";
    const field = isCustom ? "input" : "arguments";
    const event = isCustom ? "response.custom_tool_call_input" : "response.function_call_arguments";
    const begun = { ...item, status: "in_progress", [field]: "" };
    const name = isCustom ? {} : { name: item["name"] };
    return this.#events.encode("response.output_item.added", { output_index, item: begun }) +
      this.#events.encode(`${event}.delta`, { ...place, delta: item[field] }) +
      this.#events.encode(`${event}.done`, { ...place, ...name, [field]: item[field] }) +
      this.#done(item);
  }

  #done(item: JsonObject): string {
    const output_index = this.#output.length;
    this.#output.push(item);
    return this.#events.encode("response.output_item.done", { output_index, item });
  }

  #finish(
    { reason, usage }: { readonly reason: FinishReason; readonly usage: TokenCounts | undefined },
  ): string {
    const state = finalState(this.#isCut ? "length" : reason);
    const response = responseObject(this.#context, { ...state, output: this.#output, usage });
    return this.#events.encode(`response.${state.status}`, { response });
  }

  #fail({ code, message }: ApiError): string {
    const state = { status: "failed", output: this.#output, error: { code, message } } as const;
    return this.#close() +
      this.#events.encode("response.failed", { response: responseObject(this.#context, state) });
  }
}

function textItem({ kind, id, text }: OpenItem): JsonObject {
  return kind === "message" ? messageItem(id, text) : reasoningItem(id, text);
}

export function finalState(reason: FinishReason): ResponseState {
  if (reason === "length") return { status: "incomplete", reason: "max_output_tokens" };
  if (reason === "content_filter") return { status: "incomplete", reason };
  return { status: "completed" };
}
