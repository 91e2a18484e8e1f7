import assert from "node:assert/strict";
import { offer } from "../../../../src/engine/tool/offered.ts";
import { allCuts } from "../../../support/cuts.ts";
import { callsOf, eventsOf, programOf } from "../../../support/matcher_events.ts";

const rule = { rule: "calls", pattern: "<c>\\s*(?<body>…)</c>", body: "call_list" };
const offered = offer([{ name: "f" }, { name: "g" }]);

function read(text: string, fields: Record<string, unknown> = {}, truncated = false) {
  const program = programOf({ ...rule, ...fields });
  const results = allCuts(text).map((pieces) => {
    const events = eventsOf(pieces, { program, offered, truncated });
    const left = events.flatMap((event) => event.kind === "text" ? event.text : []).join("");
    return [left, ...callsOf(events).map(({ start, json }) => `${start.tool} ${json}`)];
  });
  for (const result of results) assert.deepEqual(result, results[0]);
  return results[0]!;
}

Deno.test("CallListBody reads one call, a list, and calls on separate lines", () => {
  assert.deepEqual(read("A<c>f(a=1)</c>B"), ["AB", 'f {"a":1}']);
  assert.deepEqual(read("<c>[f(a='</c>'), g()]</c>"), ["", 'f {"a":"</c>"}', "g {}"]);
  assert.deepEqual(read("<c>\nf()\ng(b=[1])\n</c>"), ["", "f {}", 'g {"b":[1]}']);
});

Deno.test("CallListBody makes all calls in a list or none", () => {
  for (const text of ["<c>[f(a=1), h()]</c>", "<c>[f(a=1), g(2)]</c>", "<c>[]</c>", "<c>[f(a=1)</c>"]) {
    assert.deepEqual(read(text), [text]);
  }
});

Deno.test("CallListBody reads a list without its closing tag at the end of an answer, unless it broke off", () => {
  assert.deepEqual(read("<c>[f(a=1)]"), ["", 'f {"a":1}']);
  assert.deepEqual(read("<c>[f(a=1)]", {}, true), ["<c>[f(a=1)]"]);
});

Deno.test("CallListBody reads calls with the rule's separator", () => {
  const fields = { pattern: "<c>(?<body>…)", between: ";" };
  assert.deepEqual(read("<c>f(); g(a=1)", fields), ["", "f {}", 'g {"a":1}']);
  assert.deepEqual(read("<c>f() g()", fields), ["g()", "f {}"]);
});

Deno.test("CallListBody expects the name of each tool within 512 characters", () => {
  const program = programOf(rule);
  const spaces = (count: number) => " ".repeat(count);
  const cases: [text: string, calls: number][] = [
    [`<c>f${spaces(500)}()</c>`, 1],
    [`<c>f${spaces(520)}()</c>`, 0],
    [`<c>f(a=${spaces(600)}1${spaces(600)})</c>`, 1],
    [`<c>f()\ng${spaces(490)}(a=1)</c>`, 2],
    [`<c>f(a="${"x".repeat(480)}")\ng${spaces(480)}(a=1)</c>`, 2],
    [`<c>f()\ng${spaces(520)}(a=1)</c>`, 1],
  ];
  for (const [text, calls] of cases) {
    for (const pieces of [[text], [...text], [text.slice(0, 511), text.slice(511)]]) {
      const events = eventsOf(pieces, { program, offered });
      assert.equal(callsOf(events).filter(({ end }) => end?.kind === "call_end").length, calls, text);
    }
  }
});
