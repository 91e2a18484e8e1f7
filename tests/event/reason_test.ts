import assert from "node:assert/strict";
import { isDecision, type Reason, reasonEntry, REASONS } from "../../src/event/reason.ts";

Deno.test("reasonEntry gives every code a kind and a meaning in sentences", () => {
  for (const reason of Object.keys(REASONS) as Reason[]) {
    const { kind, meaning } = reasonEntry(reason);
    assert.equal(isDecision(reason), kind === "decision");
    assert.match(meaning, /^[A-Z].*\.$/, reason);
  }
});
