/**
 * Anthropic's Messages API, as Claude Code and Anthropic's SDKs speak it.
 *
 * @see https://docs.anthropic.com/en/api/messages (version 2023-06-01)
 * @module
 */
import { present } from "../../engine/object/present.ts";
import { estimateTokens } from "../estimate.ts";
import type { WholeAnswer } from "../event.ts";
import type {
  AnswerIdentity,
  JsonObject,
  Wire,
  WireChat,
  WireFailure,
  WireOperation,
  WireRefusal,
  WireReply,
} from "../wire.ts";
import { refuseMismatch } from "../shape_check.ts";
import { anthropicWords } from "../overflow.ts";
import { COUNT_REQUEST } from "./request_schema.ts";
import { readMessages } from "./request.ts";
import { CUT_CALL, MessagesWriter, SIGNATURE_PREFIX, stopReason, usageOf } from "./writer.ts";

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  503: "overloaded_error",
  504: "timeout_error",
  529: "overloaded_error",
};

export const anthropic: Wire = {
  name: "anthropic",
  find({ method, path, headers }): WireOperation | undefined {
    if (method === "POST" && path === "/v1/messages") return { kind: "chat", read };
    if (method === "POST" && path === "/v1/messages/count_tokens") {
      return {
        kind: "reply",
        reply: countTokens,
      };
    }
    // Claude Code requests the root before its first question.
    if (method === "HEAD" && path === "/") return { kind: "reply", reply: () => ({ body: "" }) };
    if (method === "GET" && path === "/v1/models" && headers.has("anthropic-version")) {
      return { kind: "models", write: writeModels };
    }
    return undefined;
  },
  writeError,
};

function writeError({ status, message, code, details }: WireFailure): unknown {
  const worded = anthropicWords({ code, message }) ?? message;
  const error = { type: ERROR_TYPES[status] ?? "api_error", message: worded, ...present({ details }) };
  return { type: "error", error };
}

function countTokens(body: JsonObject = {}): WireReply {
  const wrong = refuseMismatch(body, COUNT_REQUEST)?.refusal;
  if (wrong !== undefined) return { status: wrong.status, body: writeError(wrong) };
  const { system, messages, tools } = body;
  return { body: { input_tokens: estimateTokens(system, messages, tools) } };
}

function read(body: JsonObject): WireChat | WireRefusal {
  const request = readMessages(body);
  if ("refusal" in request) return request;
  const { model } = body;
  return {
    body: request.chat,
    serverTools: request.serverTools,
    contentType: "text/event-stream; charset=utf-8",
    createWriter: (identity) => new MessagesWriter(model, identity),
    writeWhole: (answer, identity) => writeMessage(answer, { model, identity }),
  };
}

/** A message with all its blocks. A call that the token limit cut is replaced by a text. */
function writeMessage(
  { parts, reason, usage }: WholeAnswer,
  { model, identity }: { readonly model: unknown; readonly identity: AnswerIdentity },
): unknown {
  const content = parts.map((part): JsonObject => {
    switch (part.kind) {
      case "text":
        return { type: "text", text: part.text };
      case "reasoning":
        return { type: "thinking", thinking: part.text, signature: SIGNATURE_PREFIX + identity.id };
      case "call":
        return part.isWhole
          ? { type: "tool_use", id: part.id, name: part.tool, input: JSON.parse(part.json) }
          : { type: "text", text: CUT_CALL.message };
    }
  });
  const hasCall = parts.some((part) => part.kind === "call" && part.isWhole);
  return {
    id: `msg_${identity.id}`,
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: stopReason(reason, hasCall),
    stop_sequence: null,
    usage: usageOf(usage),
  };
}

function writeModels(models: readonly string[]): unknown {
  const data = models.map((id) => ({
    type: "model",
    id,
    display_name: id,
    created_at: "1970-01-01T00:00:00Z",
  }));
  return { data, has_more: false, first_id: models[0] ?? null, last_id: models.at(-1) ?? null };
}
