/** The chat request that a wire's request becomes. @module */
import { isRecord } from "../engine/object/record.ts";
import type { Conversation } from "./conversation.ts";
import type { ChatBody, JsonObject, WireRefusal } from "./wire.ts";

interface ChatBasis {
  readonly model: unknown;
  readonly conversation: Conversation;
  readonly stream: boolean;
}

/** The body of a chat request, without empty options. A stream ends with its token counts, which every wire sends. */
export function chatBody({ model, conversation, stream }: ChatBasis, options: JsonObject): ChatBody {
  return {
    model,
    messages: conversation.messages(),
    stream,
    ...(stream ? { stream_options: { include_usage: true } } : {}),
    ...withoutNulls(options),
  };
}

/** The fields that have a value. A client's null means the same as a missing field. */
export function withoutNulls(fields: JsonObject): JsonObject {
  const kept: Record<string, unknown> = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== null && value !== undefined) kept[name] = value;
  }
  return kept;
}

const NO_RECORDS: readonly JsonObject[] = [];

/** The objects in a list, without a copy if it has nothing else; empty if the value isn't a list. */
export function recordsIn(list: unknown): readonly JsonObject[] {
  if (!Array.isArray(list)) return NO_RECORDS;
  return list.every(isRecord) ? list : list.filter(isRecord);
}

export function invalidRequest(message: string): WireRefusal {
  return { refusal: { status: 400, type: "invalid_request_error", code: "invalid_request", message } };
}
