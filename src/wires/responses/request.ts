/**
 * Reads a request of OpenAI's Responses API into a chat request.
 *
 * @see https://platform.openai.com/docs/api-reference/responses/create
 * @module
 */
import type { ApiError } from "../../chat/message/error.ts";
import { isRecord } from "../../engine/object/record.ts";
import { chatBody, withoutNulls } from "../chat_body.ts";
import { Conversation, PARAGRAPHS } from "../conversation.ts";
import type { ChatBody, ItemSource, JsonObject, WireRefusal } from "../wire.ts";
import { refuseMismatch } from "../shape_check.ts";
import { asksCompaction, askSummary } from "./compaction.ts";
import { RESPONSE_REQUEST } from "./request_schema.ts";
import { addItem } from "./items.ts";
import { answerOf } from "./response.ts";
import { ToolList } from "./tools.ts";

interface ResponsesRequest {
  readonly chat: ChatBody;
  readonly tools: ToolList;
  readonly isCompaction: boolean;
}

/** Parameters that need a server that keeps conversations. */
const NEED_STORE = ["previous_response_id", "conversation", "background"];

/** The advice for a reference that isn't found. */
const SEND_ALL = "Set `store: false` in the client, so that it sends the whole conversation in `input`";

export interface RequestReading {
  readonly kept?: ItemSource | undefined;
  readonly isCompactRoute?: boolean;
}

export function readResponsesRequest(
  body: JsonObject,
  { kept, isCompactRoute = false }: RequestReading = {},
): ResponsesRequest | WireRefusal {
  const wrong = refuseMismatch(body, RESPONSE_REQUEST);
  if (wrong !== undefined) return wrong;
  const stored = NEED_STORE.find((field) => body[field] != null && body[field] !== false);
  if (stored !== undefined) return needsStore(stored);
  const items: JsonObject[] = [];
  for (const [at, item] of itemsOf(body).entries()) {
    const id = referredId(item);
    const found = id === undefined ? item : kept?.take(id);
    if (found === undefined) return notFound(id ?? "", at);
    items.push(found);
  }
  const tools = new ToolList();
  tools.add(body["tools"]);
  for (const item of items) if (item["type"] === "additional_tools") tools.add(item["tools"]);
  const conversation = new Conversation(PARAGRAPHS);
  if (typeof body["instructions"] === "string") conversation.addSystem(body["instructions"]);
  for (const item of items) addItem(conversation, item, tools);
  const isCompaction = isCompactRoute || asksCompaction(items);
  if (isCompaction) askSummary(conversation);
  // The tools stay, because without them the server couldn't use its prefix cache.
  const choice = isCompaction ? "none" : toolChoice(body["tool_choice"], tools);
  const { model, reasoning } = body;
  const chat = chatBody({ model, conversation, stream: body["stream"] === true }, {
    max_tokens: body["max_output_tokens"],
    temperature: body["temperature"],
    top_p: body["top_p"],
    reasoning_effort: isRecord(reasoning) ? reasoning["effort"] : undefined,
    response_format: isCompaction ? undefined : responseFormat(body["text"]),
    ...(tools.functions.length === 0 ? {} : {
      tools: tools.functions,
      tool_choice: choice,
      parallel_tool_calls: body["parallel_tool_calls"],
    }),
  });
  return { chat, tools, isCompaction };
}

function toolChoice(choice: unknown, tools: ToolList): unknown {
  if (!isRecord(choice)) return typeof choice === "string" ? choice : undefined;
  const nameOf = (tool: JsonObject) => tools.functionOf(String(tool["name"]), tool["namespace"]);
  switch (choice["type"]) {
    case "function":
    case "custom":
      return { type: "function", function: { name: nameOf(choice) } };
    case "allowed_tools": {
      const allowed = Array.isArray(choice["tools"]) ? choice["tools"].filter(isRecord) : [];
      tools.keep(allowed.map((tool) => tool["name"] === undefined ? String(tool["type"]) : nameOf(tool)));
      return choice["mode"] ?? "auto";
    }
    default:
      return undefined;
  }
}

function responseFormat(text: unknown): JsonObject | undefined {
  const format = isRecord(text) ? text["format"] : undefined;
  if (!isRecord(format)) return undefined;
  const { type, name = "answer", schema, strict } = format;
  if (type === "json_object") return { type };
  if (type !== "json_schema") return undefined;
  return { type, json_schema: { name, schema, ...withoutNulls({ strict }) } };
}

/** The ids of the answers whose items a request refers to, each once. */
export function answersReferred(body: JsonObject): readonly string[] {
  const answers = itemsOf(body).map((item) => answerOf(referredId(item) ?? ""));
  return [...new Set(answers.filter((answer) => answer !== undefined))];
}

function itemsOf({ input }: JsonObject): readonly JsonObject[] {
  return (Array.isArray(input) ? input : [{ role: "user", content: input }]).filter(isRecord);
}

/** The id of an item that the client only refers to; undefined for every other item. */
function referredId({ type, id, role }: JsonObject): string | undefined {
  const given = typeof id === "string" ? id : undefined;
  if (type === "item_reference") return given ?? "";
  return type == null && role === undefined ? given : undefined;
}

function notFound(id: string, at: number): WireRefusal {
  const shown = id.length > ID_MAX ? `${id.slice(0, ID_MAX)}…` : id;
  return refuse({
    code: "item_not_found",
    param: "input",
    message:
      `\`input[${at}]\` refers to the item \`${shown}\`, which isn't stored. Dragoman keeps the items of an answer ` +
      `in memory for a limited time, and only for the same key. ${SEND_ALL}`,
  });
}

/** The longest id in a message; it comes from the client. */
const ID_MAX = 100;

function needsStore(param: string): WireRefusal {
  return refuse({
    code: "unsupported_parameter",
    param,
    message: `Dragoman doesn't store conversations, so \`${param}\` cannot refer to one. ${SEND_ALL}`,
  });
}

function refuse(error: Pick<ApiError, "code" | "message" | "param">): WireRefusal {
  return { refusal: { status: 400, type: "invalid_request_error", ...error } };
}
