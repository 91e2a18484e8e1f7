import assert from "node:assert/strict";
import { JsonReader } from "../../../src/engine/json/reader.ts";
import { JsonWriter } from "../../../src/engine/json/writer.ts";
import { allCuts } from "../../support/cuts.ts";

function readPieces(pieces: readonly string[], stringMark?: string) {
  let json = "";
  const reader = new JsonReader(new JsonWriter((piece) => json += piece), { isPython: true, stringMark });
  let text = "";
  let at = 0;
  for (const piece of pieces) at = reader.read(text += piece, at);
  return { json, state: reader.state, end: at };
}

/** The result for every cut of a text. */
function read(text: string, stringMark?: string) {
  const whole = readPieces([text], stringMark);
  for (const pieces of allCuts(text)) {
    assert.deepEqual(readPieces(pieces, stringMark), whole, JSON.stringify(pieces));
  }
  return whole;
}

const literals: readonly (readonly [text: string, value: unknown])[] = [
  ['{"a": [1, -2.5, true, null], "b": {}}', { a: [1, -2.5, true, null], b: {} }],
  ["{'a': True, 'b': None, 'c': False, d: 'x'}", { a: true, b: null, c: false, d: "x" }],
  ["[1, 2,]", [1, 2]],
  ["[1_000, +5, .5, 5., 0x1F, -0x10]", [1000, 5, 0.5, 5, 31, -16]],
  ["[(), (1,), (1), (1, 2), ('a' 'b'), (('x'))]", [[], [1], 1, [1, 2], "ab", "x"]],
  [`['Martha\\'s', "say \\"yes\\"", 'a"b', "it's"]`, ["Martha's", 'say "yes"', 'a"b', "it's"]],
  ["['\\n\\t\\\\\\x41\\u00e9\\U0001F600\\101\\q\\\n.']", ["\n\t\\Aé😀A\\q."]],
  [`["\\ud83d\\ude00", '😀']`, ["😀", "😀"]],
  [`["""two\nlines, "quoted" and \\"""", '''it's''', '', ""]`, [
    'two\nlines, "quoted" and "',
    "it's",
    "",
    "",
  ]],
  [`[r'C:\\x', b"y", u'z', rb'\\n']`, ["C:\\x", "y", "z", "\\n"]],
  [`["a" 'b'\n  "c", 1]`, ["abc", 1]],
  ["{1: 'one', True: 2}", { "1": "one", "True": 2 }],
  ["['two\nlines']", ["two\nlines"]],
];

for (const [text, value] of literals) {
  Deno.test(`JsonReader reads Python's ${JSON.stringify(text)} at every cut`, () => {
    const { json, state, end } = read(text);
    assert.deepEqual([state, end], ["done", text.length]);
    assert.deepEqual(JSON.parse(json), value);
  });
}

const refused = [
  "[f(1)]",
  "[f'{x}']",
  "[1 + 2]",
  "{1, 2}",
  "[a]",
  "[1,,2]",
  "{'a' 1}",
  "(1]",
  "[007]",
  "[x.y]",
  "[tr_ue]",
  "[+true]",
];

for (const text of refused) {
  Deno.test(`JsonReader refuses ${text} in Python notation`, () => assert.equal(read(text).state, "failed"));
}

Deno.test("JsonReader keeps the text between two marks unchanged", () => {
  const { json, state } = read('{k:<|"|>a}b \\n "x" <|<|"|>,n:[<|"|><|"|>,1]}', '<|"|>');
  assert.equal(state, "done");
  assert.deepEqual(JSON.parse(json), { k: 'a}b \\n "x" <|', n: ["", 1] });
});

Deno.test("JsonReader fails below its depth limit in Python notation", () => {
  assert.equal(readPieces(["[".repeat(1000)]).state, "failed");
});

const MARK = '<|"|>';
const bare: readonly (readonly [text: string, value: unknown])[] = [
  ["{content:hello,path:a.txt}", { content: "hello", path: "a.txt" }],
  ["{city: New York, old , days: 2}", { city: "New York, old", days: 2 }],
  ["{expression:432+1,on:true}", { expression: "432+1", on: true }],
  ["{code:f(x, [1]) {y},z:*.ts}", { code: "f(x, [1]) {y}", z: "*.ts" }],
  [`{${MARK}key${MARK}:val,b:${MARK}x, y: z${MARK}}`, { key: "val", b: "x, y: z" }],
  ["{a:[red, dark blue],b:{c:it's}}", { a: ["red", "dark blue"], b: { c: "it's" } }],
  [`{query:Paris "old", 2nd${MARK},limit:5}`, { query: 'Paris "old", 2nd', limit: 5 }],
  [`{a:1,b:[x y${MARK}]}`, { a: 1, b: ["x y"] }],
  ["{città:Roma,城市: 北京,@time:1}", { "città": "Roma", "城市": "北京", "@time": 1 }],
  ['(query: "blockchain news", days=2, raw: a b)', { query: "blockchain news", days: 2, raw: "a b" }],
];

for (const [text, value] of bare) {
  Deno.test(`JsonReader reads ${text} at every cut if a mark encloses strings`, () => {
    const { json, state } = read(text, MARK);
    assert.deepEqual([JSON.parse(json), state], [value, "done"]);
    assert.equal(read(text.replace(/^\(/, "{").replace(/\)$/, "}")).state, "failed");
  });
}

for (
  const text of [
    "{a:,b:1}",
    "{a:}",
    `{a:x${MARK} y}`,
    `{a:x, b: y${MARK}}`,
    `{a:[x, y${MARK}]}`,
    `{a:${"x".repeat(64 * 1024 + 1)}}`,
  ]
) {
  Deno.test(`JsonReader refuses ${text.slice(0, 20)} although a mark encloses strings`, () => {
    assert.equal(readPieces([text], MARK).state, "failed");
  });
}

for (const first of ['|"|>', '"|>', "<||>", '<|"|']) {
  Deno.test(`JsonReader refuses a string between ${first} and its mark`, () => {
    assert.equal(read(`{size:${first}L<|"|>}`, '<|"|>').state, "failed");
  });
}
