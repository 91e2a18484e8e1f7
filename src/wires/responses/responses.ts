/**
 * OpenAI's Responses API, as Codex and OpenAI's SDKs speak it.
 *
 * @see https://platform.openai.com/docs/api-reference/responses
 * @module
 */
import { isRecord } from "../../engine/object/record.ts";
import { cutCallText, type WholeAnswer } from "../event.ts";
import type {
  AnswerIdentity,
  JsonObject,
  Wire,
  WireChat,
  WireFailure,
  WireOperation,
  WireRefusal,
} from "../wire.ts";
import { CompactionWriter, refuseSummary, writeCompaction } from "./compaction.ts";
import { answersReferred, readResponsesRequest, type RequestReading } from "./request.ts";
import { reasoningItem } from "./reasoning.ts";
import { callItem, itemId, messageItem, type ResponseContext, responseObject } from "./response.ts";
import { finalState, ResponsesWriter } from "./writer.ts";

export const responses: Wire = {
  name: "responses",
  find({ method, path, headers }): WireOperation | undefined {
    const match = /^\/v1\/responses(\/compact)?\/?$/.exec(path);
    if (match === null) return undefined;
    if (method === "GET" && headers.get("upgrade")?.toLowerCase() === "websocket") return NO_WEBSOCKET;
    if (method !== "POST") return undefined;
    const isCompactRoute = match[1] !== undefined;
    return {
      kind: "chat",
      answersNamed: answersReferred,
      read: (body, items) => read(body, { kept: items, isCompactRoute }),
    };
  },
  writeError: ({ message, type, code, param }: WireFailure) => ({
    error: { message, type, code, param: param ?? null },
  }),
  writeLateError({ message, type, code }) {
    // The API's own fields, and the object that its SDK throws.
    return { type: "error", code, message, param: null, error: { message, type, code, param: null } };
  },
};

/**
 * Codex continues over HTTP at once after this status, and only after this one. The answer names the protocol to use, as
 * RFC 9110 demands (section 15.5.22).
 */
const NO_WEBSOCKET: WireOperation = {
  kind: "refusal",
  failure: {
    status: 426,
    headers: { upgrade: "HTTP/1.1" },
    type: "invalid_request_error",
    code: "no_websocket",
    message: "Dragoman serves the Responses API over HTTP, not over a WebSocket. Send POST /v1/responses",
  },
};

function read(body: JsonObject, reading: RequestReading): WireChat | WireRefusal {
  // The compact route has whole answers only.
  const asked = reading.isCompactRoute === true ? { ...body, stream: false } : body;
  const read = readResponsesRequest(asked, reading);
  if ("refusal" in read) return read;
  const { chat, tools, isCompaction } = read;
  const { tool_choice: choice } = body;
  const chosen = isRecord(choice) ? choice["type"] : undefined;
  // Without `store`, nothing is kept to refer to.
  const isKept = body["store"] !== false;
  const contextOf = (identity: AnswerIdentity): ResponseContext => ({
    request: body,
    tools,
    identity: isKept ? identity : { ...identity, keep: undefined },
  });
  return {
    body: chat,
    serverTools: tools.serverTools.map((tool) => ({ ...tool, isChosen: tool.name === chosen })),
    contentType: "text/event-stream; charset=utf-8",
    ...(isCompaction ? compactionOf(contextOf, reading) : {
      createWriter: (identity) => new ResponsesWriter(contextOf(identity)),
      writeWhole: (answer, identity) => writeResponse(answer, contextOf(identity)),
    }),
  };
}

function compactionOf(
  contextOf: (identity: AnswerIdentity) => ResponseContext,
  { isCompactRoute = false }: RequestReading,
): Pick<WireChat, "createWriter" | "writeWhole" | "refuseWhole"> {
  return {
    createWriter: (identity) => new CompactionWriter(contextOf(identity)),
    refuseWhole: refuseSummary,
    writeWhole: (answer, identity) =>
      writeCompaction(answer, { context: contextOf(identity), isCompactRoute }),
  };
}

function writeResponse({ parts, reason, usage }: WholeAnswer, context: ResponseContext): unknown {
  const output = parts.map((part, at): JsonObject => {
    const { identity } = context;
    const id = itemId(part.kind === "reasoning" ? "rs" : "msg", identity, at);
    if (part.kind === "reasoning") return reasoningItem(id, part.text);
    if (part.kind === "text") return messageItem(id, part.text);
    const { tool, json, isWhole } = part;
    return isWhole
      ? callItem({ at, callId: part.id, tool, json }, context)
      : messageItem(id, cutCallText(tool, json));
  });
  for (const item of output) context.identity.keep?.(String(item["id"]), () => item);
  const isCut = parts.some((part) => part.kind === "call" && !part.isWhole);
  return responseObject(context, { ...finalState(isCut ? "length" : reason), output, usage });
}
