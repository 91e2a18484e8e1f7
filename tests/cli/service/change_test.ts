import assert from "node:assert/strict";
import { describeChange } from "../../../src/cli/service/change.ts";
import { loadSetup, type Setup } from "../../../src/cli/service/setup.ts";
import { createTestWorld } from "../../support/world.ts";

const before = await loadSetup({}, createTestWorld());
const [first, second, ...rest] = before.rules.rules;
const withRules = (rules: Setup["rules"]["rules"]): Setup => ({
  ...before,
  rules: { ...before.rules, rules },
});
const withConfig = (change: Partial<Setup["config"]["config"]>): Setup => ({
  ...before,
  config: { ...before.config, config: { ...before.config.config, ...change } },
});

Deno.test("describeChange of the same is empty", () => {
  assert.deepEqual(describeChange(before, { ...before }), []);
});

Deno.test("describeChange names rules that were added, changed and removed", () => {
  assert.ok(first && second);
  const after = withRules([{ ...second, confidence: 0.123 }, ...rest, { ...first, rule: "mine" }]);
  assert.deepEqual(describeChange(before, after), [
    "rule mine added",
    `rule ${second.rule} changed`,
    `rule ${first.rule} removed`,
  ]);
});

Deno.test("describeChange names clients and settings", () => {
  const clients = { ...before.clients, clients: before.clients.clients.slice(2) };
  const removed = before.clients.clients.slice(0, 2).map(({ client }) => client);
  assert.deepEqual(describeChange(before, { ...before, clients }), [
    `clients ${removed.join(" and ")} removed`,
  ]);
  const after = withConfig({
    listen: { ...before.config.config.listen, hostname: "::1", port: 1 },
    policy: { ...before.config.config.policy, minimum_confidence: 0.1 },
  });
  assert.deepEqual(describeChange(before, after), ["listen", "policy"]);
});

Deno.test("describeChange notices another key without saying it", () => {
  const after = { ...before, config: { ...before.config, keys: new Map([["local", "secret"]]) } };
  assert.deepEqual(describeChange(before, after), ["keys"]);
});
