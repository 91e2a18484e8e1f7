import assert from "node:assert/strict";
import { canonicalJson } from "../../../src/engine/json/equal.ts";

Deno.test("canonicalJson gives the same text for equal values only", () => {
  assert.equal(canonicalJson('{"b": [1.0, {"d": -0, "c": "é"}], "a": 2}'), '{"a":2,"b":[1,{"c":"é","d":0}]}');
  assert.equal(canonicalJson('{"__proto__": 1}'), '{"__proto__":1}');
  assert.notEqual(canonicalJson("[1,2]"), canonicalJson("[2,1]"));
  assert.notEqual(canonicalJson('"1"'), canonicalJson("1"));
  assert.equal(canonicalJson("{"), undefined);
});
