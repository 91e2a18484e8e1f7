import assert from "node:assert/strict";
import { offer } from "../../../../src/engine/tool/offered.ts";
import { allCuts } from "../../../support/cuts.ts";
import { callsOf, eventsOf, programOf } from "../../../support/matcher_events.ts";

const program = programOf({
  rule: "r",
  pattern: "<{tool}>(?<body>…)</>",
  body: "tagged",
  item: "<p (?<key>\\w+)>(?<value>…)</p>",
  unwrap: ["arguments"],
});

function read(text: string, properties: Record<string, unknown>): unknown {
  const offered = offer([{ name: "f", schema: { type: "object", properties } }]);
  const results = allCuts(text).map((pieces) => callsOf(eventsOf(pieces, { program, offered }))[0]?.json);
  for (const result of results) assert.equal(result, results[0]);
  return JSON.parse(results[0] ?? "null");
}

Deno.test("WrappedArguments replaces the parameter with the members of its object", () => {
  const text = "<f><p arguments>{'a': 1, \"b\": [True]}</p></>";
  assert.deepEqual(read(text, { a: {}, b: {} }), { a: 1, b: [true] });
});

Deno.test("WrappedArguments keeps a declared parameter of that name, and a value that isn't an object", () => {
  const text = '<f><p arguments>{"a": 1}</p></>';
  assert.deepEqual(read(text, { arguments: { type: "string" } }), { arguments: '{"a": 1}' });
  assert.deepEqual(read("<f><p arguments>x</p></>", { a: {} }), { arguments: "x" });
});

Deno.test("WrappedArguments refuses an object that is too long to be kept", () => {
  const text = `<f><p b>1</p><p arguments>{"a": "${"x".repeat(1024 * 1024)}"}</p></>`;
  const offered = offer([{ name: "f", schema: { type: "object", properties: { a: {}, b: {} } } }]);
  for (const pieces of [[text], text.match(/[^]{1,100000}/g)!]) {
    const events = eventsOf(pieces, { program, offered });
    assert.deepEqual(callsOf(events)[0]?.end, { kind: "call_abort", call: 0, reason: "over_limit" });
  }
});
