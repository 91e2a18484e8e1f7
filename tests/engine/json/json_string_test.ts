import assert from "node:assert/strict";
import {
  decodePython,
  JsonString,
  openingMark,
  type StringEscapes,
} from "../../../src/engine/json/json_string.ts";
import { allCuts } from "../../support/cuts.ts";

/** The result of reading a string in one step. */
function read(text: string, mark = '"', follower?: { mayFollow: (text: string, at: number) => boolean }) {
  const string = new JsonString(mark, { kinds: ["object"], hasBareKeys: false, follower });
  let pieces = "";
  let at = 0;
  while (at < text.length && !string.isDone && !string.isFailed) {
    const next = string.read(text, at, true);
    pieces += string.piece;
    if (next === at) break;
    at = next;
  }
  return { pieces, at, isDone: string.isDone, isFailed: string.isFailed };
}

Deno.test("openingMark waits for a third quote", () => {
  const cases: [text: string, mark: string | undefined][] = [
    ['"""', '"""'],
    ['""', undefined],
    ['"a', '"'],
    ['"",', '"'],
    ["'''", "'''"],
  ];
  for (const [text, mark] of cases) assert.equal(openingMark(text, { at: 0, isLast: false }), mark, text);
  assert.equal(openingMark('""', { at: 0, isLast: true }), '"');
});

Deno.test("JsonString ends at its quote, or only if valid JSON follows", () => {
  assert.deepEqual(read('a"b').pieces, "a");
  const follower = { mayFollow: (text: string, at: number) => at >= text.length };
  assert.deepEqual(read('a"b" c"}', '"', follower), {
    pieces: 'a\\"b\\" c',
    at: 7,
    isDone: true,
    isFailed: false,
  });
  assert.deepEqual(read('a"b""""}', '"""', follower), {
    pieces: 'a\\"b\\"',
    at: 7,
    isDone: true,
    isFailed: false,
  });
});

Deno.test("JsonString does not guess what a backslash in triple quotes means", () => {
  assert.equal(read('a\\n"""}', '"""', { mayFollow: () => true }).isFailed, true);
});

Deno.test("JsonString fails if a quote can be missing or doubled", () => {
  const follower = { mayFollow: (text: string, at: number) => text.slice(at).trim() === "" };
  const isFailed = (text: string) => read(text, '"', follower).isFailed;
  for (const text of ['a.ts, "b": "x"}', 'a.ts", "b: "x"}', 'a""}', 'x}}<c>{"a": "b"}', 'if {, "b": "x"}']) {
    assert.equal(isFailed(text), true, text);
  }
  for (
    const text of [
      '{, "b": "a } c"}',
      '{q, "b": "He said \\"}\\" there"}',
      '{"k": "v"} {, "b": "}"}',
      '{"k": {"l": "v"} } {, "b": "}"}',
    ]
  ) assert.equal(isFailed(text), true, text);
  for (const text of ['{"k": 1, "l": {"m": "n"}}"}', '{"k": {"l": "m"}, "n": [{"o": 1}, {"p": 2}]}"}']) {
    assert.equal(isFailed(text), false, text);
  }
  for (const text of ['say "yes""}', '{"k": {"l": "m"}}"}', 'f("a", "b")"}']) {
    assert.equal(isFailed(text), false, text);
  }
});

/** The result of reading a string that doesn't depend on what follows it, the same at every cut. */
function readAll(text: string, mark: string, escapes: StringEscapes) {
  const results = allCuts(text).map((pieces) => {
    let json = "";
    let all = "";
    let at = 0;
    const string = new JsonString(mark, undefined, escapes);
    for (const piece of pieces) {
      all += piece;
      while (at < all.length && !string.isDone) {
        const end = string.read(all, at, false);
        if (end === at) break;
        json += string.piece;
        at = end;
      }
    }
    return { value: JSON.parse(`"${json}"`) as string, rest: text.slice(at), isDone: string.isDone };
  });
  for (const result of results) assert.deepEqual(result, results[0]);
  return results[0]!;
}

const strings: [text: string, mark: string, escapes: StringEscapes, value: string, rest: string][] = [
  ["it\\'s' x", "'", "python", "it's", " x"],
  ['a\\b"x', '"', "none", "a\\b", "x"],
  ['two\nlines and ""quotes"""', '"""', "python", 'two\nlines and ""quotes', ""],
  ['a<|b<|"|>c', '<|"|>', "none", "a<|b", "c"],
  ["\\x41\\u00e9\\U0001F600\\101\\7.' ", "'", "python", "Aé😀A\x07.", " "],
  ["C:\\dir\\new' ", "'", "python", "C:\\dir\\new", " "],
  ["C:\\new\\tmp' ", "'", "python", "C:\new\tmp", " "],
  ["\\d \\x4 \\uz'", "'", "python", "\\d \\x4 \\uz", ""],
];

for (const [text, mark, escapes, value, rest] of strings) {
  Deno.test(`JsonString reads ${JSON.stringify(text)} up to ${mark} at every cut`, () => {
    assert.deepEqual(readAll(text, mark, escapes), { value, rest, isDone: true });
  });
}

Deno.test("decodePython reads to the end of the text or to an escape that more text decides", () => {
  assert.deepEqual(decodePython('a "b" \\"c'), { decoded: 'a "b" "c', end: 9 });
  assert.deepEqual(decodePython("a\\x4"), { decoded: "a", end: 1 });
});
