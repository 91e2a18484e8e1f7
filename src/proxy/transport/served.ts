/** An answer without a model, of a plugin's calls or a text, which a stage finds in an empty answer. @module */
import type { TextStage } from "../../engine/event/stage.ts";
import type { ChatRequest } from "../../chat/message/request.ts";
import type { NewCall } from "../plugin/mod.ts";

/** The header of an answer that no model gave. */
const SERVED_HEADER = "x-dragoman-served";

/** The rule name of such calls. */
const PLUGIN_RULE = "plugin";

/** The answer, as an upstream would have sent it. */
export function emptyAnswer(chat: ChatRequest): Response {
  const shared = {
    id: `chatcmpl-${crypto.randomUUID()}`,
    created: Math.floor(Date.now() / 1000),
    model: chat.model ?? "",
  };
  if (chat.stream !== true) {
    const message = { role: "assistant", content: "" };
    const choices = [{ index: 0, message, finish_reason: "stop" }];
    const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    return new Response(JSON.stringify({ ...shared, object: "chat.completion", choices, usage }), {
      headers: { "content-type": "application/json", [SERVED_HEADER]: "true" },
    });
  }
  const message = (delta: Record<string, unknown>, finish: string | null) => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    return `data: ${JSON.stringify({ ...shared, object: "chat.completion.chunk", choices })}\n\n`;
  };
  const text = `${message({ role: "assistant", content: "" }, null)}${message({}, "stop")}data: [DONE]\n\n`;
  return new Response(text, { headers: { "content-type": "text/event-stream", [SERVED_HEADER]: "true" } });
}

/** What answers a request without a model. */
export interface ServedAnswer {
  readonly text?: string | undefined;
  readonly calls: readonly NewCall[];
}

export function serve({ text, calls }: ServedAnswer): TextStage {
  return {
    push(event, out) {
      if (event.kind !== "text_end") return out.push(event);
      if (text !== undefined) out.push({ kind: "text", text });
      calls.forEach((made, call) => {
        out.push({ kind: "call_start", call, tool: made.tool, rule: PLUGIN_RULE, confidence: 1 });
        out.push({ kind: "arguments", call, json: JSON.stringify(made.arguments) });
        out.push({ kind: "call_end", call });
      });
    },
  };
}
