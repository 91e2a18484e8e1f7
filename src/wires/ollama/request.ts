/**
 * Reads a request of Ollama's chat API into a chat request.
 *
 * @see https://github.com/ollama/ollama/blob/main/docs/api.md#generate-a-chat-completion
 * @module
 */
import { isRecord } from "../../engine/object/record.ts";
import { asText } from "../../engine/object/text.ts";
import { CallIds } from "../call_ids.ts";
import { chatBody, recordsIn } from "../chat_body.ts";
import { type ContentPart, Conversation } from "../conversation.ts";
import { refuseMismatch } from "../shape_check.ts";
import type { ChatBody, JsonObject, ServerTool, WireRefusal } from "../wire.ts";
import { CHAT_REQUEST } from "./request_schema.ts";

export function readChatRequest(body: JsonObject): { readonly chat: ChatBody } | WireRefusal {
  const wrong = refuseMismatch(body, CHAT_REQUEST);
  if (wrong !== undefined) return wrong;
  const { messages, tools, format, think } = body;
  const conversation = new Conversation();
  const ids = new CallIds();
  for (const message of recordsIn(messages)) addMessage(conversation, message, ids);
  const options = isRecord(body["options"]) ? body["options"] : {};
  const limit = options["num_predict"];
  const functions = recordsIn(tools).filter((tool) => !isServerTool(tool));
  // Ollama streams by default.
  const stream = body["stream"] !== false;
  const chat = chatBody({ model: body["model"], conversation, stream }, {
    tools: functions.length > 0 ? functions : undefined,
    response_format: responseFormat(format),
    reasoning_effort: typeof think === "string" ? think : undefined,
    max_tokens: typeof limit === "number" && limit > 0 ? limit : undefined,
    ...Object.fromEntries(SAME_NAMES.map((name) => [name, options[name]])),
  });
  return { chat };
}

/** The tools that only another API's servers run: this API has functions alone. */
export function readServerTools(tools: unknown): ServerTool[] {
  return recordsIn(tools).filter(isServerTool).map((entry) => ({ name: String(entry["type"]), entry }));
}

function isServerTool({ type }: JsonObject): boolean {
  return typeof type === "string" && type !== "function";
}

/** Options with the same name in a chat request. */
const SAME_NAMES = ["temperature", "top_p", "top_k", "min_p", "stop", "seed", "repeat_penalty"];

function addMessage(conversation: Conversation, message: JsonObject, ids: CallIds): void {
  const { role, content, thinking, images, tool_calls: calls } = message;
  const text = typeof content === "string" ? content : "";
  switch (role) {
    case "system":
      return conversation.addSystem(text);
    case "assistant":
      return conversation.addAssistant({
        text,
        reasoning: typeof thinking === "string" ? thinking : undefined,
        calls: recordsIn(calls).flatMap((call) => readCall(call, ids)),
      });
    case "tool":
      return conversation.addResult({
        id: ids.take(message["tool_name"], message["tool_call_id"]),
        parts: text,
      });
    default:
      conversation.addUser(text);
      conversation.addUser(imageParts(images));
      conversation.endMessage();
  }
}

function readCall({ id, function: called }: JsonObject, ids: CallIds) {
  if (!isRecord(called)) return [];
  const tool = String(called["name"]);
  const given = called["arguments"] ?? {};
  return [{ id: ids.add(tool, id), tool, json: asText(given) }];
}

/** Images are base64 without a type; servers read the type from the bytes. */
function imageParts(images: unknown): ContentPart[] {
  if (!Array.isArray(images)) return [];
  return images.map((data) => ({
    type: "image_url",
    image_url: { url: `data:${mediaType(String(data))};base64,${data}` },
  }));
}

function mediaType(base64: string): string {
  if (base64.startsWith("/9j/")) return "image/jpeg";
  if (base64.startsWith("R0lG")) return "image/gif";
  return base64.startsWith("UklG") ? "image/webp" : "image/png";
}

function responseFormat(format: unknown): JsonObject | undefined {
  if (format === "json") return { type: "json_object" };
  return isRecord(format)
    ? { type: "json_schema", json_schema: { name: "answer", schema: format } }
    : undefined;
}
