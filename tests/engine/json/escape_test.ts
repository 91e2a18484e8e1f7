import assert from "node:assert/strict";
import { isHighSurrogate, readEscape } from "../../../src/engine/json/escape.ts";

Deno.test("readEscape keeps valid escapes and repairs the others", () => {
  const cases: [text: string, json: string, end: number, isRepaired: boolean][] = [
    ["\\nx", "\\n", 2, false],
    ["\\u00e9x", "\\u00e9", 6, false],
    ["\\x41", "\\u0041", 4, true],
    ["\\'", "'", 2, true],
    ["\\d", "\\\\", 1, true],
  ];
  for (const [text, json, end, isRepaired] of cases) {
    assert.deepEqual(readEscape(text, 0), { json, end, isRepaired }, text);
  }
  for (const text of ["\\", "\\u00", "\\x4"]) assert.equal(readEscape(text, 0), undefined, text);
});

Deno.test("isHighSurrogate recognizes the first half of a pair", () => {
  assert.equal(isHighSurrogate("😀".charCodeAt(0)), true);
  assert.equal(isHighSurrogate("😀".charCodeAt(1)), false);
});
