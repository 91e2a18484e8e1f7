/**
 * The tools of a chat request as functions, which every server knows. Custom tools become functions with one string, and
 * their calls come back as custom calls; types that only the servers of an API run are left out.
 *
 *     tools: [custom f, web_search, g]  ─▶  tools: [f(input), g]  ─▶  call f {"input": "a"}  ─▶  custom call f "a"
 *
 * @module
 */
import { CustomCallStream, withCustomCalls } from "../../chat/message/custom_calls.ts";
import { INPUT_SCHEMA, withGrammar } from "../../chat/message/custom_tool.ts";
import type { ChatRequest } from "../../chat/message/request.ts";
import { parseExact } from "../../chat/message/number_spelling.ts";
import { encodeMessage } from "../../chat/sse/encode.ts";
import type { NoteEvent } from "../../engine/event/event.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { UpstreamConfig } from "../config/schema.ts";
import { isEvents } from "../transport/headers.ts";
import type { HttpError } from "../transport/respond.ts";
import { changeEvents } from "../upstream/converted.ts";
import { knowsEveryTool } from "../upstream/profiles/heals.ts";
import type { Service } from "./service.ts";
import { settleServerTools } from "./server_tools.ts";

type Fields = Readonly<Record<string, unknown>>;

interface PlainTools {
  readonly chat: ChatRequest;
  /** The text of the same request; numbers keep their spelling. */
  readonly body: string;
  readonly notes: readonly NoteEvent[];
  /** Gives the client's own tools back in an answer. */
  readonly restore: (response: Response) => Response;
}

/** A request with functions only, or why it is refused; undefined if it has no other tools, or the server knows them. */
export function withPlainTools(
  { chat, body }: { readonly chat: ChatRequest; readonly body: string },
  { upstream, service }: { readonly upstream: UpstreamConfig; readonly service: Service },
): PlainTools | HttpError | undefined {
  if (!upstream.heal || !hasOtherTools(chat) || knowsEveryTool(upstream.url)) return undefined;
  const settled = (request: Fields) => settleServerTools(split(request), { service, wire: "chat" });
  const plain = settled(chat);
  if ("refusal" in plain) return plain.refusal as HttpError;
  const exact = parseExact(body);
  const written = settled(isRecord(exact) ? exact : chat);
  if ("refusal" in written) return written.refusal as HttpError;
  const names = customNames(chat);
  return {
    chat: plain.body as ChatRequest,
    body: JSON.stringify(written.body),
    notes: plain.notes,
    restore: (response) => names.size === 0 ? response : restored(response, names),
  };
}

function hasOtherTools({ tools, messages, tool_choice: choice }: ChatRequest): boolean {
  if (JSON.stringify(plainChoice(choice)) !== JSON.stringify(choice)) return true;
  const isOther = (entry: unknown) =>
    isRecord(entry) && (isFlat(entry) || (typeof entry.type === "string" && entry.type !== "function"));
  const sent: readonly unknown[] = Array.isArray(messages) ? messages : [];
  if (sent.some((message) => isRecord(message) && isRecord(message.content))) return true;
  const calls = sent.flatMap((message) =>
    isRecord(message) && Array.isArray(message.tool_calls) ? message.tool_calls : []
  );
  return (Array.isArray(tools) && tools.some(isOther)) || calls.some(isOther);
}

function customNames({ tools }: ChatRequest): ReadonlySet<string> {
  const listed: readonly unknown[] = Array.isArray(tools) ? tools : [];
  return new Set(
    listed.flatMap((tool) => {
      const custom = isRecord(tool) && tool.type === "custom" ? tool.custom : undefined;
      return isRecord(custom) && typeof custom.name === "string" ? [custom.name] : [];
    }),
  );
}

/** A request with its functions, and the tools that aren't functions. */
function split(request: Fields) {
  const { tools: given, tool_choice: choice, messages, ...rest } = request;
  const listed = Array.isArray(given) ? given.filter(isRecord) : [];
  const tools = listed.flatMap((tool) => isServerTool(tool) ? [] : [asFunction(tool)]);
  const serverTools = listed.filter(isServerTool).map((entry) => ({
    name: String(entry.type),
    entry,
    isChosen: isRecord(choice) && choice.type === entry.type,
  }));
  const chosen = choice === undefined || tools.length === 0 ? {} : { tool_choice: plainChoice(choice) };
  const conversation = Array.isArray(messages) ? { messages: messages.map(plainMessage) } : {};
  return {
    body: { ...rest, ...conversation, ...given === undefined ? {} : { tools }, ...chosen },
    serverTools,
  };
}

/** Whether a tool is written as in Responses (`parameters`) or Anthropic Messages (`input_schema`): its fields have no `function`. */
function isFlat(tool: Fields): boolean {
  return (tool.type === undefined || tool.type === "function") && tool.function === undefined &&
    typeof tool.name === "string";
}

function isServerTool({ type }: Fields): boolean {
  return typeof type === "string" && type !== "function" && type !== "custom";
}

function asFunction(tool: Fields): Fields {
  if (isFlat(tool)) {
    const { type: _, input_schema: schema, cache_control: __, ...made } = tool;
    return { type: "function", function: { ...made, ...schema === undefined ? {} : { parameters: schema } } };
  }
  if (tool.type !== "custom") return tool;
  const { name, description, format } = isRecord(tool.custom) ? tool.custom : {} as Fields;
  const grammar = isRecord(format) && isRecord(format.grammar) ? format.grammar.definition : undefined;
  const made = { name, description: withGrammar(description, grammar), parameters: INPUT_SCHEMA };
  return { type: "function", function: made };
}

/** A choice in the words of chats: Responses and Anthropic Messages have others. */
function plainChoice(choice: unknown): unknown {
  if (!isRecord(choice)) return choice;
  const { type, name, custom, allowed_tools: allowed = choice } = choice;
  if (type === "allowed_tools") {
    if (!isRecord(allowed) || !Array.isArray(allowed.tools)) return choice;
    const { mode, tools } = allowed;
    return { type, allowed_tools: { mode, tools: tools.map(plainChoice) } };
  }
  if (type === "any") return "required";
  if (type === "auto" || type === "none" || type === "required") return type;
  const isNamed = (type === "function" || type === "tool" || type === "custom") &&
    choice.function === undefined;
  const chosen = custom ?? (typeof name === "string" ? { name } : undefined);
  return isNamed && chosen !== undefined ? { type: "function", function: chosen } : choice;
}

/** A message whose calls of custom tools are those of functions. A result that is an object becomes its text. */
function plainMessage(given: unknown): unknown {
  const isObject = isRecord(given) && isRecord(given.content);
  const message = isObject ? { ...given, content: JSON.stringify(given.content) } : given;
  if (!isRecord(message) || !Array.isArray(message.tool_calls)) return message;
  const calls = message.tool_calls.map((call: unknown) => {
    if (!isRecord(call) || call.type !== "custom" || !isRecord(call.custom)) return call;
    const { custom: { name, input }, ...rest } = call;
    return { ...rest, type: "function", function: { name, arguments: JSON.stringify({ input }) } };
  });
  return { ...message, tool_calls: calls };
}

/** The response with custom calls; an error stays. */
function restored(response: Response, names: ReadonlySet<string>): Response {
  const { ok, status, statusText, body } = response;
  if (!ok || body === null) return response;
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  const stream = body.pipeThrough(isEvents(headers) ? eventsWith(names) : wholeWith(names));
  return new Response(stream, { status, statusText, headers });
}

function eventsWith(names: ReadonlySet<string>): TransformStream<Uint8Array, Uint8Array> {
  const calls = new CustomCallStream(names);
  return changeEvents((data) => {
    const value = parseJson(data);
    const changed = isRecord(value) ? calls.push(value) : value;
    return changed === value ? undefined : encodeMessage(JSON.stringify(changed));
  });
}

/** The proxy itself has read and bounded the answer before. */
function wholeWith(names: ReadonlySet<string>): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  let text = "";
  return new TransformStream({
    transform: (bytes) => void (text += decoder.decode(bytes, { stream: true })),
    flush(out) {
      text += decoder.decode();
      const value = parseJson(text);
      const changed = isRecord(value) ? JSON.stringify(withCustomCalls(value, names)) : text;
      out.enqueue(new TextEncoder().encode(changed));
    },
  });
}
