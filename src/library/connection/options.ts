/**
 * The stages of the answer to one request, as the proxy connects them, for a client that runs `tool_calls`.
 *
 * @module
 */
import { EchoGuard, Matcher, offer, type OfferedTools } from "../../engine/mod.ts";
import { callIds, isLegacyRequest, takesOneCall } from "../../chat/message/conversation.ts";
import { quotableTexts } from "../../chat/message/quotable.ts";
import type { ChatRequest } from "../../chat/message/request.ts";
import { requestTools } from "../../chat/message/request_tools.ts";
import type { AnswerOptions } from "../../chat/pipeline/pipeline.ts";
import { ToolCallRenderer } from "../../chat/render/tool_calls.ts";
import { openRules } from "../loaded.ts";
import { MINIMUM_CONFIDENCE, noteOf } from "../given.ts";
import { shippedRules } from "../shipped.ts";
import type { ConnectionOptions, Note, Reason, Rules } from "../types.ts";

/** The options of a connection with the values that are there by default. */
export interface Connection extends ConnectionOptions {
  readonly rules: Rules;
  readonly minimumConfidence: number;
  readonly reasoning: "ignore" | "recover";
  readonly beginsInReasoning: boolean;
}

/** Fills in what isn't given. */
export function connectionOf(options: ConnectionOptions): Connection {
  const { rules = shippedRules, minimumConfidence = MINIMUM_CONFIDENCE, reasoning = "recover" } = options;
  openRules(rules);
  return {
    ...options,
    rules,
    minimumConfidence,
    reasoning,
    beginsInReasoning: options.beginsInReasoning ?? false,
  };
}

/** Notes something about a connection, not about a call. */
export function remark({ onNote }: ConnectionOptions, reason: Reason, detail: string): void {
  onNote?.({ reason, rule: "", start: 0, end: 0, detail } satisfies Note);
}

/** The tools that the answer to a request can call; undefined if it can call none. */
export function callableTools(request: ChatRequest): OfferedTools | undefined {
  if (request.tool_choice === "none" || request.function_call === "none") return undefined;
  const tools = requestTools(request);
  return tools.length === 0 ? undefined : offer(tools);
}

/** The stages of the answer to a request that offers tools. */
export function answerOptions(
  request: ChatRequest,
  offered: OfferedTools,
  connection: Connection,
): AnswerOptions {
  const { minimumConfidence, reasoning, beginsInReasoning, isAllowedCommand, onNote } = connection;
  const program = { ...openRules(connection.rules).program, isAllowedCommand };
  const takenIds = callIds(request);
  const isLegacy = isLegacyRequest(request);
  const echoGuard = new EchoGuard(quotableTexts(request));
  const isOneCall = takesOneCall(request);
  const { n, stream_options: asked } = request;
  const wantsUsage = (asked as { include_usage?: unknown } | undefined)?.include_usage === true;
  return {
    createMatcher: () =>
      new Matcher(program, {
        offered,
        minimumConfidence,
        wholeCalls: false,
        echoGuard,
        reasoning,
        beginsInReasoning,
      }),
    createRenderer: () => new ToolCallRenderer(newCallId, { takenIds, isOneCall, isLegacy }),
    native: { wholeCalls: false, offered, takenIds, isLegacy },
    listener: onNote && {
      event: (event) => void (event.kind === "note" && onNote(noteOf(event))),
    },
    choiceCount: n ?? 1,
    wantsUsage,
  };
}

/** A fresh id of a call: `call_` and 24 characters. */
export function newCallId(): string {
  return `call_${randomText(24)}`;
}

/** Random lower-case letters and digits. */
export function randomText(length: number): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => (byte % 36).toString(36)).join("");
}
