/** What a request states about calls: ids in the conversation, how many it accepts, which tools it chooses. @module */
import { isRecord } from "../../engine/object/record.ts";
import type { ChatRequest } from "./request.ts";

/** The ids of all calls in the conversation, and the ids that its results refer to. */
export function callIds({ messages }: ChatRequest): Set<string> {
  const ids = new Set<string>();
  for (const message of Array.isArray(messages) ? messages : []) {
    if (!isRecord(message)) continue;
    addId(message.tool_call_id, ids);
    if (!Array.isArray(message.tool_calls)) continue;
    for (const call of message.tool_calls) if (isRecord(call)) addId(call.id, ids);
  }
  return ids;
}

function addId(id: unknown, ids: Set<string>): void {
  if (typeof id === "string" && id !== "") ids.add(id);
}

export function takesOneCall(request: ChatRequest): boolean {
  return request.parallel_tool_calls === false;
}

/** Whether the request offers `functions` but no `tools`; its client then reads `function_call`. */
export function isLegacyRequest({ tools, functions }: ChatRequest): boolean {
  const hasTools = Array.isArray(tools) && tools.length > 0;
  return !hasTools && Array.isArray(functions) && functions.length > 0;
}

/** The names of the tools that the request restricts the answer to; undefined if it doesn't restrict it. */
export function chosenTools(request: ChatRequest): Set<string> | undefined {
  const choice = request.tool_choice ?? request.function_call;
  if (!isRecord(choice)) return undefined;
  const allowed = isRecord(choice.allowed_tools) ? choice.allowed_tools.tools : undefined;
  const listed = Array.isArray(allowed) ? allowed : [choice];
  const names = listed.flatMap((entry): string[] => {
    if (!isRecord(entry)) return [];
    const name = isRecord(entry.function) ? entry.function.name : entry.name;
    return typeof name === "string" ? [name] : [];
  });
  return names.length === 0 ? undefined : new Set(names);
}
