import assert from "node:assert/strict";
import { readBrokenJson } from "../../../src/analysis/conformance/close_json.ts";

for (
  const [json, expected] of [
    ['{"a":1}', { a: 1 }],
    ['{"a":"x', { a: "x" }],
    ['{"a":"x\\', { a: "x" }],
    ['{"a":"x\\\\', { a: "x\\" }],
    ['{"a":"x\\u00', { a: "x" }],
    ['{"a":"x\\u00e9', { a: "xé" }],
    ['{"a":"x","b', { a: "x" }],
    ['{"a":"x","b":', { a: "x" }],
    ['{"a":"x","b":tr', { a: "x" }],
    ['{"a":{"b":[1,2', { a: { b: [1, 2] } }],
    ['{"a":{"b":[1,', { a: { b: [1] } }],
    ['{"a":"}],{', { a: "}],{" }],
    ["{", {}],
    ["", undefined],
    ["nothing", undefined],
  ] as const
) {
  Deno.test(`readBrokenJson of ${json} keeps what came`, () => {
    assert.deepEqual(readBrokenJson(json), expected);
  });
}
