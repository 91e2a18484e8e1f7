/**
 * Reads the items of a Responses conversation.
 *
 * @see https://platform.openai.com/docs/api-reference/responses/create#responses-create-input
 * @module
 */
import { isRecord } from "../../engine/object/record.ts";
import { type Conversation, partList, type Parts } from "../conversation.ts";
import { recordsIn } from "../chat_body.ts";
import type { JsonObject } from "../wire.ts";
import { addSummary } from "./compaction.ts";
import { readReasoning } from "./reasoning.ts";
import type { ToolList } from "./tools.ts";

/** Adds an item to the conversation. Items that a chat can't represent are left out. */
export function addItem(conversation: Conversation, item: JsonObject, tools: ToolList): void {
  switch (item["type"] ?? "message") {
    case "message":
      return addMessage(conversation, item);
    case "reasoning":
      return conversation.addAssistant({ reasoning: readReasoning(item) });
    case "function_call":
      return addCall(conversation, { item, tools, json: String(item["arguments"] || "{}") });
    case "custom_tool_call":
      return addCall(conversation, {
        item,
        tools,
        json: JSON.stringify({ input: String(item["input"] ?? "") }),
      });
    case "local_shell_call":
      return addCall(conversation, {
        item: { ...item, name: "local_shell" },
        tools,
        json: JSON.stringify(item["action"] ?? {}),
      });
    case "function_call_output":
    case "custom_tool_call_output":
    case "local_shell_call_output":
      return conversation.addResult({ id: callId(item), parts: partsOf(item["output"]) });
    case "compaction":
    case "compaction_summary":
    case "context_compaction":
      return addSummary(conversation, item);
  }
}

function addMessage(conversation: Conversation, { role, content }: JsonObject): void {
  const parts = partsOf(content);
  if (role === "system" || role === "developer") return conversation.addSystem(textOf(parts));
  if (role === "assistant") return conversation.addAssistant({ text: textOf(parts) });
  conversation.addUser(parts);
  conversation.endMessage();
}

function textOf(parts: Parts): string {
  if (typeof parts === "string") return parts;
  return parts.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n\n");
}

function addCall(
  conversation: Conversation,
  { item, tools, json }: { readonly item: JsonObject; readonly tools: ToolList; readonly json: string },
): void {
  const tool = tools.functionOf(String(item["name"]), item["namespace"]);
  conversation.addAssistant({ calls: [{ id: callId(item), tool, json }] });
}

function callId({ call_id: callId, id }: JsonObject): string {
  return String(callId ?? id);
}

/** The parts of a content or of a result: a text, or a list of parts. */
function partsOf(content: unknown): Parts {
  if (typeof content === "string") return content;
  if (isRecord(content)) return partsOf(content["content"] ?? content["output"] ?? JSON.stringify(content));
  const parts = recordsIn(content);
  return parts.length === 1 ? partOf(parts[0]!) : parts.flatMap((part) => partList(partOf(part)));
}

function partOf({ type, text, refusal, image_url: image, file_data: data, filename }: JsonObject): Parts {
  switch (type) {
    case "input_text":
    case "output_text":
    case "text":
      return typeof text === "string" ? text : [];
    case "refusal":
      return typeof refusal === "string" ? refusal : [];
    case "input_image":
      return typeof image === "string" ? [{ type: "image_url", image_url: { url: image } }] : [];
    case "input_file":
      return typeof data === "string"
        ? [{ type: "file", file: { file_data: data, filename: String(filename ?? "file") } }]
        : [];
    default:
      return [];
  }
}
