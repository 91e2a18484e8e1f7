import assert from "node:assert/strict";
import { ChatEvents, readWholeAnswer } from "../../src/wires/chat_events.ts";
import type { WireEvent } from "../../src/wires/event.ts";

function message(delta: unknown, more: Record<string, unknown> = {}): string {
  return `data: ${
    JSON.stringify({ id: "c", choices: [{ index: 0, delta, finish_reason: null, ...more }] })
  }\n\n`;
}

function call(index: number, json: string, id?: string): unknown {
  const head = id === undefined ? {} : { id, type: "function" };
  return {
    tool_calls: [{ index, ...head, function: { ...(id ? { name: `tool_${id}` } : {}), arguments: json } }],
  };
}

function read(stream: string, { isBroken = false } = {}): WireEvent[] {
  const events = new ChatEvents();
  return [...events.push(new TextEncoder().encode(stream)), ...events.end({ isBroken })];
}

const DONE = "data: [DONE]\n\n";

Deno.test("ChatEvents gives reasoning, text, calls and usage in order", () => {
  const usage = { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 4 } };
  const stream = message({ role: "assistant", reasoning_content: "hm", content: "Hi" }) +
    message(call(0, "", "a")) + message(call(0, '{"x":')) + message(call(0, "1}")) +
    message({}, { finish_reason: "tool_calls" }) + `data: ${JSON.stringify({ choices: [], usage })}\n\n` +
    DONE;
  assert.deepEqual(read(stream), [
    { kind: "reasoning", text: "hm" },
    { kind: "text", text: "Hi" },
    { kind: "call_start", call: 0, id: "a", tool: "tool_a" },
    { kind: "arguments", call: 0, json: '{"x":' },
    { kind: "arguments", call: 0, json: "1}" },
    { kind: "call_end", call: 0, json: '{"x":1}' },
    { kind: "finish", reason: "tool_calls", usage: { prompt: 10, completion: 5, cached: 4, reasoning: 0 } },
  ]);
});

Deno.test("ChatEvents puts interleaved calls one after the other", () => {
  const stream = message(call(0, "{", "a")) + message(call(1, "{", "b")) + message(call(0, "}")) +
    message(call(1, "}")) + message({}, { finish_reason: "tool_calls" }) + DONE;
  assert.deepEqual(
    read(stream).map((event) => "call" in event ? `${event.kind} ${event.call}` : event.kind),
    [
      "call_start 0",
      "arguments 0",
      "arguments 0",
      "call_end 0",
      "call_start 1",
      "arguments 1",
      "call_end 1",
      "finish",
    ],
  );
});

Deno.test("ChatEvents takes a fragment whose id is null or empty for one of the same call", () => {
  for (const id of [null, "", undefined, "a"]) {
    const rest = { tool_calls: [{ index: 0, id, type: null, function: { name: null, arguments: '":1}' } }] };
    const stream = message(call(0, '{"x', "a")) + message(rest) +
      message({}, { finish_reason: "tool_calls" }) + DONE;
    const ends = read(stream).filter(({ kind }) => kind === "call_end");
    assert.deepEqual(ends, [{ kind: "call_end", call: 0, json: '{"x":1}' }]);
  }
});

Deno.test("ChatEvents gives the arguments of a second call once", () => {
  const stream = message(call(0, "{}", "a")) + message(call(1, "", "b")) + message(call(1, '{"x":')) +
    message(call(1, "1}")) + message({}, { finish_reason: "tool_calls" }) + DONE;
  const events = read(stream);
  assert.equal(events.map((event) => event.kind === "arguments" ? event.json : "").join(""), '{}{"x":1}');
  assert.deepEqual(events.at(-2), { kind: "call_end", call: 1, json: '{"x":1}' });
});

Deno.test("ChatEvents breaks off a call whose arguments are not one object", () => {
  const cut = message(call(0, '{"x":"half', "a")) + message({ content: "more" });
  const kinds = (stream: string, options = {}) => read(stream, options).map(({ kind }) => kind);
  const begun = ["call_start", "arguments", "call_abort", "text"];
  assert.deepEqual(kinds(cut + message({}, { finish_reason: "length" }) + DONE), [...begun, "finish"]);
  assert.deepEqual(kinds(cut), [...begun, "error"]);
  assert.deepEqual(kinds(cut, { isBroken: true }), [...begun, "error"]);
});

Deno.test("ChatEvents reads a call without arguments as one without fields", () => {
  const events = read(message(call(0, "", "a")) + message({}, { finish_reason: "tool_calls" }) + DONE);
  assert.deepEqual(events[1], { kind: "call_end", call: 0, json: "{}" });
});

Deno.test("ChatEvents ends with the error of the stream", () => {
  const error = { message: "The upstream is slow", type: "timeout", code: "upstream_silent" };
  const events = read(`${message({ content: "Hi" })}data: ${JSON.stringify({ error })}\n\n${DONE}`);
  assert.deepEqual(events, [{ kind: "text", text: "Hi" }, { kind: "error", error, isBroken: false }]);
});

Deno.test("ChatEvents gives the text that follows an error before the error", () => {
  const error = { message: "slow", type: "timeout", code: "upstream_silent" };
  const stream = message({ content: "a" }) + `data: ${JSON.stringify({ error })}\n\n` +
    message({ content: "b" });
  assert.deepEqual(read(stream), [
    { kind: "text", text: "a" },
    { kind: "text", text: "b" },
    { kind: "error", error, isBroken: false },
  ]);
});

Deno.test("readWholeAnswer marks calls that are not whole", () => {
  const tool_calls = [
    { id: "a", function: { name: "t", arguments: '{"x":1}' } },
    { id: "b", function: { name: "t", arguments: '{"x":' } },
  ];
  const answer = readWholeAnswer({
    choices: [{ message: { content: "Hi", tool_calls }, finish_reason: "length" }],
  });
  assert.deepEqual(answer.parts.map((part) => part.kind === "call" ? part.isWhole : part.kind), [
    "text",
    true,
    false,
  ]);
  assert.equal(answer.reason, "length");
});

Deno.test("ChatEvents does not parse long arguments again and again", () => {
  const parse = JSON.parse;
  let parsed = 0;
  JSON.parse = (text, reviver) => {
    parsed += text.length;
    return parse(text, reviver);
  };
  try {
    const events = new ChatEvents();
    const encoder = new TextEncoder();
    const push = (text: string) => events.push(encoder.encode(text));
    push(message(call(0, '{"a":[', "a")) + message(call(1, "{}", "b")));
    const before = parsed;
    let chunks = 0;
    for (let count = 0; count < 2000; count++) {
      const text = message(call(0, "{},{}")) + message(call(1, " "));
      chunks += text.length;
      push(text);
    }
    assert.ok(parsed - before < 2 * chunks, `${parsed - before} characters parsed of ${chunks}`);
  } finally {
    JSON.parse = parse;
  }
});

Deno.test("ChatEvents ends an answer whose calls are too long to hold", () => {
  const events = new ChatEvents();
  const piece = new TextEncoder().encode(message(call(0, "x".repeat(1024 * 1024), "a")));
  const kinds = Array.from({ length: 20 }, () => events.push(piece)).flat();
  assert.deepEqual(kinds.slice(-2).map(({ kind }) => kind), ["call_abort", "error"]);
});
