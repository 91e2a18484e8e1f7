import assert from "node:assert/strict";
import {
  isBare,
  isHex,
  isScalar,
  isWord,
  readPythonScalar,
  readScalar,
} from "../../../src/engine/json/scalar.ts";

Deno.test("isScalar accepts numbers and literals in JSON notation", () => {
  for (const json of ["0", "-1.5e3", "true", "false", "null"]) assert.equal(isScalar(json), true, json);
  for (const json of ["01", "+1", ".5", "1.", "-", "True", "NaN", "", "nul"]) {
    assert.equal(isScalar(json), false, json);
  }
});

Deno.test("isWord and isBare accept only ASCII", () => {
  const units = (text: string) => [...text].map((character) => character.charCodeAt(0));
  assert.ok(units("azAZ09_$").every(isWord));
  assert.ok(units("azAZ09_$+-.").every(isBare));
  assert.ok(units(" \"'{}[]:,é/").every((unit) => !isBare(unit) && !isWord(unit)));
});

Deno.test("isHex accepts hexadecimal digits", () => {
  assert.deepEqual(["", "0aF9", "g0", "0x"].map(isHex), [true, true, false, false]);
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

Deno.test("readScalar reads the numbers of JSON and the names of JSON and Python", () => {
  assert.deepEqual(["12", "true", "None", "+5", "1_0", "x"].map(readScalar), [
    "12",
    "true",
    "null",
    undefined,
    undefined,
    undefined,
  ]);
});
