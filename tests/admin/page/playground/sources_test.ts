import assert from "node:assert/strict";
import { Sources } from "../../../../src/admin/page/playground/sources.ts";
import { newRuleText } from "../../../../src/engine/rule/new_rule.ts";
import { loadBoth } from "./setup.ts";

const { page, server } = await loadBoth(
  "policy: { minimum_confidence: 0.5 }\nrules: { disable: [hermes] }\n",
);
const sources = new Sources(page);

Deno.test("Sources has the rules of the server, with its settings", () => {
  const { loaded, isUsed } = sources.read("");
  assert.deepEqual(loaded.rules, server.rules.rules);
  assert.equal(isUsed, false);
  assert.equal(sources.parts(sources.read("")).config.policy.minimum_confidence, 0.5);
});

Deno.test("Sources puts the edited rule in the place of the one of the same name", () => {
  const count = sources.read("").loaded.rules.length;
  assert.equal(sources.read(newRuleText("mine")).loaded.rules.length, count + 1);
  const { loaded, isUsed } = sources.read(newRuleText("hermes"));
  assert.deepEqual([loaded.rules.length, isUsed], [count, true]);
});

Deno.test("Sources leaves the rules as they are while the edited one has errors", () => {
  const { loaded, isUsed, diagnostics } = sources.read("rule: hermes\n");
  assert.deepEqual([loaded, isUsed], [sources.read("").loaded, false]);
  assert.ok(diagnostics.every(({ location }) => location?.file.endsWith("rules/hermes.yaml")));
});
