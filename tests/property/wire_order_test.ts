/**
 * Examples of every shipped rule leave on every wire in that wire's order, with the same text and calls, however
 * the stream is cut and wherever it ends: with reasoning, with usage, with an error, cut off.
 */
import assert from "node:assert/strict";
import { testConfig } from "../support/proxy.ts";
import { builtInService } from "../support/built_in.ts";
import { chunkMessage, message } from "../support/chunks.ts";
import { readMessageStream } from "../support/anthropic_order.ts";
import { readResponseStream } from "../support/responses_order.ts";
import { loadRules } from "../../src/rule/load.ts";
import { StreamedAnswer } from "../../src/pipeline/streamed.ts";
import { MessagesWriter } from "../../src/wire/anthropic/writer.ts";
import { ChatEvents } from "../../src/wire/chat_events.ts";
import type { WireEvent } from "../../src/wire/event.ts";
import { GeminiWriter } from "../../src/wire/gemini/writer.ts";
import { OllamaWriter } from "../../src/wire/ollama/writer.ts";
import { ResponsesWriter } from "../../src/wire/responses/writer.ts";
import { ToolList } from "../../src/wire/responses/tools.ts";
import type { WireWriter } from "../../src/wire/wire.ts";

const identity = { id: "1", created: 0 };
const service = await builtInService(testConfig("http://127.0.0.1:1/v1"));
const { rules } = await loadRules({
  folders: [],
  settings: { enable: [], disable: [], confidence: {}, minimumConfidence: 0 },
  workingDirectory: Deno.cwd(),
});
const examples = rules.filter((rule) => rule.enabled !== false).flatMap((rule) =>
  rule.examples.slice(0, 1).map(({ name, input, offered }) => {
    const schemas = Array.isArray(offered) ? Object.fromEntries(offered.map((tool) => [tool, {}])) : offered;
    const tools = Object.entries(schemas).map(([name, parameters]) => ({
      type: "function",
      function: { name, parameters },
    }));
    const translator = service.recognise({ model: "m", tools }, new Headers());
    assert.ok(translator !== undefined);
    return { name: `${rule.rule}: ${name}`, input, translator };
  })
);

const WRITERS: Readonly<Record<string, () => WireWriter>> = {
  anthropic: () => new MessagesWriter("m", identity),
  responses: () => new ResponsesWriter({ request: { model: "m" }, tools: new ToolList(), identity }),
  ollama: () => new OllamaWriter("m", identity),
  gemini: () => new GeminiWriter({ model: "m", identity }),
};

/** How an answer ends. */
const ENDS: Readonly<Record<string, readonly string[]>> = {
  whole: [
    chunkMessage({}, { finish: "stop" }),
    message({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } }),
    message("[DONE]"),
  ],
  "cut by length": [chunkMessage({}, { finish: "length" }), message("[DONE]")],
  "with an error": [message({ error: { message: "slow", type: "timeout", code: "upstream_silent" } })],
  broken: [],
};

/** The events of an answer that a model prints in pieces of a length. */
function eventsOf(
  { input, translator }: (typeof examples)[number],
  length: number,
  end: string,
): WireEvent[] {
  let count = 0;
  const answer = new StreamedAnswer({
    createMatcher: () => translator.createMatcher({ isStreamed: true }),
    createRenderer: () => translator.createRenderer(() => `call_${count++}`),
  });
  const events = new ChatEvents();
  const encoder = new TextEncoder();
  const found: WireEvent[] = [];
  const messages = [chunkMessage({ role: "assistant", reasoning_content: "hm" })];
  for (let at = 0; at < input.length; at += length) {
    messages.push(chunkMessage({ content: input.slice(at, at + length) }));
  }
  for (const text of [...messages, ...ENDS[end]!]) {
    found.push(...events.push(answer.push(encoder.encode(text))));
  }
  const failure = { error: { message: "gone", type: "upstream_error", code: "upstream_broke_off" } };
  found.push(...events.push(answer.end(end === "broken" ? failure : undefined)));
  return [...found, ...events.end({ isBroken: false })];
}

/** Texts in a row as one, so that the cut does not show. */
function joined(events: readonly WireEvent[]): unknown[] {
  const list: Record<string, unknown>[] = [];
  for (const event of events) {
    const last = list.at(-1);
    const field = event.kind === "arguments" ? "json" : "text";
    const isPiece = event.kind === "text" || event.kind === "reasoning" || event.kind === "arguments";
    if (isPiece && last?.["kind"] === event.kind) last[field] = `${last[field]}${Reflect.get(event, field)}`;
    else list.push({ ...event });
  }
  return list;
}

function write(wire: string, events: readonly WireEvent[]): { text: string; mustBreak: boolean } {
  const writer = WRITERS[wire]!();
  const text = writer.begin() + events.map((event) => writer.push(event)).join("");
  return { text, mustBreak: writer.mustBreak };
}

/** The calls that a client of a wire would run. */
const CALLS: Readonly<Record<string, (text: string) => unknown[]>> = {
  anthropic: (text) =>
    readMessageStream(text).blocks.filter(({ type, isStopped }) => type === "tool_use" && isStopped)
      .map(({ name, content }) => [name, JSON.parse(content || "{}")]),
  responses: (text) =>
    readResponseStream(text).items.filter(({ type }) => type === "function_call")
      .map((item) => [item["name"], JSON.parse(String(item["arguments"]))]),
  ollama: (text) =>
    text.split("\n").slice(0, -1).flatMap((line) => JSON.parse(line).message?.tool_calls ?? [])
      .map(({ function: called }) => [called.name, called.arguments]),
  gemini: (text) =>
    text.split("\n\n").slice(0, -1).flatMap((line) =>
      JSON.parse(line.slice("data: ".length)).candidates ?? []
    )
      .flatMap(({ content }) => content.parts).flatMap(({ functionCall }) => functionCall ?? [])
      .map(({ name, args }) => [name, args]),
};

for (const end of Object.keys(ENDS)) {
  Deno.test(`examples of all shipped rules keep the order of every wire, ${end}`, () => {
    let calls = 0;
    for (const example of examples) {
      const whole = eventsOf(example, example.input.length || 1, end);
      const expected = whole.flatMap((event, at) => {
        if (event.kind !== "call_end") return [];
        const start = whole.slice(0, at).findLast((other) => other.kind === "call_start");
        return start?.kind === "call_start" ? [[start.tool, JSON.parse(event.json)]] : [];
      });
      calls += expected.length;
      for (const length of end === "whole" ? [1, 3] : [3]) {
        const events = eventsOf(example, length, end);
        if (end === "whole") assert.deepEqual(joined(events), joined(whole), example.name);
        for (const [wire, read] of Object.entries(CALLS)) {
          const { text, mustBreak } = write(wire, events);
          const found = read(text);
          assert.deepEqual(found, expected, `${wire}, ${example.name}`);
          assert.equal(mustBreak, end === "broken", `${wire}, ${example.name}`);
        }
      }
    }
    assert.ok(calls > 30, `${calls} calls`);
  });
}
