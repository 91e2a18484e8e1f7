import assert from "node:assert/strict";
import { outcomeOf } from "../../../src/admin/audit/outcome.ts";

Deno.test("outcomeOf names what became of a candidate", () => {
  const cases = [
    ["transformed", "transformed"],
    ["recovered", "transformed"],
    ["would_transform", "would_transform"],
    ["rollout_excluded", "would_transform"],
    ["unknown_tool", "abstained"],
    ["plugin_refused", "abstained"],
    ["json_repaired", "repaired"],
    ["unknown_parameter", "noted"],
    ["plugin_note", "noted"],
    ["plugin_changed", "noted"],
    ["plugin_failed", "noted"],
  ] as const;
  for (const [reason, outcome] of cases) assert.equal(outcomeOf(reason), outcome, reason);
});
