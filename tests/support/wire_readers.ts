/**
 * Strict readers of the answers of every wire, streamed and whole, with one result.
 *
 * @module
 */
import assert from "node:assert/strict";
import { isRecord } from "../../src/engine/object/record.ts";
import { readMessageStream } from "./anthropic_order.ts";
import { readGeminiStream } from "./gemini_order.ts";
import { readOllamaStream } from "./ollama_order.ts";
import type { ReadAnswer } from "./read_answer.ts";
import { readResponseStream } from "./responses_order.ts";

/** Wire → its reader, which throws where the stream breaks a rule of the API. */
export const READERS: Readonly<Record<string, (stream: string) => ReadAnswer>> = {
  chat: readChatStream,
  anthropic(stream) {
    const { blocks, isWhole, stopReason, error } = readMessageStream(stream);
    const contents = (kind: string) =>
      blocks.flatMap(({ type, content }) => type === kind ? [content] : []).join("");
    const calls = blocks.filter(({ type, isStopped }) => type === "tool_use" && isStopped);
    return {
      text: contents("text"),
      reasoning: contents("thinking"),
      calls: calls.map(({ name = "", content }) => [name, JSON.parse(content || "{}")]),
      isWhole,
      isCut: stopReason === "max_tokens",
      error,
    };
  },
  responses(stream) {
    const { items, response, openText } = readResponseStream(stream);
    const texts = (kind: string, field: string) =>
      items.filter(({ type }) => type === kind).flatMap((item) => item[field] as { text: string }[])
        .map(({ text }) => text).join("");
    return {
      text: texts("message", "content") + openText,
      reasoning: texts("reasoning", "summary"),
      calls: items.filter(({ type }) => type === "function_call")
        .map((item) => [String(item["name"]), JSON.parse(String(item["arguments"]))]),
      isWhole: response !== undefined && response["status"] !== "failed",
      isCut: response?.["status"] === "incomplete",
      error: isRecord(response?.["error"]) ? String(response["error"]["message"]) : undefined,
    };
  },
  ollama: readOllamaStream,
  gemini: readGeminiStream,
};

/** Reads a stream of chat completions. A client runs calls only if the answer ends with the model's own reason. */
function readChatStream(stream: string): ReadAnswer {
  assert.ok(stream === "" || stream.endsWith("\n\n"), "the stream ends inside an event");
  const answer = { text: "", reasoning: "" };
  const calls: { name: string; json: string }[] = [];
  let [finish, error, isDone]: [string | undefined, string | undefined, boolean] = [
    undefined,
    undefined,
    false,
  ];
  for (const block of stream.split(/\r?\n\r?\n/).filter((block) => block !== "")) {
    if (/^:[^\n]*$/.test(block)) continue;
    assert.match(block, /^data: /);
    assert.ok(!isDone, "an event after the end");
    if (block === "data: [DONE]") {
      isDone = true;
      continue;
    }
    assert.equal(error, undefined, "an answer after its error");
    const value = JSON.parse(block.slice("data: ".length));
    error = value.error?.message;
    for (const { delta = {}, finish_reason: reason } of value.choices ?? []) {
      answer.text += delta.content ?? "";
      answer.reasoning += delta.reasoning_content ?? "";
      for (const { index, function: made } of delta.tool_calls ?? []) {
        const call = calls[index] ??= { name: "", json: "" };
        call.name += made.name ?? "";
        call.json += made.arguments ?? "";
      }
      assert.ok(!reason || finish === undefined, "the answer ends twice");
      finish = reason ?? finish;
    }
  }
  const isWhole = isDone && finish !== undefined;
  return {
    ...answer,
    calls: isWhole && finish !== "length" ? calls.map(({ name, json }) => [name, JSON.parse(json)]) : [],
    isWhole,
    isCut: finish === "length",
    error,
  };
}

const NOTHING = { text: "", reasoning: "", calls: [], isWhole: false };

export const WHOLE_READERS: Readonly<Record<string, (body: string) => ReadAnswer>> = {
  chat(body) {
    const { choices, error } = JSON.parse(body);
    if (error !== undefined) return { ...NOTHING, error: String(error.message ?? error) };
    const [{ message, finish_reason: reason }] = choices;
    const isCut = reason === "length";
    return {
      text: message.content ?? "",
      reasoning: message.reasoning_content ?? "",
      calls: isCut
        ? []
        : called(message.tool_calls, ({ function: made }) => [made.name, JSON.parse(made.arguments)]),
      isWhole: typeof reason === "string",
      isCut,
    };
  },
  anthropic(body) {
    const { content, stop_reason: reason } = JSON.parse(body);
    const texts = (type: string, field: string) =>
      ofType(content, type).map((block) => block[field]).join("");
    return {
      text: texts("text", "text"),
      reasoning: texts("thinking", "thinking"),
      calls: called(ofType(content, "tool_use"), ({ name, input }) => [name, input]),
      isWhole: typeof reason === "string",
      isCut: reason === "max_tokens",
    };
  },
  responses(body) {
    const { output, status } = JSON.parse(body);
    const texts = (type: string, field: string) =>
      ofType(output, type).flatMap((item) => item[field].map(({ text }: { text: string }) => text)).join("");
    return {
      text: texts("message", "content"),
      reasoning: texts("reasoning", "summary"),
      calls: called(ofType(output, "function_call"), ({ name, arguments: json }) => [name, JSON.parse(json)]),
      isWhole: status === "completed" || status === "incomplete",
      isCut: status === "incomplete",
    };
  },
  ollama(body) {
    const { message, done, done_reason: reason } = JSON.parse(body);
    return {
      text: message.content,
      reasoning: message.thinking ?? "",
      calls: called(message.tool_calls, ({ function: made }) => [made.name, made.arguments]),
      isWhole: done === true,
      isCut: reason === "length",
    };
  },
  gemini(body) {
    const { candidates: [{ content: { parts }, finishReason: reason }] } = JSON.parse(body);
    const texts = (isThought: boolean) =>
      parts.filter(({ text, thought = false }: Loose) => text !== undefined && thought === isThought)
        .map(({ text }: Loose) => text).join("");
    return {
      text: texts(false),
      reasoning: texts(true),
      calls: called(
        parts.filter(({ functionCall }: Loose) => functionCall !== undefined),
        ({ functionCall: { name, args } }) => [name, args],
      ),
      isWhole: typeof reason === "string",
      isCut: reason !== "STOP",
    };
  },
};

// deno-lint-ignore no-explicit-any
type Loose = Record<string, any>;

function ofType(list: readonly Loose[], type: string): Loose[] {
  return list.filter((each) => each["type"] === type);
}

function called(
  list: readonly Loose[] = [],
  read: (call: Loose) => readonly [name: string, args: unknown],
): ReadAnswer["calls"] {
  return list.map(read);
}
