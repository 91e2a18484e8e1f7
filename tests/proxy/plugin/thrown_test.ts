import assert from "node:assert/strict";
import { describeThrown } from "../../../src/proxy/plugin/thrown.ts";

function errorAt(place: string, message = "it is wrong"): Error {
  const error = new TypeError(message);
  error.stack = `TypeError: ${message}\n    at Object.onCall (${place})\n    at guard (ext:core:1:2)`;
  return error;
}

Deno.test("describeThrown leaves out a message that may quote the answer, and cuts a long one", () => {
  try {
    JSON.parse("a secret");
  } catch (cause) {
    assert.doesNotMatch(describeThrown(cause), /secret/);
  }
  assert.ok(describeThrown(errorAt("file:///a.ts:1:1", "x".repeat(1000))).length < 300);
});
