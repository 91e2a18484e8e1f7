/**
 * Writes an answer of Ollama's chat API: a line of JSON for each piece, and one for each whole call. Arguments are
 * objects, so a call can't be sent in part; a call that broke off becomes text.
 *
 * @see https://github.com/ollama/ollama/blob/main/docs/api.md#generate-a-chat-completion
 * @module
 */
import {
  type AnswerPart,
  cutCallText,
  type FinishReason,
  type TokenCounts,
  type WholeAnswer,
  type WireCall,
  type WireEvent,
} from "../event.ts";
import type { AnswerIdentity, JsonObject, WireWriter } from "../wire.ts";

export class OllamaWriter implements WireWriter {
  readonly #head: JsonObject;

  constructor(model: unknown, identity: AnswerIdentity) {
    this.#head = headOf(model, identity);
  }

  /** A piece without text, because clients warn about lines that aren't JSON. */
  beat(): string {
    return this.#message({ content: "" });
  }

  begin(): string {
    return "";
  }

  push(event: WireEvent): string {
    switch (event.kind) {
      case "text":
        return this.#message({ content: event.text });
      case "reasoning":
        return this.#message({ content: "", thinking: event.text });
      case "call_end":
        return this.#message({ content: "", tool_calls: [callOf(event)] });
      case "call_abort":
        return this.#message({ content: cutCallText(event.tool, event.json) });
      case "finish":
        return line({ ...this.#head, message: { role: "assistant", content: "" }, ...endOf(event) });
      case "error":
        return line({ error: event.error.message });
      default:
        return "";
    }
  }

  #message(fields: JsonObject): string {
    return line({ ...this.#head, message: { role: "assistant", ...fields }, done: false });
  }
}

export function writeOllamaAnswer(
  { parts, ...end }: WholeAnswer,
  { model, identity }: { readonly model: unknown; readonly identity: AnswerIdentity },
): JsonObject {
  const thinking = parts.flatMap((part) => part.kind === "reasoning" ? [part.text] : []).join("");
  const calls = parts.flatMap((part) => part.kind === "call" && part.isWhole ? [callOf(part)] : []);
  const message = {
    role: "assistant",
    content: parts.map(contentOf).join(""),
    ...(thinking === "" ? {} : { thinking }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return { ...headOf(model, identity), message, ...endOf(end) };
}

function contentOf(part: AnswerPart): string {
  if (part.kind === "call") return part.isWhole ? "" : cutCallText(part.tool, part.json);
  return part.kind === "text" ? part.text : "";
}

function headOf(model: unknown, { created }: AnswerIdentity): JsonObject {
  return { model, created_at: new Date(created * 1000).toISOString() };
}

function callOf({ id, tool, json }: Omit<WireCall, "call">): JsonObject {
  return { id, function: { name: tool, arguments: JSON.parse(json) } };
}

/** The fields of the last line. Durations are unknown; clients divide by them, so they are one nanosecond. */
function endOf(
  { reason, usage }: { readonly reason: FinishReason; readonly usage: TokenCounts | undefined },
): JsonObject {
  return {
    done: true,
    done_reason: reason === "length" ? "length" : "stop",
    total_duration: 1,
    load_duration: 1,
    prompt_eval_count: usage?.prompt ?? 0,
    prompt_eval_duration: 1,
    eval_count: usage?.completion ?? 0,
    eval_duration: 1,
  };
}

function line(value: JsonObject): string {
  return `${JSON.stringify(value)}\n`;
}
