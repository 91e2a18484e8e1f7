/**
 * Reads a request of Gemini's generateContent into a chat request.
 *
 * @see https://ai.google.dev/api/generate-content
 * @module
 */
import { isRecord } from "../../engine/object/record.ts";
import { CallIds } from "../call_ids.ts";
import { chatBody, withoutNulls } from "../chat_body.ts";
import { Conversation, partList, type Parts } from "../conversation.ts";
import type { ChatBody, JsonObject, ServerTool, WireRefusal } from "../wire.ts";
import { refuseMismatch } from "../shape_check.ts";
import { GENERATE_REQUEST } from "./request_schema.ts";
import { present } from "../../engine/object/present.ts";
import { asText } from "../../engine/object/text.ts";

export interface GeminiPath {
  readonly model: string;
  readonly isStreamed: boolean;
}

export function readGenerateRequest(
  body: JsonObject,
  path: GeminiPath,
): { readonly chat: ChatBody } | WireRefusal {
  const wrong = refuseMismatch(body, GENERATE_REQUEST);
  if (wrong !== undefined) return wrong;
  const conversation = new Conversation();
  const system = body["systemInstruction"] ?? body["system_instruction"];
  conversation.addSystem(
    typeof system === "string" ? system : textOf(partsOf(isRecord(system) ? system["parts"] : [])),
  );
  const ids = new CallIds();
  for (const content of partsOf(body["contents"])) addContent(conversation, content, ids);
  const tools = readTools(body["tools"]);
  const config = isRecord(body["generationConfig"]) ? body["generationConfig"] : {};
  const chat = chatBody({ model: path.model, conversation, stream: path.isStreamed }, {
    temperature: config["temperature"],
    top_p: config["topP"],
    top_k: config["topK"],
    max_tokens: config["maxOutputTokens"],
    stop: config["stopSequences"],
    seed: config["seed"],
    response_format: responseFormat(config),
    reasoning_budget: budgetOf(config["thinkingConfig"]),
    ...(tools.length === 0 ? {} : { tools, tool_choice: toolChoice(body["toolConfig"]) }),
  });
  return { chat };
}

/** The most tokens of thoughts, or the effort in the place of a number; a number below 0 is the model's own choice. */
function budgetOf(thinking: unknown): unknown {
  return isRecord(thinking) ? thinking["thinkingBudget"] ?? thinking["thinkingLevel"] : undefined;
}

function addContent(conversation: Conversation, { role, parts }: JsonObject, ids: CallIds): void {
  for (const part of partsOf(parts)) {
    if (role === "model") addModelPart(conversation, part, ids);
    else addUserPart(conversation, part, ids);
  }
  if (role !== "model") conversation.endMessage();
}

function addModelPart(conversation: Conversation, part: JsonObject, ids: CallIds): void {
  const { text, thought, functionCall: call } = part;
  if (isRecord(call)) {
    const tool = String(call["name"]);
    conversation.addAssistant({
      calls: [{ id: ids.add(tool, call["id"]), tool, json: JSON.stringify(call["args"] ?? {}) }],
    });
  } else if (typeof text === "string") {
    conversation.addAssistant(thought === true ? { reasoning: text } : { text });
  }
}

function addUserPart(conversation: Conversation, part: JsonObject, ids: CallIds): void {
  const { functionResponse: result } = part;
  if (!isRecord(result)) return conversation.addUser(contentOf(part));
  const { id, name, response, parts } = result;
  const text = isRecord(response) ? response["output"] ?? response["error"] ?? response : response;
  const content = asText(text ?? {});
  const others = partsOf(parts).flatMap((other) => partList(contentOf(other)));
  conversation.addResult({
    id: ids.take(name, id),
    parts: others.length === 0 ? content : [{ type: "text", text: content }, ...others],
  });
}

function contentOf({ text, inlineData: data, fileData: file }: JsonObject): Parts {
  if (typeof text === "string") return text;
  if (isRecord(data)) {
    return [{ type: "image_url", image_url: { url: `data:${data["mimeType"]};base64,${data["data"]}` } }];
  }
  return isRecord(file) ? [{ type: "image_url", image_url: { url: String(file["fileUri"]) } }] : [];
}

function partsOf(parts: unknown): JsonObject[] {
  return [parts ?? []].flat().filter(isRecord);
}

function textOf(parts: readonly JsonObject[]): string {
  return parts.flatMap(({ text }) => typeof text === "string" ? [text] : []).join("");
}

/** The name of the list of functions in a list of tools, in both spellings. */
const FUNCTIONS = ["functionDeclarations", "function_declarations"];

/** The tools that only Google's API has: every other name. */
export function readServerTools(tools: unknown): ServerTool[] {
  return partsOf(tools).flatMap((tool) =>
    Object.entries(tool).flatMap(([name, value]) =>
      FUNCTIONS.includes(name) ? [] : [{ name, entry: { [name]: value } }]
    )
  );
}

function readTools(tools: unknown): JsonObject[] {
  const declarations = partsOf(tools).flatMap((tool) => FUNCTIONS.flatMap((name) => partsOf(tool[name])));
  return declarations.map(({ name, description, parametersJsonSchema, parameters }) => ({
    type: "function",
    function: {
      name,
      ...withoutNulls({ description }),
      parameters: parametersJsonSchema ?? chatSchema(parameters) ?? { type: "object", properties: {} },
    },
  }));
}

function toolChoice(config: unknown): unknown {
  const calling = isRecord(config) ? config["functionCallingConfig"] : undefined;
  if (!isRecord(calling)) return undefined;
  const { mode, allowedFunctionNames: allowed } = calling;
  const names = mode === "NONE" || !Array.isArray(allowed) ? [] : allowed;
  const tools = names.map((name: unknown) => ({ type: "function", function: { name } }));
  if (mode === "ANY" && tools.length === 1) return tools[0];
  if (tools.length > 0) {
    return { type: "allowed_tools", allowed_tools: { mode: mode === "ANY" ? "required" : "auto", tools } };
  }
  return mode === "ANY" ? "required" : mode === "NONE" ? "none" : mode === "AUTO" ? "auto" : undefined;
}

function responseFormat(config: JsonObject): JsonObject | undefined {
  if (config["responseMimeType"] !== "application/json") return undefined;
  const schema = config["responseJsonSchema"] ?? chatSchema(config["responseSchema"]);
  return schema === undefined
    ? { type: "json_object" }
    : { type: "json_schema", json_schema: { name: "answer", schema } };
}

/**
 * The JSON Schema of a schema; undefined if there is none. Gemini's schemas are OpenAPI's, with types in capitals and `nullable`.
 *
 *     {type: STRING, nullable: true}  ─▶  {type: [string, null]}
 *
 * @see https://ai.google.dev/api/caching#Schema
 */
function chatSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(chatSchema);
  if (!isRecord(schema)) return schema;
  const { nullable, type, ...others } = schema;
  const lower = chatTypes(type);
  const types = nullable === true && lower !== undefined ? [lower, "null"].flat() : lower;
  const fields = Object.entries(others).map(([name, value]) => [
    name,
    name === "properties" && isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([property, each]) => [property, chatSchema(each)]))
      : SCHEMAS.has(name)
      ? chatSchema(value)
      : value,
  ]);
  return { ...present({ type: types }), ...Object.fromEntries(fields) };
}

/** The fields of a schema that contain schemas. */
const SCHEMAS = new Set(["items", "anyOf", "oneOf", "allOf", "prefixItems", "additionalProperties"]);

function chatTypes(types: unknown): unknown {
  if (typeof types === "string") return types.toLowerCase();
  return Array.isArray(types) ? types.map(chatTypes) : undefined;
}
