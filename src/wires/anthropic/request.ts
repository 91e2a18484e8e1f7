/**
 * Reads a request of Anthropic's Messages API into a chat request.
 *
 * @see https://docs.anthropic.com/en/api/messages (version 2023-06-01)
 * @module
 */
import { isRecord } from "../../engine/object/record.ts";
import { chatBody, invalidRequest, recordsIn } from "../chat_body.ts";
import { type ContentPart, Conversation, PARAGRAPHS, partList, type Parts } from "../conversation.ts";
import { refuseMismatch } from "../shape_check.ts";
import type { ChatBody, JsonObject, ServerTool, WireRefusal } from "../wire.ts";
import { MESSAGE_REQUEST } from "./request_schema.ts";
import { offeredTools, readServerTools, readTools, toolChoice } from "./tools.ts";

/** The beginning of a system block that changes with every request and would defeat the upstream's prefix cache. */
const BILLING_HEADER = "x-anthropic-billing-header:";

interface MessagesRequest {
  readonly chat: ChatBody;
  readonly serverTools: readonly ServerTool[];
}

export function readMessages(body: JsonObject): MessagesRequest | WireRefusal {
  const wrong = refuseMismatch(body, MESSAGE_REQUEST);
  if (wrong !== undefined) return wrong;
  const { thread, messages } = body;
  if (isRecord(thread) && thread["type"] === "continue") return UNKNOWN_THREAD;
  const conversation = new Conversation(PARAGRAPHS);
  for (const block of blocksOf(body["system"])) {
    const text = textOf([block]);
    if (!text.startsWith(BILLING_HEADER)) conversation.addSystem(text);
  }
  for (const message of recordsIn(messages)) {
    const problem = addMessage(conversation, message);
    if (problem !== undefined) return invalidRequest(problem);
  }
  const offered = offeredTools(body);
  const tools = readTools(offered);
  const { model, metadata } = body;
  const chat = chatBody({ model, conversation, stream: body["stream"] === true }, {
    max_tokens: body["max_tokens"],
    temperature: body["temperature"],
    top_p: body["top_p"],
    top_k: body["top_k"],
    stop: body["stop_sequences"],
    user: isRecord(metadata) ? metadata["user_id"] : undefined,
    response_format: responseFormat(body["output_config"]),
    reasoning_budget: budgetOf(body),
    ...(tools.length === 0 ? {} : { tools, ...toolChoice(body["tool_choice"]) }),
  });
  return { chat, serverTools: readServerTools(offered, body["tool_choice"]) };
}

/** The most tokens of thoughts, or the effort in the place of a number. */
function budgetOf({ thinking, output_config: config }: JsonObject): unknown {
  const stated = isRecord(thinking) ? thinking["budget_tokens"] : undefined;
  return stated ?? (isRecord(config) ? config["effort"] : undefined);
}

function addMessage(conversation: Conversation, { role, content }: JsonObject): string | undefined {
  if (typeof content === "string" && role !== "system" && role !== "assistant") {
    if (content !== "") conversation.addUser(content);
    conversation.endMessage();
    return undefined;
  }
  const blocks = blocksOf(content);
  for (const block of blocks) {
    const problem = unreadable(block);
    if (problem !== undefined) return problem;
  }
  // Claude Code 2.1 sends instructions after the first user message; most templates allow them only at the beginning.
  if (role === "system") conversation.addSystem(textOf(content));
  else if (role === "assistant") { for (const block of blocks) addAssistant(conversation, block); }
  else {
    for (const block of blocks) {
      if (block["type"] === "tool_result") addResult(conversation, block);
      else conversation.addUser(partsOf([block]));
    }
    conversation.endMessage();
  }
  return undefined;
}

function addAssistant(conversation: Conversation, block: JsonObject): void {
  switch (block["type"]) {
    case "text":
      return conversation.addAssistant({ text: String(block["text"]) });
    case "thinking":
      return conversation.addAssistant({ reasoning: String(block["thinking"] ?? "") });
    case "tool_use": {
      const { id, name, input } = block;
      const call = { id: String(id), tool: String(name), json: JSON.stringify(input ?? {}) };
      return conversation.addAssistant({ calls: [call] });
    }
  }
}

function addResult(conversation: Conversation, block: JsonObject): void {
  const { tool_use_id: id, content, is_error: isError } = block;
  const parts = partsOf(content);
  conversation.addResult({ id: String(id), parts: isError === true ? markError(parts) : parts });
}

/** A chat has no flag for errors, so the text has to state it. */
function markError(parts: Parts): Parts {
  const list = partList(parts);
  const first = list[0]?.type === "text" ? list[0].text : "";
  if (/error/i.test(first.slice(0, 200))) return parts;
  return [{ type: "text", text: `Error: ${first}` }, ...list.slice(first === "" ? 0 : 1)];
}

function responseFormat(config: unknown): JsonObject | undefined {
  const format = isRecord(config) ? config["format"] : undefined;
  if (!isRecord(format) || format["type"] !== "json_schema") return undefined;
  return { type: "json_schema", json_schema: { name: "answer", schema: format["schema"] } };
}

/** The SDK's tool runner then sends the whole conversation (seen in @anthropic-ai/sdk 1.12.0). */
const UNKNOWN_THREAD: WireRefusal = {
  refusal: {
    status: 404,
    type: "not_found_error",
    code: "thread_not_found",
    message: "Dragoman doesn't store threads. Send the whole conversation",
    details: { error_code: "thread_not_found" },
  },
};

function blocksOf(content: unknown): readonly JsonObject[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return recordsIn(content);
}

/** The text of the text blocks, joined by an empty line. */
function textOf(content: unknown): string {
  return blocksOf(content).flatMap(({ type, text }) =>
    type === "text" && typeof text === "string" ? [text] : []
  )
    .join("\n\n");
}

/** The parts of a chat message for a content: a text, or a list of blocks. */
function partsOf(content: unknown): Parts {
  if (typeof content === "string") return content;
  const blocks = recordsIn(content);
  return blocks.length === 1
    ? partsOfBlock(blocks[0]!)
    : blocks.flatMap((block) => partList(partsOfBlock(block)));
}

/** The parts for a block; none for a block that a chat can't represent. */
function partsOfBlock(block: JsonObject): Parts {
  const { type } = block;
  switch (type) {
    case "text":
      return typeof block["text"] === "string" ? block["text"] : [];
    case "image":
      return imageParts(block["source"]);
    case "document":
      return documentParts(block);
    case "tool_reference":
      return `The tool ${block["tool_name"] ?? ""} is loaded`;
    case "search_result":
      return `${block["title"] ?? ""}\n${block["source"] ?? ""}\n${textOf(block["content"])}`;
    default:
      return [];
  }
}

function imageParts(source: unknown): ContentPart[] {
  if (!isRecord(source)) return [];
  const url = source["type"] === "url"
    ? source["url"]
    : `data:${source["media_type"]};base64,${source["data"]}`;
  return typeof url === "string" ? [{ type: "image_url", image_url: { url } }] : [];
}

function documentParts({ source, title }: JsonObject): Parts {
  if (!isRecord(source)) return [];
  const { type, data, media_type: mediaType } = source;
  if (type === "text") return String(data ?? "");
  if (type === "content") return partsOf(source["content"]);
  if (type !== "base64") return [];
  const filename = typeof title === "string" && title !== "" ? title : "document.pdf";
  return [{ type: "file", file: { filename, file_data: `data:${mediaType};base64,${data}` } }];
}

/** Why a block cannot be sent to a chat server; undefined if it can. */
function unreadable(block: JsonObject): string | undefined {
  const { source } = block;
  return block["type"] === "document" && isRecord(source) && source["type"] === "url"
    ? "A chat server cannot fetch a document from a URL. Send it as base64 or text"
    : undefined;
}
