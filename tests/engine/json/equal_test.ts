import assert from "node:assert/strict";
import { canonicalJson, isJsonEqual } from "../../../src/engine/json/equal.ts";

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

Deno.test("canonicalJson gives the same text for equal values only", () => {
  assert.equal(canonicalJson('{"b": [1.0, {"d": -0, "c": "é"}], "a": 2}'), '{"a":2,"b":[1,{"c":"é","d":0}]}');
  assert.equal(canonicalJson('{"__proto__": 1}'), '{"__proto__":1}');
  assert.notEqual(canonicalJson("[1,2]"), canonicalJson("[2,1]"));
  assert.notEqual(canonicalJson('"1"'), canonicalJson("1"));
  assert.equal(canonicalJson("{"), undefined);
});
