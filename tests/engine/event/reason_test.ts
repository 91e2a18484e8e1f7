import assert from "node:assert/strict";
import { isAttempt, isDecision, type Reason, reasonEntry } from "../../../src/engine/event/reason.ts";
import { REASONS } from "../../../src/engine/event/reasons.ts";

Deno.test("reasonEntry gives every code a kind and a meaning in sentences", () => {
  for (const reason of Object.keys(REASONS) as Reason[]) {
    const { kind, meaning } = reasonEntry(reason);
    assert.equal(isDecision(reason), kind === "decision");
    assert.match(meaning, /^[A-Z].*\.$/, reason);
  }
});

Deno.test("isAttempt tells a call that was meant from an example, a repetition and a remark", () => {
  const meant: Reason[] = ["transformed", "rollout_excluded", "malformed", "unwritable", "missing_required"];
  const other: Reason[] = ["quoted", "echo", "repeated_call", "near_miss", "plugin_refused", "json_repaired"];
  assert.deepEqual([...meant, ...other].filter(isAttempt), meant);
});
