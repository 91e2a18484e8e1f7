import assert from "node:assert/strict";
import { isSameCalls } from "../../src/chat/same_calls.ts";

const HEAD = { index: 0, id: "a", type: "function", function: { name: "f", arguments: "" } };
const FRAGMENT = { index: 0, function: { arguments: '{"x":' } };
const BOTH = { ...HEAD, function: { name: "f", arguments: '{"x":' } };

Deno.test("isSameCalls takes a head and its first fragment together or apart", () => {
  const said = [{ tool_calls: [HEAD] }, { tool_calls: [FRAGMENT] }];
  assert.equal(isSameCalls({ toolCalls: [BOTH], said }), true);
  assert.equal(isSameCalls({ toolCalls: [HEAD, FRAGMENT], said }), true);
  assert.equal(isSameCalls({ toolCalls: [HEAD], said }), false);
});

Deno.test("isSameCalls takes null for nothing, and fields that we do not know for harmless", () => {
  const said = [{ tool_calls: [FRAGMENT] }];
  const came = { ...FRAGMENT, id: null, type: null, odd: 1, function: { ...FRAGMENT.function, name: null } };
  assert.equal(isSameCalls({ toolCalls: [came], said }), true);
  for (const toolCalls of [null, undefined]) assert.equal(isSameCalls({ toolCalls, said: [] }), true);
});

Deno.test("isSameCalls finds every shape that a client stumbles over", () => {
  const said = [{ tool_calls: [BOTH] }];
  const flawed: unknown[] = [
    { ...BOTH, index: undefined },
    { ...BOTH, index: 1 },
    { ...BOTH, id: "" },
    { ...BOTH, id: "b" },
    { ...BOTH, type: undefined },
    { ...BOTH, function: { name: "g", arguments: '{"x":' } },
    { ...BOTH, function: { name: "f", arguments: { x: 1 } } },
    null,
  ];
  for (const call of flawed) {
    assert.equal(isSameCalls({ toolCalls: [call], said }), false, JSON.stringify(call));
  }
  assert.equal(isSameCalls({ toolCalls: [], said: [] }), false);
  const torn = { index: 0, function: { arguments: "\ud83d" } };
  assert.equal(isSameCalls({ toolCalls: [torn], said: [{ tool_calls: [torn] }] }), false);
});

Deno.test("isSameCalls counts what is owed", () => {
  const owedAfter = new Map([[0, "1,"]]);
  const came = { index: 0, function: { arguments: '{"x":1,' } };
  assert.equal(isSameCalls({ toolCalls: [came], said: [{ tool_calls: [FRAGMENT] }], owedAfter }), true);
  const rest = { index: 0, function: { arguments: '"y":' } };
  const said = [{ tool_calls: [{ index: 0, function: { arguments: '1,"y":' } }] }];
  assert.equal(isSameCalls({ toolCalls: [rest], said, owedBefore: owedAfter }), true);
  assert.equal(isSameCalls({ toolCalls: null, said: [], owedBefore: owedAfter }), false);
});

Deno.test("isSameCalls compares a function_call with a function_call only", () => {
  const functionCall = { name: "f", arguments: "{}" };
  assert.equal(isSameCalls({ toolCalls: null, functionCall, said: [{ function_call: functionCall }] }), true);
  assert.equal(isSameCalls({ toolCalls: null, functionCall, said: [{ tool_calls: [BOTH] }] }), false);
});
