import assert from "node:assert/strict";
import { isRecord } from "../../../src/engine/object/record.ts";

Deno.test("isRecord takes objects with named fields and nothing else", () => {
  for (const value of [{}, { a: 1 }, Object.create(null)]) assert.ok(isRecord(value));
  for (const value of [null, undefined, [], "a", 1, true]) assert.ok(!isRecord(value));
});
