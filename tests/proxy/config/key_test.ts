import assert from "node:assert/strict";
import { isOneOf } from "../../../src/proxy/config/key.ts";

Deno.test("isOneOf knows each key, with and without Bearer, and nothing near one", () => {
  const keys = ["first-key", "second-key"];
  for (const given of ["first-key", "Bearer second-key", "bearer  second-key "]) {
    assert.ok(isOneOf(given, keys), given);
  }
  for (const given of ["", "Bearer", "first-ke", "first-keyy", "First-key", "Basic first-key"]) {
    assert.ok(!isOneOf(given, keys), given);
  }
  assert.ok(!isOneOf("", []));
});
