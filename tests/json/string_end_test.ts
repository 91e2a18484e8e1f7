import assert from "node:assert/strict";
import { endsString, isKeyQuote, type StringPlace } from "../../src/json/string_end.ts";

const place: StringPlace = {
  kinds: ["object", "object"],
  hasBareKeys: false,
  isLast: false,
  follower: {
    mayFollow: (text, at) => text.slice(at).trim() === "" ? undefined : text.slice(at).trim().startsWith("<"),
  },
};

const cases: [after: string, ends: boolean | undefined][] = [
  [">hi", false],
  [' , "b": 1', true],
  [', "b" and', false],
  [", and", false],
  [', "\\"b\\\\": 1', true],
  [', "\\"b\\', undefined],
  [`, "${"b".repeat(300)}": 1`, true],
  [", ", undefined],
  [', "b', undefined],
  [",}", true],
  ["}}</c>", true],
  ['}" there', false],
  ["} ", undefined],
  ["}}", undefined],
  ['}}"', false],
  [" // c", true],
  [" / c", false],
  ["</c>", true],
];

for (const [after, ends] of cases) {
  Deno.test(`endsString is ${ends} before ${JSON.stringify(after)}`, () => {
    assert.equal(endsString(`"${after}`, 1, place), ends);
  });
}

Deno.test("endsString takes the end of the text, a comma in a list and a bare key where keys are bare", () => {
  assert.equal(endsString('"', 1, { ...place, isLast: true }), true);
  assert.equal(endsString('", x', 1, { ...place, kinds: ["array"] }), true);
  assert.equal(endsString('", b: 1', 1, { ...place, hasBareKeys: true }), true);
});

Deno.test("isKeyQuote finds a quote that may belong to a key, because the one before it is missing", () => {
  const cases: [before: string, after: string, isOfKey: boolean | undefined][] = [
    ["a.ts, ", 'content": "x"', true],
    ["a.ts", ', "content: "x"', true],
    ["a.ts", ', content": "x"', true],
    ["a.ts", ', "content"": "x"', true],
    ["a.ts, content", ': "x"', true],
    ["a}}\n<c>\n{", 'name": "f"', true],
    ["<div class=", 'x">', false],
    ["say ", 'yes", or "no"', false],
    ["say ", ": no", false],
    ["a.ts, ", "content", undefined],
    ["a.ts", ",", undefined],
    ["a.ts, content", " ", undefined],
  ];
  for (const [before, after, isOfKey] of cases) {
    const place = { before, kinds: ["object"] as const, isLast: false };
    assert.equal(isKeyQuote(`"${after}`, 1, place), isOfKey, `${before}"${after}`);
  }
  assert.equal(isKeyQuote('"blue"', 1, { before: "red, ", kinds: ["array"], isLast: false }), true);
});
