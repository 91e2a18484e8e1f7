import assert from "node:assert/strict";
import { type RuleRow, sortedRules } from "../../../../src/admin/page/views/rules.ts";

const row = (rule: string, more: Partial<RuleRow> = {}): RuleRow => ({
  ...{ rule, description: `about ${rule}`, enabled: true, confidence: 0.9, whyOff: null, hits: {} },
  ...more,
});

Deno.test("sortedRules shows rules with hits first and rules that are off last, by a word", () => {
  const rules = [
    row("c"),
    row("off", { whyOff: "off" }),
    row("b", { hits: { made: 1 } }),
    row("a", { hits: { left: 2, remark: 9 } }),
    row("d"),
  ];
  assert.deepEqual(sortedRules(rules, "").map(({ rule }) => rule), ["a", "b", "c", "d", "off"]);
  assert.deepEqual(sortedRules(rules, " About C ").map(({ rule }) => rule), ["c"]);
  assert.deepEqual(sortedRules(rules, "nothing"), []);
});
