import assert from "node:assert/strict";
import { readPythonScalar } from "../../../src/engine/json/python_scalar.ts";

const words: [word: string, json: string | undefined][] = [
  ["None", "null"],
  ["True", "true"],
  ["false", "false"],
  ["12", "12"],
  ["-1_000", "-1000"],
  ["+.5", "0.5"],
  ["5.", "5.0"],
  ["1e3", "1e3"],
  ["0xff", "255"],
  ["123456789012345678901", "123456789012345678901"],
  ["007", undefined],
  ["nan", undefined],
  ["x", undefined],
  ["1j", undefined],
  ["toString", undefined],
  ["", undefined],
];

for (const [word, json] of words) {
  Deno.test(`readPythonScalar reads ${JSON.stringify(word)} as ${json}`, () => {
    assert.equal(readPythonScalar(word), json);
  });
}
