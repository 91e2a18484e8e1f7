import assert from "node:assert/strict";
import { Labels } from "../../../src/desk/metrics/labels.ts";

Deno.test("Labels keeps the first names and calls the rest other", () => {
  const labels = new Labels(2);
  assert.deepEqual(["a", "b", "c", "a", undefined, ""].map((name) => labels.of(name)), [
    "a",
    "b",
    "other",
    "a",
    "none",
    "none",
  ]);
  assert.equal(new Labels(1).of("x".repeat(500)).length, 100);
});
