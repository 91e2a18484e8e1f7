import assert from "node:assert/strict";
import { isDecision, outcomeOf } from "../../src/audit/outcome.ts";
import { type Reason, REASONS } from "../../src/event/reason.ts";

Deno.test("outcomeOf calls every repair a repair, and nothing else", () => {
  for (const [reason, text] of Object.entries(REASONS) as [Reason, string][]) {
    assert.equal(outcomeOf(reason) === "repaired", text.startsWith("Repair:"), reason);
    if (text.startsWith("Repair:")) assert.equal(isDecision(reason), false);
  }
});

Deno.test("outcomeOf names what became of a candidate", () => {
  assert.equal(outcomeOf("transformed"), "transformed");
  assert.equal(outcomeOf("would_transform"), "would_transform");
  assert.equal(outcomeOf("rollout_excluded"), "would_transform");
  assert.equal(outcomeOf("unknown_tool"), "abstained");
  assert.equal(outcomeOf("unknown_parameter"), "noted");
});
