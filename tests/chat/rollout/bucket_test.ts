import assert from "node:assert/strict";
import { bucketOf } from "../../../src/chat/rollout/bucket.ts";

Deno.test("bucketOf is at least 0 and below 100, by the first eight digits", () => {
  assert.equal(bucketOf("00000000ffffffff"), 0);
  assert.equal(bucketOf("8000000000000000"), 50);
  assert.ok(bucketOf("ffffffff00000000") < 100);
});
