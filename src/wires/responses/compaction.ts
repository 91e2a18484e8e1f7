/**
 * Compaction on the server, as Codex requests it: the model summarizes the conversation, and the client then sends the
 * summary instead of the conversation. There are two forms of the request:
 *
 *     POST /v1/responses/compact                                ─▶ {"output": [compaction]}
 *     POST /v1/responses  {"input": […, compaction_trigger]}    ─▶ a response whose only item is the compaction
 *
 * Only a whole summary is sent, because the client drops the conversation for it.
 *
 * @see https://github.com/openai/codex/blob/main/codex-rs/core/src/compact_remote_v2.rs
 * @module
 */
import type { ApiError } from "../../chat/message/error.ts";
import type { Conversation } from "../conversation.ts";
import type { FinishReason, TokenCounts, WholeAnswer, WireEvent } from "../event.ts";
import type { AnswerIdentity, JsonObject, WireWriter } from "../wire.ts";
import { EventEncoder, itemId, type ResponseContext, responseObject, usageOf } from "./response.ts";
import { readHidden, writeHidden } from "./reasoning.ts";

/** The item that asks for a compaction. */
const TRIGGER = "compaction_trigger";

const REQUEST =
  "The conversation is getting too long. Write a summary that will replace it. Whoever continues " +
  "the work sees only the summary and the user's latest messages. State:\n" +
  "- what the user wants, with every constraint and preference, in the user's own words where they matter\n" +
  "- what has been done and decided so far, and why\n" +
  "- the state of the work: files, commands and their results, unresolved errors\n" +
  "- what remains to be done, as the next steps\n" +
  "- every name, path, number, and excerpt that is needed to continue\n" +
  "Answer with the summary alone, and call no tool.";

const INTRODUCTION =
  "The earlier part of this conversation was replaced by a summary. Continue from there, and don't repeat finished work. " +
  "The summary:\n\n";

const UNREADABLE =
  "The earlier part of this conversation was replaced by a summary that only another server can read, so it is lost. " +
  "Ask the user for any missing information.";

/** The longest summary, in characters; a longer one counts as cut off. */
const SUMMARY_MAX = 1024 * 1024;

/** Whether a request asks for a compaction: its last item is the trigger. */
export function asksCompaction(items: readonly JsonObject[]): boolean {
  return items.at(-1)?.["type"] === TRIGGER;
}

export function askSummary(conversation: Conversation): void {
  conversation.addUser(REQUEST);
  conversation.endMessage();
}

/** Adds a summary that a client sends back; the model is informed of one that another server encrypted. */
export function addSummary(conversation: Conversation, { encrypted_content: given }: JsonObject): void {
  const text = typeof given === "string" ? readHidden(given) ?? plainText(given) : undefined;
  conversation.addUser(text === undefined ? UNREADABLE : INTRODUCTION + text);
  conversation.endMessage();
}

/** Whether a summary is plain text: encrypted ones have no spaces. */
function plainText(given: string): string | undefined {
  return /\s/.test(given.trim()) ? given : undefined;
}

const NO_SUMMARY: ApiError = {
  type: "upstream_error",
  code: "no_summary",
  message:
    "The model was asked to summarize the conversation, and its answer has no text. Send the request again",
};

const CUT_SUMMARY: ApiError = {
  type: "invalid_request_error",
  code: "cut_summary",
  message:
    "The model's summary of the conversation was cut off before its end, so it can't replace the conversation. " +
    "Raise the model server's token limit for answers, or compact earlier",
};

function summaryOf(text: string, reason: FinishReason): string | ApiError {
  const isCut = reason === "length" || reason === "content_filter" || text.length > SUMMARY_MAX;
  if (isCut) return CUT_SUMMARY;
  return text.trim() === "" ? NO_SUMMARY : text.trim();
}

function compactionItem(summary: string, identity: AnswerIdentity): JsonObject {
  const id = itemId("cmp", identity, 0);
  const item = { id, type: "compaction", encrypted_content: writeHidden(summary) };
  identity.keep?.(id, () => item);
  return item;
}

/** Why a whole answer is not a summary; undefined if it is one. */
export function refuseSummary(answer: WholeAnswer): ApiError | undefined {
  const summary = summaryOf(textOf(answer), answer.reason);
  return typeof summary === "string" ? undefined : summary;
}

/** A response with a summary as its only item. */
export function writeCompaction(
  answer: WholeAnswer,
  { context, isCompactRoute }: { readonly context: ResponseContext; readonly isCompactRoute: boolean },
): unknown {
  const { identity } = context;
  const { usage } = answer;
  const output = [compactionItem(textOf(answer).trim(), identity)];
  if (!isCompactRoute) return responseObject(context, { status: "completed", output, usage });
  return {
    id: `resp_${identity.id}`,
    object: "response.compaction",
    created_at: identity.created,
    output,
    usage: usage === undefined ? null : usageOf(usage),
  };
}

function textOf({ parts }: WholeAnswer): string {
  return parts.flatMap((part) => part.kind === "text" ? [part.text] : []).join("");
}

/** Writes a streamed compaction: only the item, once the summary is whole. */
export class CompactionWriter implements WireWriter {
  errorCode: string | undefined;
  readonly #context: ResponseContext;
  readonly #events = new EventEncoder();
  #summary = "";

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
        if (this.#summary.length <= SUMMARY_MAX) this.#summary += event.text;
        return "";
      case "finish":
        return this.#finish(event);
      case "error":
        return this.#fail(event.error);
      default:
        return "";
    }
  }

  #finish(
    { reason, usage }: { readonly reason: FinishReason; readonly usage: TokenCounts | undefined },
  ): string {
    const summary = summaryOf(this.#summary, reason);
    if (summary === CUT_SUMMARY) {
      this.errorCode = CUT_SUMMARY.code;
      const cut = { status: "incomplete", reason: "max_output_tokens", usage } as const;
      return this.#events.encode("response.incomplete", { response: responseObject(this.#context, cut) });
    }
    if (typeof summary !== "string") return this.#fail(summary);
    const item = compactionItem(summary, this.#context.identity);
    const state = { status: "completed", output: [item], usage } as const;
    return this.#events.encode("response.output_item.added", { output_index: 0, item }) +
      this.#events.encode("response.output_item.done", { output_index: 0, item }) +
      this.#events.encode("response.completed", { response: responseObject(this.#context, state) });
  }

  #fail({ code, message }: ApiError): string {
    this.errorCode = code;
    const state = { status: "failed", error: { code, message } } as const;
    return this.#events.encode("response.failed", { response: responseObject(this.#context, state) });
  }
}
