import assert from "node:assert/strict";
import { CollectedText } from "../../../src/engine/json/collected_text.ts";

function decoded(pieces: readonly string[]): string | undefined {
  const text = new CollectedText();
  for (const piece of pieces) {
    text.push(piece);
    void text.decoded;
  }
  return text.decoded;
}

Deno.test("CollectedText decodes a text that is one JSON string, in any cut", () => {
  const cases: readonly [text: string, expected: string | undefined][] = [
    ['"a"', "a"],
    [' "a\\"b\\\\" \n', 'a"b\\'],
    ['"a', undefined],
    ['"a\\"', undefined],
    ['"a" "b"', undefined],
    ['"a"b', undefined],
    ['"\\x"', undefined],
    ['"a\n"', undefined],
    ["[1]", undefined],
    ["", undefined],
  ];
  for (const [text, expected] of cases) {
    assert.equal(decoded([text]), expected, text);
    assert.equal(decoded([...text]), expected, text);
  }
});
