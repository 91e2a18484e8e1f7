/**
 * OpenAI's Responses API, as Codex and OpenAI's SDKs speak it.
 *
 * @see https://platform.openai.com/docs/api-reference/responses
 * @module
 */
import { isRecord } from "../../engine/object/record.ts";
import { cutCallText } from "../cut_call.ts";
import type { WholeAnswer } from "../event.ts";
import type { JsonObject, Wire, WireChat, WireFailure, WireOperation, WireRefusal } from "../wire.ts";
import { readResponsesRequest } from "./request.ts";
import { reasoningItem } from "./reasoning.ts";
import { callItem, messageItem, type ResponseContext, responseObject } from "./response.ts";
import { finalState, ResponsesWriter } from "./writer.ts";

/** The wire of OpenAI's Responses API. */
export const responses: Wire = {
  name: "responses",
  find({ method, path }): WireOperation | undefined {
    return method === "POST" && /^\/v1\/responses\/?$/.test(path) ? { kind: "chat", read } : undefined;
  },
  writeError: ({ message, type, code, param }: WireFailure) => ({
    error: { message, type, code, param: param ?? null },
  }),
};

function read(body: JsonObject): WireChat | WireRefusal {
  const read = readResponsesRequest(body);
  if ("refusal" in read) return read;
  const { chat, tools } = read;
  const { tool_choice: choice } = body;
  const chosen = isRecord(choice) ? choice["type"] : undefined;
  return {
    body: chat,
    serverTools: tools.serverTools.map((tool) => ({ ...tool, isChosen: tool.name === chosen })),
    contentType: "text/event-stream; charset=utf-8",
    createWriter: (identity) => new ResponsesWriter({ request: body, tools, identity }),
    writeWhole: (answer, identity) => writeResponse(answer, { request: body, tools, identity }),
  };
}

function writeResponse({ parts, reason, usage }: WholeAnswer, context: ResponseContext): unknown {
  const output = parts.map((part, at): JsonObject => {
    const id = `${context.identity.id}_${at}`;
    if (part.kind === "reasoning") return reasoningItem(`rs_${id}`, part.text);
    if (part.kind === "text") return messageItem(`msg_${id}`, part.text);
    const { tool, json, isWhole } = part;
    return isWhole
      ? callItem({ id, callId: part.id, tool, json }, context.tools)
      : messageItem(`msg_${id}`, cutCallText(tool, json));
  });
  const isCut = parts.some((part) => part.kind === "call" && !part.isWhole);
  return responseObject(context, { ...finalState(isCut ? "length" : reason), output, usage });
}
