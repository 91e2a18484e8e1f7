/** The prompt of the AI SDK with the tools in it. @module */
import { isRecord } from "../../engine/object/record.ts";
import { type Message, messagesIn, outputText, partsIn, textOf } from "./ai_sdk_parts.ts";
import { promptedBody } from "./exchange.ts";
import type { Connection } from "./options.ts";

/** The request with its tools in the prompt. */
export async function promptedParams<Params extends object>(
  params: Params,
  { connection, model }: { readonly connection: Connection; readonly model: string },
): Promise<Params> {
  const { prompt, tools, toolChoice, ...rest } = params as Readonly<Record<string, unknown>>;
  const functions = (Array.isArray(tools) ? tools : []).filter(isRecord).filter(({ type }) =>
    type === "function"
  );
  const request = {
    model,
    messages: messagesIn(prompt).flatMap(chatMessages),
    ...(functions.length === 0
      ? {}
      : { tools: functions.map(chatTool), tool_choice: chatChoice(toolChoice) }),
  };
  const body = await promptedBody(JSON.stringify(request), connection);
  if (body === undefined) return params;
  const { messages } = JSON.parse(body) as { readonly messages: readonly Message[] };
  return { ...rest, prompt: messages.map(promptMessage) } as unknown as Params;
}

function chatTool({ name, description, inputSchema }: Message): unknown {
  return {
    type: "function",
    function: { name, ...(description ? { description } : {}), parameters: inputSchema },
  };
}

function chatChoice(choice: unknown): unknown {
  if (!isRecord(choice)) return undefined;
  return choice["type"] === "tool"
    ? { type: "function", function: { name: choice["toolName"] } }
    : choice["type"];
}

/** A message of the SDK as those of chat completions: each result of a tool is one of its own. */
function chatMessages(message: Message): Message[] {
  const { role, content } = message;
  const parts = partsIn(content);
  if (role === "system") return [{ role, content }];
  if (role === "tool") {
    return parts.filter(({ type }) => type === "tool-result").map((part) => ({
      role,
      tool_call_id: part["toolCallId"],
      content: outputText(part["output"]),
    }));
  }
  if (role !== "assistant") return [{ role, content: parts }];
  const calls = parts.filter(({ type }) => type === "tool-call").map(({ toolCallId, toolName, input }) => ({
    id: toolCallId,
    type: "function",
    function: { name: toolName, arguments: typeof input === "string" ? input : JSON.stringify(input ?? {}) },
  }));
  return [{
    role,
    content: parts.map(textOf).join(""),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }];
}

function promptMessage({ role, content }: Message): Message {
  return role === "system" ? { role, content } : { role, content: partsIn(content) };
}
