import assert from "node:assert/strict";
import { present } from "../../../src/engine/object/present.ts";

Deno.test("present leaves undefined fields out and keeps every other value", () => {
  assert.deepEqual(present({ a: undefined, b: null, c: 0, d: "", e: false }), {
    b: null,
    c: 0,
    d: "",
    e: false,
  });
  assert.deepEqual(Object.keys(present({ a: undefined })), []);
});
