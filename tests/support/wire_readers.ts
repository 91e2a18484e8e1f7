/**
 * Strict readers of the streams of every wire, with one result.
 *
 * @module
 */
import { readMessageStream } from "./anthropic_order.ts";
import { readGeminiStream } from "./gemini_order.ts";
import { readOllamaStream } from "./ollama_order.ts";
import { readResponseStream } from "./responses_order.ts";

/** An answer as a strict client puts it together. */
export interface ReadAnswer {
  readonly text: string;
  readonly reasoning: string;
  /** The calls that the client executes: name and arguments. */
  readonly calls: readonly (readonly [name: string, args: unknown])[];
  /** Whether the answer has its end. */
  readonly isWhole: boolean;
}

/** Wire → its reader, which throws where the stream breaks a rule of the API. */
export const READERS: Readonly<Record<string, (stream: string) => ReadAnswer>> = {
  anthropic(stream) {
    const { blocks, isWhole } = readMessageStream(stream);
    const contents = (kind: string) =>
      blocks.flatMap(({ type, content }) => type === kind ? [content] : []).join("");
    const calls = blocks.filter(({ type, isStopped }) => type === "tool_use" && isStopped);
    return {
      text: contents("text"),
      reasoning: contents("thinking"),
      calls: calls.map(({ name = "", content }) => [name, JSON.parse(content || "{}")]),
      isWhole,
    };
  },
  responses(stream) {
    const { items, response } = readResponseStream(stream);
    const texts = (kind: string, field: string) =>
      items.filter(({ type }) => type === kind).flatMap((item) => item[field] as { text: string }[])
        .map(({ text }) => text).join("");
    return {
      text: texts("message", "content"),
      reasoning: texts("reasoning", "summary"),
      calls: items.filter(({ type }) => type === "function_call")
        .map((item) => [String(item["name"]), JSON.parse(String(item["arguments"]))]),
      isWhole: response !== undefined && response["status"] !== "failed",
    };
  },
  ollama: readOllamaStream,
  gemini: readGeminiStream,
};
