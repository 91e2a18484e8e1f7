import type { AnswerEvent } from "../../src/chat/event/event.ts";
import assert from "node:assert/strict";
import { AnswerOrder } from "../../src/wires/order.ts";
import type { WireEvent } from "../../src/wires/event.ts";

const start = (call: number, id?: string): AnswerEvent => ({
  kind: "call_start",
  call,
  tool: `tool_${call}`,
  rule: "r",
  confidence: 1,
  ...(id === undefined ? {} : { id }),
});
const json = (call: number, json: string): AnswerEvent => ({ kind: "arguments", call, json });
const end = (call: number): AnswerEvent => ({ kind: "call_end", call });
const text = (text: string): AnswerEvent => ({ kind: "text", text });
const finish = (reason: string | null): AnswerEvent => ({
  kind: "finish",
  reason,
  truncated: false,
  isAnswered: false,
});
const ERROR = { message: "slow", type: "timeout", code: "upstream_silent" };

function ordered(steps: readonly (AnswerEvent | ((order: AnswerOrder) => void))[]): WireEvent[] {
  const events: WireEvent[] = [];
  const order = new AnswerOrder((event) => events.push(event));
  for (const step of steps) typeof step === "function" ? step(order) : order.push(step);
  return events;
}

/** Kinds, each with its call. */
const shape = (events: readonly WireEvent[]) =>
  events.map((event) => "call" in event ? `${event.kind} ${event.call}` : event.kind);

Deno.test("AnswerOrder gives reasoning, text, calls and usage in order", () => {
  const usage = { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 4 } };
  const events = ordered([
    { kind: "role", role: "assistant" },
    { kind: "reasoning", text: "hm" },
    text("Hi"),
    start(0, "a"),
    json(0, '{"x":'),
    json(0, "1}"),
    end(0),
    finish("tool_calls"),
    { kind: "usage", usage },
    (order) => order.finish(),
    text("late"),
    (order) => order.fail(ERROR),
  ]);
  assert.deepEqual(events, [
    { kind: "reasoning", text: "hm" },
    { kind: "text", text: "Hi" },
    { kind: "call_start", call: 0, id: "a", tool: "tool_0" },
    { kind: "arguments", call: 0, json: '{"x":' },
    { kind: "arguments", call: 0, json: "1}" },
    { kind: "call_end", call: 0, id: "a", tool: "tool_0", json: '{"x":1}' },
    { kind: "finish", reason: "tool_calls", usage: { prompt: 10, completion: 5, cached: 4, reasoning: 0 } },
  ]);
});

Deno.test("AnswerOrder puts interleaved calls one after the other, and text after them", () => {
  const calls = [start(0), json(0, "{"), start(1), json(1, '{"x":'), text("more"), json(0, "}"), end(0)];
  const events = ordered([...calls, json(1, "1}"), end(1)]);
  assert.deepEqual(shape(events), [
    ...["call_start 0", "arguments 0", "arguments 0", "call_end 0"],
    ...["call_start 1", "arguments 1", "arguments 1", "call_end 1", "text"],
  ]);
  assert.equal(events.map((event) => event.kind === "arguments" ? event.json : "").join(""), '{}{"x":1}');
});

Deno.test("AnswerOrder breaks off a call that doesn't end, or whose arguments are not one object", () => {
  const begun = [start(0), json(0, '{"x":"half'), text("more")];
  const cut = ["call_start 0", "arguments 0", "call_abort 0", "text"];
  assert.deepEqual(shape(ordered([...begun, (order) => order.finish()])), [...cut, "finish"]);
  assert.deepEqual(shape(ordered([...begun, (order) => order.fail(ERROR)])), [...cut, "error"]);
  assert.deepEqual(shape(ordered([...begun, end(0)])), cut);
  assert.deepEqual(shape(ordered([...begun, { kind: "call_abort", call: 0, reason: "truncated" }])), cut);
});

Deno.test("AnswerOrder breaks off the open call of an attempt before the next one begins", () => {
  const first = [start(0), json(0, '{"x":')];
  const second = [start(0), json(0, "{}"), end(0)];
  assert.deepEqual(shape(ordered([...first, (order) => order.restart(), ...second])), [
    ...["call_start 0", "arguments 0", "call_abort 0"],
    ...["call_start 1", "arguments 1", "call_end 1"],
  ]);
});

Deno.test("AnswerOrder reads a call without arguments as one without fields", () => {
  const call = { call: 0, id: "call_0", tool: "tool_0", json: "{}" };
  assert.deepEqual(ordered([start(0), end(0)])[1], { kind: "call_end", ...call });
});

Deno.test("AnswerOrder ends an answer whose calls are too long to hold", () => {
  const pieces = Array.from({ length: 20 }, () => json(0, "x".repeat(1024 * 1024)));
  assert.deepEqual(shape(ordered([start(0), ...pieces])).slice(-2), ["call_abort 0", "error"]);
});
