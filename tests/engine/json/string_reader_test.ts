import assert from "node:assert/strict";
import { type StringNotation, StringReader } from "../../../src/engine/json/string_reader.ts";
import { allCuts } from "../../support/cuts.ts";

function read(text: string, notation: StringNotation) {
  const results = allCuts(text).map((pieces) => {
    let json = "";
    let all = "";
    let at = 0;
    const reader = new StringReader(notation, (escaped) => json += escaped);
    for (const piece of pieces) at = reader.read(all += piece, at);
    return { value: JSON.parse(`"${json}"`) as string, rest: text.slice(at), isDone: reader.isDone };
  });
  for (const result of results) assert.deepEqual(result, results[0]);
  return results[0]!;
}

const strings: [text: string, notation: StringNotation, value: string, rest: string][] = [
  ["it\\'s' x", { closer: "'", hasEscapes: true }, "it's", " x"],
  ['a\\b"x', { closer: '"', hasEscapes: false }, "a\\b", "x"],
  ['two\nlines and ""quotes"""', { closer: '"""', hasEscapes: true }, 'two\nlines and ""quotes', ""],
  ['a<|b<|"|>c', { closer: '<|"|>', hasEscapes: false }, "a<|b", "c"],
  ["\\x41\\u00e9\\U0001F600\\101\\7.' ", { closer: "'", hasEscapes: true }, "Aé😀A\x07.", " "],
  ["C:\\dir\\new' ", { closer: "'", hasEscapes: true }, "C:\\dir\\new", " "],
  ["C:\\new\\tmp' ", { closer: "'", hasEscapes: true }, "C:\new\tmp", " "],
  ["\\d \\x4 \\uz'", { closer: "'", hasEscapes: true }, "\\d \\x4 \\uz", ""],
];

for (const [text, notation, value, rest] of strings) {
  Deno.test(`StringReader reads ${JSON.stringify(text)} up to ${notation.closer}`, () => {
    assert.deepEqual(read(text, notation), { value, rest, isDone: true });
  });
}

Deno.test("StringReader without a closing mark reads to the end of the text", () => {
  assert.deepEqual(read('a "b" c', { hasEscapes: true }), { value: 'a "b" c', rest: "", isDone: false });
});
