import assert from "node:assert/strict";
import { isBare, isHex, isScalar, isWord } from "../../../src/engine/json/scalar.ts";

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
