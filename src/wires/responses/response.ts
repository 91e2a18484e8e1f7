/**
 * The objects of a Responses answer: the response itself, its items and its usage.
 *
 * @see https://platform.openai.com/docs/api-reference/responses/object
 * @module
 */
import { customInput } from "../../chat/message/custom_tool.ts";
import { present } from "../../engine/object/present.ts";
import type { TokenCounts } from "../event.ts";
import type { AnswerIdentity, JsonObject } from "../wire.ts";
import type { ToolList } from "./tools.ts";

export interface ResponseContext {
  readonly request: JsonObject;
  readonly tools: ToolList;
  readonly identity: AnswerIdentity;
}

export interface ResponseState {
  readonly status: "in_progress" | "completed" | "incomplete" | "failed";
  readonly output?: readonly JsonObject[];
  readonly usage?: TokenCounts | undefined;
  readonly reason?: "max_output_tokens" | "content_filter";
  readonly error?: JsonObject;
}

/** The fields of a request that its response repeats, with their defaults. */
const REPEATED: JsonObject = {
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  parallel_tool_calls: true,
  reasoning: null,
  temperature: null,
  text: { format: { type: "text" } },
  tool_choice: "auto",
  tools: [],
  top_p: null,
  truncation: "disabled",
};

export function responseObject({ request, identity }: ResponseContext, state: ResponseState): JsonObject {
  const { status, output = [], usage, reason, error = null } = state;
  const repeated = Object.fromEntries(
    Object.entries(REPEATED).map(([field, absent]) => [field, request[field] ?? absent]),
  );
  return {
    id: `resp_${identity.id}`,
    object: "response",
    created_at: identity.created,
    status,
    error,
    incomplete_details: reason === undefined ? null : { reason },
    model: request["model"],
    output,
    usage: usage === undefined ? null : usageOf(usage),
    store: false,
    previous_response_id: null,
    ...repeated,
  };
}

/** The ids of an answer's items: their kind, the answer's own id, and their number. */
export function itemId(
  kind: "msg" | "rs" | "fc" | "ctc" | "cmp",
  { id }: AnswerIdentity,
  at: number,
): string {
  return `${kind}_${id}_${at}`;
}

/** The id of the answer that an item belongs to; undefined if the item isn't of an answer of ours. */
export function answerOf(itemId: string): string | undefined {
  return /^(?:msg|rs|fc|ctc|cmp)_([0-9a-z]+)_\d+$/.exec(itemId)?.[1];
}

export function messageItem(id: string, text: string, status = "completed"): JsonObject {
  const content = status === "completed" ? [textPart(text)] : [];
  return { id, type: "message", role: "assistant", status, content };
}

export function textPart(text: string): JsonObject {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

interface ItemCall {
  readonly at: number;
  readonly callId: string;
  readonly tool: string;
  readonly json: string;
}

/** The item of a whole call: of a function or, with its input as raw text, of a custom tool. */
export function callItem(
  { at, callId, tool, json }: ItemCall,
  { tools, identity }: Pick<ResponseContext, "tools" | "identity">,
): JsonObject {
  const { name, namespace, isCustom } = tools.toolOf(tool);
  const called = { call_id: callId, name, ...present({ namespace }), status: "completed" };
  return isCustom
    ? { id: itemId("ctc", identity, at), type: "custom_tool_call", ...called, input: customInput(json) }
    : { id: itemId("fc", identity, at), type: "function_call", ...called, arguments: json };
}

export function usageOf({ prompt, completion, cached, reasoning }: TokenCounts): JsonObject {
  return {
    input_tokens: prompt,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: completion,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: prompt + completion,
  };
}

/** Encodes events; every event has the next number. */
export class EventEncoder {
  #number = 0;

  /** The events with which every stream begins. */
  begin(context: ResponseContext): string {
    const response = responseObject(context, { status: "in_progress" });
    return this.encode("response.created", { response }) + this.encode("response.in_progress", { response });
  }

  /** An event that resets the clocks of clients, which comments don't; its response has to be the one that began. */
  beat(context: ResponseContext): string {
    return this.encode("response.in_progress", {
      response: responseObject(context, { status: "in_progress" }),
    });
  }

  encode(type: string, fields: JsonObject): string {
    const data = JSON.stringify({ type, sequence_number: this.#number++, ...fields });
    return `event: ${type}\ndata: ${data}\n\n`;
  }
}
