import assert from "node:assert/strict";
import { offer } from "../../../../src/engine/tool/offered.ts";
import { programOf, type Reading, toldInEveryCut } from "../../../support/matcher_events.ts";

const rule = { rule: "call", pattern: "<c {tool}>(?<body>…)</c>", body: "json" };
const OK = "note transformed";

const toldOf = (text: string, reading: Partial<Reading> = {}) =>
  toldInEveryCut(text, { program: programOf(rule), ...reading });

const calls: [name: string, text: string, lines: string[]][] = [
  ["an object", '<c f>{"a": [1, "x"]}</c>', ['f {"a":[1,"x"]}', OK]],
  ["its closer in a string", '<c f>{"a": "</c>"}</c>', ['f {"a":"</c>"}', OK]],
  ["an object in a string", '<c f>"{\\"a\\": \\"b\\\\n\\"}"</c>', [
    'f {"a":"b\\n"}',
    OK,
    "note arguments_decoded",
  ]],
  ["repairs, in one note", "<c f>{'a': 1,}</c>", [
    'f {"a":1}',
    OK,
    "note json_repaired: single quotes, trailing comma",
  ]],
  ["an object without its last brace", '<c f>{"a": {"b": 1}</c>', [
    'f {"a":{"b":1}}',
    OK,
    "note json_repaired: missing brace",
  ]],
  ["an object without its last three brackets", '<c f>{"a": {"b": [1\n</c>', [
    'f {"a":{"b":[1]}}',
    OK,
    "note json_repaired: missing brace",
  ]],
  ["an object without its last brace before the next call", '<c f>{"a": 1\n<c g>{}</c>', [
    'f {"a":1}',
    OK,
    "note closer_missing",
    "note json_repaired: missing brace",
    "g {}",
    OK,
  ]],
];

Deno.test("JsonBody reads an object without its last brace at the end of the answer, if nothing else can be missing", () => {
  const read = (...names: string[]) => {
    const properties = Object.fromEntries(names.map((name) => [name, {}]));
    return toldOf('<c f>{"a": "1"', { offered: offer([{ name: "f", schema: { properties } }]) });
  };
  const notes = ["note closer_missing", "note json_repaired: missing brace"];
  assert.deepEqual(read("a"), ['f {"a":"1"}', OK, ...notes]);
  assert.deepEqual(read("a", "b"), ['f {"a":"1" … abort truncated', "note truncated"]);
});

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
  ["in a number", '<c f>{"a": 8640', ['f {"a": … abort truncated', "note truncated", 'text "8640"']],
  ["in a word", '<c f>{"a": true', ['f {"a": … abort truncated', "note truncated", 'text "true"']],
  ["in a list, after a value", '<c f>{"a": ["x"', ['f {"a":["x" … abort truncated', "note truncated"]],
  ["in a word that is no value", '<c f>{"a": notjson,}</c>', [
    'f {"a": … abort invalid_arguments',
    "note invalid_arguments: not JSON",
    'text "notjson,}</c>"',
  ]],
  ["after a member", '<c f>{"a": 1, ', ['f {"a":1 … abort truncated', "note truncated"]],
];

const quotes: [name: string, text: string, value: string][] = [
  ["before a letter", '<div class="x">hi</div>', '<div class="x">hi</div>'],
  ["before a brace", 'He said "}" there', 'He said "}" there'],
  ["before braces", 'x = {"k": {"l": "m"}}', 'x = {"k": {"l": "m"}}'],
  ["before a comma", 'say "yes", or "no", or both', 'say "yes", or "no", or both'],
  ["before the end", 'say "yes"', 'say "yes"'],
  ["in a multi-line string", 'print("a")\nprint("b")', 'print("a")\nprint("b")'],
];

for (const [name, text, value] of quotes) {
  Deno.test(`JsonBody reads an unescaped quote ${name} at every cut`, () => {
    for (const after of ["</c>", ', "b": 1}</c>', "", "\n</c>"]) {
      const json = `{"a": "${text}"${after.startsWith(",") ? "" : "}"}${after}`;
      const [line, ok, ...notes] = toldOf(`<c f>${json}`);
      assert.deepEqual([line, ok], [
        `f ${JSON.stringify({ a: value, ...after.startsWith(",") ? { b: 1 } : {} })}`,
        OK,
      ]);
      assert.ok(notes.some((note) => note.includes("unescaped quote")), notes.join());
    }
  });
}

Deno.test("JsonBody reads triple quotes, at every cut", () => {
  const [line] = toldOf('<c f>{"a": """print("hello")\nprint("x")""", "b": ""}</c>');
  assert.equal(line, `f ${JSON.stringify({ a: 'print("hello")\nprint("x")', b: "" })}`);
  assert.equal(toldOf('<c f>{"a": """say "hi""""}</c>')[0], `f ${JSON.stringify({ a: 'say "hi"' })}`);
});

Deno.test("JsonBody makes no call with ambiguous quotes", () => {
  for (
    const text of ['{"a": "He said "}}\n there"}</c>', '{"a": """a\\n"""}</c>', '{"a": "x", "b": "y" z"}</c>']
  ) {
    assert.ok(!toldOf(`<c f>${text}`).includes(OK), text);
  }
});

Deno.test("JsonBody never sends the last brace of arguments that fail later", () => {
  const lines = toldOf('<c f>{"a": "He said "}\n there"}</c>');
  assert.equal(lines.includes(OK), false);
  assert.equal(lines[0], 'f {"a":"He said " … abort malformed');
});

for (const [name, text, lines] of broken) {
  Deno.test(`JsonBody that ends ${name} is truncated`, () => assert.deepEqual(toldOf(text), lines));
}
