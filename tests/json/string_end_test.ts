import assert from "node:assert/strict";
import { endsString, type StringPlace } from "../../src/json/string_end.ts";

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
