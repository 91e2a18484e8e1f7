import assert from "node:assert/strict";
import { configSchema } from "../../../src/proxy/config/schema.ts";
import { createRuleSets } from "../../../src/chat/translator/rule_sets.ts";
import { compileRules } from "../../../src/engine/rule/compile.ts";
import { ruleSchema } from "../../../src/engine/rule/schema.ts";

const rule = (name: string, fields: object = {}) =>
  ruleSchema.parse({ rule: name, pattern: `<${name} {tool}>(?<body>…)</${name}>`, body: "json", ...fields });
const RULES = [
  rule("a"),
  rule("b"),
  rule("off", { enabled: false }),
  ruleSchema.parse({ rule: "quote", pattern: "«(?<body>…)»", body: "opaque", opaque: { region: "quote" } }),
];
const CONFIG = configSchema.parse({
  models: { "small-*": { rules: ["off"] }, "*": { rules: ["a", "b"] } },
  upstreams: [{ name: "own", url: "http://127.0.0.1/v1", rules: ["b"], model_names: { mine: "small-7b" } }],
  policy: { dry_run_rules: ["b"] },
});

Deno.test("createRuleSets turns chosen rules on, keeps regions, and leaves rules on trial out of the live ones", () => {
  const { program } = compileRules(RULES, ({ enabled }) => enabled);
  const sets = createRuleSets({ config: CONFIG, program });
  const names = (program: { rules: readonly { name: string }[] }) =>
    program.rules.map(({ name }) => name).sort();
  assert.deepEqual(names(sets({ model: "small-1" }).live), ["off", "quote"]);
  assert.deepEqual(names(sets({ model: "large" }).live), ["a", "quote"]);
  assert.deepEqual(names(sets({ model: "large" }).program), ["a", "b", "quote"]);
  assert.deepEqual(names(sets({ model: undefined }).program), ["a", "b", "quote"]);
  assert.equal(sets({ model: "small-1" }), sets({ model: "small-2" }));
});
