import assert from "node:assert/strict";
import { ruleName } from "../../../src/engine/rule/rule_name.ts";

Deno.test("ruleName finds the name of a rule, whatever the rest of the text is", () => {
  for (
    const [text, name] of [
      ["rule: mine", "mine"],
      ["# a comment\nrule: 'mine'  # mine\npattern: [", "mine"],
      ['rule: "a_1"\r\npattern: x', "a_1"],
      ["", ""],
      ["  rule: mine", ""],
      ["rule: ../mine", ""],
      ["rule: Mine", ""],
      ["rule: 'mine", ""],
      ["rule: mine yours", ""],
    ] as const
  ) assert.equal(ruleName(text), name, text);
});
