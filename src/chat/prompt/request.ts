/** A request for a server without tools: they are announced in the prompt, and earlier calls and results are text. @module */
import { chosenTools, takesOneCall } from "../message/conversation.ts";
import type { ChatRequest, RequestFunction } from "../message/request.ts";
import { parseExact } from "../message/number_spelling.ts";
import { present } from "../../engine/object/present.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { Work } from "../pipeline/work.ts";
import type { OfferedTool } from "../../engine/tool/offered.ts";
import { requiredParameters } from "../../engine/tool/schema.ts";
import { announce, type CallTerms } from "./announcement.ts";
import { type ConversationOptions, speakConversation, withSystemText } from "./conversation.ts";
import { Speaker } from "./speaker.ts";
import type { Unspeakable } from "./spoken.ts";

/** The fields of a request that a server without tools doesn't know. */
const TOOL_FIELDS = ["tools", "tool_choice", "parallel_tool_calls", "functions", "function_call"];

type SpeechOptions = Pick<ConversationOptions, "speaker" | "isPauseDue">;

/** Writes a request without tools, numbers with their spelling; undefined if it has nothing to do with tools. */
export function* speakRequest(
  body: string,
  { speaker: wanted, isPauseDue }: SpeechOptions,
): Work<{ readonly body: string; readonly isOtherwise: boolean } | Unspeakable | undefined> {
  const request = parseExact(body);
  if (!isRecord(request) || !concernsTools(request)) return undefined;
  const functions = functionsOf(request);
  const tools = functions.map(toolOf);
  const speaker = yield* speakerFor(tools, { speaker: wanted, isPauseDue });
  if (!(speaker instanceof Speaker)) return speaker;
  const given = Array.isArray(request.messages) ? request.messages : [];
  const spoken = yield* speakConversation(given, { speaker, tools, isPauseDue });
  if ("tool" in spoken) return spoken;
  const announced = functions.length === 0
    ? undefined
    : announce(functions, { speak: speaker.speak, terms: termsOf(request) });
  const messages = announced === undefined ? spoken.messages : withSystemText(spoken.messages, announced);
  const kept = Object.entries(request).filter(([field]) => !TOOL_FIELDS.includes(field));
  return {
    body: JSON.stringify({ ...Object.fromEntries(kept), messages }),
    isOtherwise: spoken.isOtherwise || speaker !== wanted,
  };
}

export function termsOf(request: ChatRequest): CallTerms {
  const choice = request.tool_choice ?? request.function_call;
  const names = [...chosenTools(request) ?? []];
  const allowed = isRecord(choice) && isRecord(choice.allowed_tools) ? choice.allowed_tools : undefined;
  const isOneCall = takesOneCall(request);
  if (allowed !== undefined && allowed.mode !== "required") return { only: names, isOneCall };
  if (names.length > 0) return { choice: names, isOneCall };
  const isAny = choice === "required" || choice === "any";
  return { choice: choice === "none" ? "none" : isAny ? "any" : undefined, isOneCall };
}

/** Whether a request offers tools, or has calls or results in its conversation. */
export function concernsTools(request: ChatRequest): boolean {
  return TOOL_FIELDS.some((field) => request[field] != null) || hasCalls(request);
}

/** Whether a request has calls or results in its conversation. */
export function hasCalls({ messages }: ChatRequest): boolean {
  return Array.isArray(messages) &&
    messages.some((message: unknown) =>
      isRecord(message) && (message.role === "tool" || message.role === "function" ||
        message.tool_calls != null || message.function_call != null)
    );
}

function functionsOf({ tools, functions }: ChatRequest): RequestFunction[] {
  const listed = Array.isArray(tools)
    ? tools.map((tool: unknown) => isRecord(tool) ? tool.function : tool)
    : [];
  const all: unknown[] = listed.length > 0 ? listed : Array.isArray(functions) ? functions : [];
  return all.filter((one): one is RequestFunction => isRecord(one) && typeof one.name === "string");
}

export function offeredOf(request: ChatRequest): OfferedTool[] {
  return functionsOf(request).map(toolOf);
}

function toolOf({ name = "", parameters }: RequestFunction): OfferedTool {
  const schema = isRecord(parameters) ? parameters : undefined;
  return { name, ...present({ schema }) };
}

/** The speaker if it can call all tools, else the one of the dialect that it names, else the tool that it can't call. */
function* speakerFor(
  tools: readonly OfferedTool[],
  { speaker, isPauseDue }: SpeechOptions,
): Work<Speaker | Unspeakable> {
  const found = yield* firstUncallable(tools, { speaker, isPauseDue });
  if (found === undefined) return speaker;
  const { otherwise } = speaker;
  if (otherwise === undefined) return found;
  return (yield* firstUncallable(tools, { speaker: otherwise, isPauseDue })) === undefined
    ? otherwise
    : found;
}

function* firstUncallable(
  tools: readonly OfferedTool[],
  { speaker, isPauseDue = () => false }: SpeechOptions,
): Work<Unspeakable | undefined> {
  for (const tool of tools) {
    if (isPauseDue()) yield;
    const found = speaker.uncallable(tool, requiredParameters(tool.schema));
    if (found !== undefined) return found;
  }
  return undefined;
}
