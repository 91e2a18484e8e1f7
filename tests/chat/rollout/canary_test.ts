import assert from "node:assert/strict";
import { bucketOf, chooseMode } from "../../../src/chat/rollout/canary.ts";

Deno.test("chooseMode lets a dry run of policy or upstream win over the canary", () => {
  const table = [
    [false, false, 100, "live"],
    [false, false, 0, "excluded"],
    [true, false, 0, "dry_run"],
    [false, true, 100, "dry_run"],
  ] as const;
  for (const [policy, upstream, rollout_percent, mode] of table) {
    const input = { policy: { dry_run: policy, rollout_percent }, upstream: { dry_run: upstream } };
    assert.equal(chooseMode({ ...input, conversation: "8000000000000000" }), mode);
  }
});

Deno.test("bucketOf is at least 0 and below 100, by the first eight digits", () => {
  assert.equal(bucketOf("00000000ffffffff"), 0);
  assert.equal(bucketOf("8000000000000000"), 50);
  assert.ok(bucketOf("ffffffff00000000") < 100);
});
