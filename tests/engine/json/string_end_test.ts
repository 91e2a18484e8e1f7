import assert from "node:assert/strict";
import { endsString, keySeparator, type StringPlace } from "../../../src/engine/json/string_end.ts";

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

Deno.test("endsString accepts the end of the text, a comma in a list, and a bare key if keys are bare", () => {
  assert.equal(endsString('"', 1, { ...place, isLast: true }), true);
  assert.equal(endsString('", x', 1, { ...place, kinds: ["array"] }), true);
  assert.equal(endsString('", b: 1', 1, { ...place, hasBareKeys: true }), true);
});

Deno.test("keySeparator finds the separator before the key of a quote", () => {
  const cases: [before: string, after: string, separator: string | false | undefined][] = [
    ["a.ts, ", 'content": "x"', ","],
    ["a.ts", ', "content: "x"', ","],
    ["a.ts", ', content": "x"', ","],
    ["a.ts", ', "content"": "x"', ","],
    ["a.ts, content", ': "x"', ","],
    ["a}}\n<c>\n{", 'name": "f"', "{"],
    ["a {name", ': "f"', "{"],
    ["<div class=", 'x">', false],
    ["say ", 'yes", or "no"', false],
    ["say ", ": no", false],
    ["a.ts, ", "content", undefined],
    ["a.ts", ",", undefined],
    ["a.ts, content", " ", undefined],
  ];
  for (const [before, after, separator] of cases) {
    const place = { before, kinds: ["object"] as const, isLast: false };
    assert.equal(keySeparator(`"${after}`, 1, place), separator, `${before}"${after}`);
  }
  const list = { before: "red, ", kinds: ["array"] as const, isLast: false };
  assert.equal(keySeparator('"blue"', 1, list), ",");
});
