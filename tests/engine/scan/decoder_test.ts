import assert from "node:assert/strict";
import { Decoder, isInvisible } from "../../../src/engine/scan/decoder.ts";

function decode(text: string): string {
  let decoded = "";
  const decoder = new Decoder((unit) => decoded += String.fromCharCode(unit));
  for (let at = 0; at < text.length; at++) decoder.read(text.charCodeAt(at));
  decoder.end();
  return decoded;
}

const cases: [what: string, text: string, decoded: string][] = [
  ["JSON, however often", 'a\\"b\\\\\\"c\\\\nd\\u003ce', 'a"b"c\nd<e'],
  ["points in braces", "\\u{3c}a\\u{1F600}", "<a😀"],
  ["entities, also escaped ones and ones without an end", "&lt;a&amp;gt;&#60;&#x3E;&ltb&GT", "<a><><b>"],
  ["addresses and their spaces", "a+%3Ca+b%253E c+d", "a+<a b> c+d"],
  ["the colors of a terminal", "\x1b[1;32ma\x1b[0mb", "ab"],
  ["text that isn't an escape", "50% & c&; \\u12 %zz a+b", "50% & c&; u12 %zz a+b"],
];

for (const [what, text, decoded] of cases) {
  Deno.test(`Decoder reads ${what}`, () => assert.equal(decode(text), decoded));
}

Deno.test("isInvisible recognizes invisible characters", () => {
  for (const sign of "\u200b\u00ad\ufeff\ufe0f") assert.equal(isInvisible(sign.charCodeAt(0)), true);
  for (const sign of "a \u00a0") assert.equal(isInvisible(sign.charCodeAt(0)), false);
});
