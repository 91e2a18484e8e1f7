import assert from "node:assert/strict";
import { nearestRules } from "../../../src/engine/rule/nearest.ts";
import { ruleSchema } from "../../../src/engine/rule/schema.ts";

const rules = [
  ruleSchema.parse({ rule: "tag", pattern: "<call {tool}>(?<body>…)</call>", body: "json" }),
  ruleSchema.parse({ rule: "token", pattern: "<\\|call\\|>(?<body>…)", body: "envelope" }),
  ruleSchema.parse({ rule: "quote", pattern: "`(?<body>…)`", body: "opaque", opaque: { region: "quote" } }),
];

Deno.test("nearestRules shows where a text leaves an opener, and what was wanted there", () => {
  const [near, ...more] = nearestRules(rules, "A\n<call f!>{}");
  assert.deepEqual([near?.rule.rule, near?.start, near?.at, near?.isWhole], ["tag", 2, 9, false]);
  assert.match(near?.expected ?? "", /`>`/);
  assert.deepEqual(more, []);
});

Deno.test("nearestRules puts whole openers first, and leaves out what only shares a letter", () => {
  const found = nearestRules(rules, "<call f <|call|>{}");
  assert.deepEqual(found.map(({ rule, isWhole }) => [rule.rule, isWhole]), [["token", true], ["tag", false]]);
  assert.deepEqual(nearestRules(rules, "call a < b and others."), []);
});

Deno.test("nearestRules shows the text that has to follow, not only its first character", () => {
  const rule = ruleSchema.parse({ rule: "long", pattern: "<begin_of_call>(?<body>…)", body: "envelope" });
  const [near] = nearestRules([rule], "<begin_tool>{}");
  assert.equal(near?.expected, "`of_call>`");
});
