import assert from "node:assert/strict";
import { nearestReadings, readingRules } from "../../../src/engine/rule/nearest_readings.ts";
import { type Rule, ruleSchema } from "../../../src/engine/rule/schema.ts";
import { offer } from "../../../src/engine/tool/offered.ts";

const offered = offer([{ name: "go" }]);

function rule(name: string, more: Partial<Rule> = {}): Rule {
  return ruleSchema.parse({
    rule: name,
    pattern: `<${name} {tool}>(?<body>…)</${name}>`,
    body: "json",
    ...more,
  });
}

Deno.test("nearestReadings shows first the rule that comes furthest, and where it stops", () => {
  const text = '<call go>{"a": 1}</cal>';
  const [first] = nearestReadings({ text, offered, rules: [rule("caller"), rule("call")] });
  assert.equal(first?.near.rule.rule, "call");
  assert.equal(first?.at, text.length);
});

Deno.test("readingRules names the rules that make a call alone, on or off", () => {
  const rules = [rule("call", { enabled: false }), rule("other")];
  const found = readingRules({ text: "<call go>{}</call>", offered, rules });
  assert.deepEqual(found.map((one) => one.rule), ["call"]);
});
