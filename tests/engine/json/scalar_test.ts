import assert from "node:assert/strict";
import { isBare, isWord, readPythonScalar } from "../../../src/engine/json/scalar.ts";

Deno.test("isWord and isBare accept only ASCII", () => {
  const units = (text: string) => [...text].map((character) => character.charCodeAt(0));
  assert.ok(units("azAZ09_$").every(isWord));
  assert.ok(units("azAZ09_$+-.").every(isBare));
  assert.ok(units(" \"'{}[]:,é/").every((unit) => !isBare(unit) && !isWord(unit)));
});

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
  ["tr_ue", undefined],
  ["+true", undefined],
  ["", undefined],
];

for (const [word, json] of words) {
  Deno.test(`readPythonScalar reads ${JSON.stringify(word)} as ${json}`, () => {
    assert.equal(readPythonScalar(word), json);
  });
}
