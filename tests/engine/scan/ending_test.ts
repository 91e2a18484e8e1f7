import assert from "node:assert/strict";
import { mayGoOn, needsCloser } from "../../../src/engine/scan/ending.ts";
import { callsOf, eventsOf, programOf, told } from "../../support/matcher_events.ts";
import { allCuts } from "../../support/cuts.ts";

const closers: [pattern: string, needs: boolean, may: boolean][] = [
  ["<{tool}>(?<body>…)</x>", true, true],
  ["<{tool}>(?<body>…)", false, false],
  ["<{tool}>(?<body>…)(?:</x>)?", false, true],
  ["(?:<w>)?<{tool}>(?<body>…)(?:</w>)?", false, true],
];

for (const [pattern, needs, may] of closers) {
  Deno.test(`needsCloser and mayGoOn of ${pattern}`, () => {
    const rule = programOf({ rule: "r", pattern, body: "json" }).rules[0]!;
    assert.deepEqual([needsCloser(rule), mayGoOn(rule)], [needs, may]);
  });
}

/** The remaining text and the number of calls, the same at every cut. */
function read(fields: Record<string, unknown>, text: string): [text: string, calls: number] {
  const program = programOf({ rule: "r", body: "json", pattern: "<c {tool}>(?<body>…)", ...fields });
  const results = allCuts(text).map((pieces): [string, number] => {
    const events = eventsOf(pieces, { program });
    const left = events.flatMap((event) => event.kind === "text" ? event.text : []).join("");
    return [left, callsOf(events).length];
  });
  for (const result of results) {
    assert.deepEqual(result, results[0], told(eventsOf([text], { program })).join());
  }
  return results[0]!;
}

Deno.test("a call is removed with its possible closers and nothing else", () => {
  const pattern = "<c {tool}>(?<body>…)(?:</s>|<end>)?";
  const cases: [rest: string, left: string][] = [
    ["</s>", ""],
    [" <end>", ""],
    ["</sx>", "</sx>"],
    ["", ""],
    [" x", " x"],
    ['{"b": 1}', '{"b": 1}'],
  ];
  for (const [rest, left] of cases) {
    assert.deepEqual(read({ pattern }, `A<c f>{"a": 1}${rest}`), [`A${left}`, 1], rest);
  }
});

Deno.test("a separator between two calls makes the next object a call", () => {
  const rule = { pattern: "<c>(?<body>…)", body: "envelope", between: ";" };
  const call = '{"name": "f", "arguments": {}}';
  assert.deepEqual(read(rule, `<c>${call} ; ${call};${call}`), ["", 3]);
  assert.deepEqual(read(rule, `<c>${call} ${call}`), [call, 1]);
  assert.deepEqual(read(rule, `<c>${call}; then`), ["; then", 1]);
});
