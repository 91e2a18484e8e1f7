/**
 * OpenAI's Responses API, as Codex and OpenAI's SDKs speak it.
 *
 * @see https://platform.openai.com/docs/api-reference/responses
 * @module
 */
import { isRecord } from "../../engine/object/record.ts";
import { cutCallText } from "../cut_call.ts";
import type { WholeAnswer } from "../event.ts";
import type {
  AnswerIdentity,
  ItemSource,
  JsonObject,
  Wire,
  WireChat,
  WireFailure,
  WireOperation,
  WireRefusal,
} from "../wire.ts";
import { answersReferred, readResponsesRequest } from "./request.ts";
import { reasoningItem } from "./reasoning.ts";
import { callItem, itemId, messageItem, type ResponseContext, responseObject } from "./response.ts";
import { finalState, ResponsesWriter } from "./writer.ts";

/** The wire of OpenAI's Responses API. */
export const responses: Wire = {
  name: "responses",
  find({ method, path }): WireOperation | undefined {
    return method === "POST" && /^\/v1\/responses\/?$/.test(path)
      ? { kind: "chat", answersNamed: answersReferred, read }
      : undefined;
  },
  writeError: ({ message, type, code, param }: WireFailure) => ({
    error: { message, type, code, param: param ?? null },
  }),
};

function read(body: JsonObject, items?: ItemSource): WireChat | WireRefusal {
  const read = readResponsesRequest(body, items);
  if ("refusal" in read) return read;
  const { chat, tools } = read;
  const { tool_choice: choice } = body;
  const chosen = isRecord(choice) ? choice["type"] : undefined;
  // A client that wants nothing stored refers to nothing.
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
    createWriter: (identity) => new ResponsesWriter(contextOf(identity)),
    writeWhole: (answer, identity) => writeResponse(answer, contextOf(identity)),
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
