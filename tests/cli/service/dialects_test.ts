import assert from "node:assert/strict";
import type { LoadedConfig } from "../../../src/proxy/config/load.ts";
import { dialectProblems } from "../../../src/cli/service/dialects.ts";
import { testConfig } from "../../support/proxy.ts";
import { SMALL_RULES } from "../../support/spoken.ts";

function problemsOf(
  settings: Record<string, unknown>,
  models = {},
  names: readonly string[] = ["*"],
): string[] {
  const config = testConfig(undefined, {
    upstreams: [{ name: "local", url: "http://x/v1", ...settings }],
    models,
  });
  const loaded = { config, locate: () => undefined } as unknown as LoadedConfig;
  const spoken = SMALL_RULES.map((rule) => ({ ...rule, speak: { ...rule.speak!, models: [...names] } }));
  const rules = [
    ...spoken,
    { ...spoken[0]!, rule: "off", enabled: false },
    { ...SMALL_RULES[0]!, rule: "mute", speak: undefined },
  ];
  return dialectProblems(loaded, { rules }).map(({ code, severity }) =>
    severity === "error" ? code : `${severity}: ${code}`
  );
}

Deno.test("dialectProblems finds dialects that can't be spoken or read", () => {
  assert.deepEqual(problemsOf({ tools: "prompted", dialect: "tags" }), []);
  assert.deepEqual(problemsOf({ tools: "prompted", dialect: "tgas" }), ["dialect_unspoken"]);
  assert.deepEqual(problemsOf({ tools: "prompted", dialect: "off" }), ["dialect_unread"]);
  assert.deepEqual(problemsOf({ tools: "prompted", dialect: "tags", rules: ["object"] }), ["dialect_unread"]);
  assert.deepEqual(problemsOf({ tools: "prompted", rules: ["missing"] }), ["dialect_unspoken"]);
  assert.deepEqual(problemsOf({}, { m: { dialect: "off", rules: ["off"] } }), []);
});

Deno.test("dialectProblems finds models that would get their tools natively", () => {
  assert.deepEqual(problemsOf({ tools: "prompted" }), []);
  assert.deepEqual(problemsOf({ tools: "prompted" }, {}, ["m*"]), ["warning: dialect_unspoken"]);
  assert.deepEqual(problemsOf({ tools: "prompted", dialect: "tags" }, {}, ["m*"]), []);
  assert.deepEqual(problemsOf({ tools: "prompted" }, { m: { rules: ["mute"] } }), ["dialect_unspoken"]);
  assert.deepEqual(problemsOf({}, { m: { rules: ["mute"] } }), []);
});
