import assert from "node:assert/strict";
import { checkRules } from "../../../src/engine/rule/check.ts";
import { newRuleText } from "../../../src/engine/rule/new_rule.ts";
import { noSettings, readRules } from "../../../src/engine/rule/read.ts";

Deno.test("newRuleText passes the check", () => {
  const loaded = readRules([[{ file: "mine.yaml", text: newRuleText("mine") }]], noSettings);
  const options = {
    isTarget: () => true,
    isBuiltIn: () => false,
    diagnostics: loaded.diagnostics,
    prove: () => [],
  };
  assert.deepEqual(checkRules(loaded, options), { diagnostics: [], exampleCount: 2 });
});
