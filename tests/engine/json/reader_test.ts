import assert from "node:assert/strict";
import fc from "fast-check";
import type { JsonHandler } from "../../../src/engine/json/handler.ts";
import { isHighSurrogate } from "../../../src/engine/json/escape.ts";
import { DEPTH_MAXIMUM, JsonReader } from "../../../src/engine/json/reader.ts";
import { JsonWriter } from "../../../src/engine/json/writer.ts";
import { allCuts, oneByOne } from "../../support/cuts.ts";
import { runs } from "../../support/fuzz.ts";

interface Result {
  readonly json: string;
  readonly state: string;
  readonly repairs: string[];
  /** The number of characters consumed. */
  readonly end: number;
}

/** Reads a value that arrives in pieces. */
function read(pieces: readonly string[], options: { isEnd?: boolean } = {}): Result {
  const parts: string[] = [];
  const reader = new JsonReader(new JsonWriter((piece) => parts.push(piece)));
  let text = "";
  let at = 0;
  for (const piece of pieces) {
    text += piece;
    at = reader.read(text, at);
  }
  if (options.isEnd) reader.finish();
  for (const part of parts) {
    assert.ok(part.isWellFormed(), `half a surrogate pair in ${JSON.stringify(part)}`);
  }
  return { json: parts.join(""), state: reader.state, repairs: [...reader.repairs], end: at };
}

/** The result for every cut of a text. */
function readAll(text: string, options: { isEnd?: boolean } = {}): Result {
  const whole = read([text], options);
  for (const pieces of allCuts(text)) assert.deepEqual(read(pieces, options), whole, JSON.stringify(pieces));
  return whole;
}

const valid = [
  "{}",
  "[]",
  '{"a":1,"b":[true,false,null],"c":{"d":"e"}}',
  '[{"a":[[]]},-1.5e+3,"x"]',
  '"a\\"b\\\\c\\/d\\b\\f\\n\\r\\té\\u00e9😀\\ud83d\\ude00"',
  ' \n\t{ "a" : [ 1 , 2 ] } ',
  '{"":""}',
  '{"a\\nb":1}',
];

for (const text of valid) {
  Deno.test(`JsonReader reads ${JSON.stringify(text)} at every cut`, () => {
    const { json, state, repairs } = readAll(text);
    assert.equal(state, "done");
    assert.deepEqual(repairs, []);
    assert.deepEqual(JSON.parse(json), JSON.parse(text));
  });
}

Deno.test("JsonReader reads everything that JSON.stringify writes", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 2 }), (value, indent) => {
      const text = JSON.stringify([value], null, indent);
      for (const pieces of [[text], oneByOne(text)]) {
        const { json, state, repairs } = read(pieces);
        assert.equal(state, "done");
        assert.deepEqual(repairs, []);
        assert.deepEqual(JSON.parse(json), JSON.parse(text));
      }
    }),
    runs(500),
  );
});

const repaired: [text: string, value: unknown, ...repairs: string[]][] = [
  ['{"a": 1,}', { a: 1 }, "trailing comma"],
  ["[1, 2, ]", [1, 2], "trailing comma"],
  ["[1,\n]", [1], "trailing comma"],
  ['{"a": "l1\nl2\tx"}', { a: "l1\nl2\tx" }, "raw control character"],
  ["{'a': 'b'}", { a: "b" }, "single quotes"],
  ["{'a': 'say \"b\"'}", { a: 'say "b"' }, "single quotes"],
  ["{'a': 'it\\'s'}", { a: "it's" }, "single quotes", "escape"],
  ['{"a": "it\'s"}', { a: "it's" }],
  ['{"a": 1 // one\n}', { a: 1 }, "comment"],
  ['{"a": /* one * two */ 1}', { a: 1 }, "comment"],
  ['{/**/"a": 1}', { a: 1 }, "comment"],
  ['{"a": 1 # one\n, "b": 2}', { a: 1, b: 2 }, "comment"],
  ["{a: 1, b_2: 2, $c: 3}", { a: 1, b_2: 2, $c: 3 }, "bare key"],
  ["{a-b.c: 1}", { "a-b.c": 1 }, "bare key"],
  ["[True, False, None]", [true, false, null], "Python literal"],
  ['["\\d\\x41\\q"]', ["\\dA\\q"], "escape"],
  ['["\\u12"]', ["\\u12"], "escape"],
  ['["C:\\dir\\new"]', ["C:\\dir\\new"], "escape"],
  ['["C:\\new\\dir.d\\x41"]', ["C:\\new\\dir.d\\x41"], "escape"],
  ['["\\d \\"a\\" \\w"]', ['\\d "a" \\w'], "escape"],
  ['["\\u12g4"]', ["\\u12g4"], "escape"],
  ['["\\xg"]', ["\\xg"], "escape"],
  ["{'a': True, /* x */ b: \"\n\",}", { a: true, b: "\n" }, "single quotes", "Python literal", "comment"]
    .concat(["bare key", "raw control character", "trailing comma"]) as [string, unknown, ...string[]],
];

for (const [text, value, ...repairs] of repaired) {
  Deno.test(`JsonReader repairs ${JSON.stringify(text)} at every cut`, () => {
    const result = readAll(text);
    assert.equal(result.state, "done");
    assert.deepEqual(JSON.parse(result.json), value);
    assert.deepEqual(result.repairs.sort(), [...repairs].sort());
  });
}

const wrong: [text: string, at: number][] = [
  ['{"a" 1}', 5],
  ['["\\d\\n"]', 4],
  ['["\\n\\d"]', 4],
  ['["\\\\server\\share"]', 10],
  ['["C:\\dir\\new file"]', 8],
  ['{"a": }', 6],
  ['[{"a": 1 "b": 2}]', 9],
  ["[[1 2]]", 4],
  ["{,}", 1],
  ["[,]", 1],
  ["{]", 1],
  ["<a>", 0],
  ["{/a}", 1],
  ["[nul]", 4],
  ["[nan]", 4],
  ["[1.]", 3],
  ["[01]", 3],
  ["[+1]", 3],
  ["[1e]", 3],
  ["[.5]", 3],
  ["[--1]", 4],
  [`[${"1".repeat(300)}]`, 257],
  [`{${"a".repeat(300)}: 1}`, 257],
  ["}", 0],
  ["]", 0],
];

for (const [text, at] of wrong) {
  Deno.test(`JsonReader does not guess what ${text.slice(0, 20)} means`, () => {
    const { state, end } = readAll(text);
    assert.deepEqual([state, end], ["failed", at]);
  });
}

Deno.test("JsonReader stops at the last character of the value", () => {
  assert.equal(readAll('{"a": 1}} rest').end, 8);
  assert.equal(readAll("[] []").end, 2);
});

Deno.test("JsonReader waits if only the last brace can be missing", () => {
  for (const text of ["[1</x>", '{"a": 1</x>', '{"a": {"b": 1}</x>', '{"a": "b" </x>', "{'a': None</x>"]) {
    const { state, end } = readAll(text);
    assert.deepEqual([state, end], ["brace", text.length - 4], text);
  }
  assert.equal(readAll('{"a": {"b": 1</x>').state, "failed", "two braces are missing");
});

Deno.test("JsonReader adds a missing brace once its position is certain", () => {
  let json = "";
  const reader = new JsonReader(new JsonWriter((piece) => json += piece));
  reader.read('{"a": [1]<', 0);
  reader.close();
  assert.deepEqual([json, reader.state, [...reader.repairs]], ['{"a":[1]}', "done", ["missing brace"]]);
});

Deno.test("JsonReader ends after a value at the end of the text, but not after a number or a word", () => {
  const cases: [text: string, state: string, json: string][] = [
    ["12", "failed", ""],
    ["true", "failed", ""],
    ["nul", "failed", ""],
    ["[1", "failed", "["],
    ["[1 ", "brace", "[1"],
    ["[None\n", "brace", "[null"],
    ['["a"', "brace", '["a"'],
    ['"a', "failed", '"a'],
    ["{a", "failed", "{"],
    ["", "failed", ""],
  ];
  for (const [text, state, json] of cases) {
    const result = readAll(text, { isEnd: true });
    assert.deepEqual([result.state, result.json], [state, json], text);
  }
});

Deno.test("JsonReader writes a lone surrogate as an escape", () => {
  for (const text of ['["\ud83d"]', '["\ud83dx"]', '["\ude00"]', '["\ud83d\ud83d\ude00"]', "{'\ud83d': 1}"]) {
    const { json, state } = readAll(text);
    assert.equal(state, "done");
    assert.ok(json.isWellFormed(), json);
    assert.deepEqual(JSON.parse(json), JSON.parse(text.replaceAll("'", '"')));
  }
});

Deno.test("JsonReader passes a string on while it is still arriving", () => {
  assert.equal(read(['{"a": "abc']).json, '{"a":"abc');
  assert.equal(read(['{"a": "abc\\']).json, '{"a":"abc');
  assert.equal(read(['{"a": "abc\ud83d']).json, '{"a":"abc');
});

Deno.test("JsonReader stops when its handler refuses the value", () => {
  const writer = new JsonWriter(() => {});
  const handler: JsonHandler = {
    isRefused: true,
    begin: (kind) => writer.begin(kind),
    end: () => writer.end(),
    key: (key) => writer.key(key),
    stringBegin: () => {},
    stringPiece: () => {},
    stringEnd: () => {},
    scalar: () => {},
  };
  const reader = new JsonReader(handler);
  assert.equal(reader.read("[1, 2]", 0), 1);
  assert.equal(reader.state, "failed");
});

Deno.test("isHighSurrogate recognizes only the first half of a pair", () => {
  assert.deepEqual(["a", "\ud83d", "\ude00"].map((one) => isHighSurrogate(one.charCodeAt(0))), [
    false,
    true,
    false,
  ]);
});

Deno.test("JsonReader stops at the colon of a refused bare key, whatever follows it, at every cut", () => {
  const stops = [["{null/* c */:{"], [..."{null/* c */:{"]].map((pieces) => {
    const handler = new JsonWriter(() => {});
    const refusing = Object.assign(Object.create(handler), {
      isRefused: false,
      begin: () => {},
      key: () => refusing.isRefused = true,
    });
    const reader = new JsonReader(refusing);
    let text = "";
    let at = 0;
    for (const piece of pieces) at = reader.state === "open" ? reader.read(text += piece, at) : at;
    return [reader.state, at];
  });
  assert.deepEqual(stops, [["failed", 13], ["failed", 13]]);
});

Deno.test("JsonReader fails where containers are nested deeper than its limit", () => {
  const handler = {
    begin() {},
    end() {},
    key() {},
    stringBegin() {},
    stringPiece() {},
    stringEnd() {},
    scalar() {},
  };
  for (const [depth, state] of [[DEPTH_MAXIMUM, "done"], [DEPTH_MAXIMUM + 1, "failed"]] as const) {
    const reader = new JsonReader({ ...handler, isRefused: false });
    const end = reader.read('{"a":['.repeat(depth / 2) + "[]".repeat(depth % 2) + "]}".repeat(depth / 2), 0);
    assert.equal(reader.state, state);
    if (state === "failed") assert.equal(end, 6 * DEPTH_MAXIMUM / 2);
  }
});

Deno.test("JsonReader takes a name that every object has for any other word", () => {
  for (const word of ["constructor", "toString", "valueOf", "__proto__"]) {
    assert.equal(read([`{"a":${word}}`]).state, "failed", word);
  }
});
