import assert from "node:assert/strict";
import { describeThrown, placeOf } from "../../../src/proxy/plugin/thrown.ts";

function errorAt(place: string, message = "it is wrong"): Error {
  const error = new TypeError(message);
  error.stack = `TypeError: ${message}\n    at Object.onCall (${place})\n    at guard (ext:core:1:2)`;
  return error;
}

Deno.test("describeThrown names the error, its file and line, and its message", () => {
  const cases: [unknown, string][] = [
    [errorAt("file:///plugins/careful.ts:12:9"), "TypeError at careful.ts:12: it is wrong"],
    [errorAt("file:///plugins/careful.ts?changed=17:12:9"), "TypeError at careful.ts:12: it is wrong"],
    [errorAt("file:///C:/me/careful.mjs:3:1", "one\ntwo"), "TypeError at careful.mjs:3: one"],
    ["x", "string"],
    [undefined, "undefined"],
  ];
  for (const [cause, expected] of cases) assert.equal(describeThrown(cause), expected);
});

Deno.test("describeThrown leaves out a message that may quote the answer, and cuts a long one", () => {
  try {
    JSON.parse("a secret");
  } catch (cause) {
    assert.doesNotMatch(describeThrown(cause), /secret/);
  }
  assert.ok(describeThrown(errorAt("file:///a.ts:1:1", "x".repeat(1000))).length < 300);
});

Deno.test("placeOf finds nothing where no file is named", () => {
  const error = new Error("no place");
  error.stack = "Error: no place\n    at <anonymous>";
  assert.equal(placeOf(error), undefined);
});
