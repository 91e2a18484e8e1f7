import assert from "node:assert/strict";
import { isJsonEqual } from "../../../src/engine/json/equal.ts";

Deno.test("isJsonEqual compares JSON values", () => {
  const cases: [unknown, unknown, boolean][] = [
    [5, 5.0, true],
    [{ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 }, true],
    [[1, 2], [2, 1], false],
    [[], {}, false],
    [{ a: undefined }, { b: undefined }, false],
    [null, {}, false],
    ["5", 5, false],
    [{ a: 1 }, { a: 1, b: 2 }, false],
  ];
  for (const [a, b, isEqual] of cases) assert.equal(isJsonEqual(a, b), isEqual, JSON.stringify([a, b]));
});
