import assert from "node:assert/strict";
import { allCuts } from "../../support/cuts.ts";
import { eventsOf, programOf, type Reading, told } from "../../support/matcher_events.ts";

const rule = { rule: "call", pattern: "<c {tool}>(?<body>…)</c>", body: "json" };
const OK = "note transformed";

function toldOf(text: string, reading: Partial<Reading> = {}): string[] {
  const all = { program: programOf(rule), ...reading };
  const lines = told(eventsOf([text], all));
  for (const pieces of allCuts(text)) {
    assert.deepEqual(told(eventsOf(pieces, all)), lines, JSON.stringify(pieces));
  }
  return lines;
}

const calls: [name: string, text: string, lines: string[]][] = [
  ["an object", '<c f>{"a": [1, "x"]}</c>', ['f {"a":[1,"x"]}', OK]],
  ["its closer in a string", '<c f>{"a": "</c>"}</c>', ['f {"a":"</c>"}', OK]],
  ["what was mended, in one note", "<c f>{'a': 1,}</c>", [
    'f {"a":1}',
    OK,
    "note json_repaired: single quotes, trailing comma",
  ]],
  ["an object without its last brace", '<c f>{"a": {"b": 1}</c>', [
    'f {"a":{"b":1}}',
    OK,
    "note json_repaired: missing brace",
  ]],
];

for (const [name, text, lines] of calls) {
  Deno.test(`JsonBody reads ${name} at every cut`, () => assert.deepEqual(toldOf(text), lines));
}

for (const body of ["[1]", '"x"', "5 ", "null "]) {
  Deno.test(`JsonBody refuses ${body}: arguments are an object`, () => {
    const text = `<c f>${body}</c>`;
    const lines = ["note invalid_arguments: not an object", `text ${JSON.stringify(text)}`];
    assert.deepEqual(toldOf(text, { program: programOf({ ...rule, commit: "close" }) }), lines);
  });
}

const broken: [name: string, text: string, lines: string[]][] = [
  ["inside a string", '<c f>{"a": "x', ['f {"a":"x … abort truncated', "note truncated"]],
  ["before the first key", "<c f>{", ["note truncated", 'text "<c f>{"']],
  ["behind a member", '<c f>{"a": 1, ', ['f {"a":1 … abort truncated', "note truncated"]],
  ["where all that is missing is a brace", '<c f>{"a": 1 ', ['f {"a":1 … abort truncated', "note truncated"]],
];

for (const [name, text, lines] of broken) {
  Deno.test(`JsonBody that ends ${name} is truncated`, () => assert.deepEqual(toldOf(text), lines));
}
