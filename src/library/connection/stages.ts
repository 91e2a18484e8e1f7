/** The stages of the answer to one request, as the proxy connects them, for a client that runs `tool_calls`. @module */
import { callIds, isLegacyRequest, takesOneCall } from "../../chat/message/conversation.ts";
import { quotableTexts } from "../../chat/message/quotable.ts";
import type { ChatRequest } from "../../chat/message/request.ts";
import type { AnswerOptions } from "../../chat/pipeline/pipeline.ts";
import { ToolCallRenderer } from "../../chat/render/tool_calls.ts";
import { EchoGuard, type OfferedTools, openAnswer } from "../../engine/mod.ts";
import { noteOf } from "../given.ts";
import { openRules } from "../loaded.ts";
import { newCallId } from "./ids.ts";
import type { Connection } from "./options.ts";

/** The stages of the answer to a request that offers tools. */
export function answerOptions(
  request: ChatRequest,
  offered: OfferedTools,
  connection: Connection & { readonly isWhole: boolean },
): AnswerOptions {
  const { minimumConfidence, reasoning, beginsInReasoning, isAllowedCommand, isWhole, onNote } = connection;
  const separatesReasoning = connection.reasoningText === "separate";
  const program = { ...openRules(connection.rules).program, isAllowedCommand };
  const takenIds = callIds(request);
  const isLegacy = isLegacyRequest(request);
  const echoGuard = new EchoGuard(quotableTexts(request));
  const isOneCall = takesOneCall(request);
  const { n, stream_options: asked } = request;
  const wantsUsage = (asked as { include_usage?: unknown } | undefined)?.include_usage === true;
  return {
    createMatcher: () =>
      openAnswer(program, {
        offered,
        minimumConfidence,
        wholeCalls: false,
        echoGuard,
        reasoning,
        separatesReasoning,
        beginsInReasoning,
        isWhole,
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
