import assert from "node:assert/strict";
import { hasErrors, servingParts } from "../../src/cli/serving.ts";
import { loadSetup } from "../../src/cli/setup.ts";
import { createTestWorld } from "../support/world.ts";

Deno.test("servingParts takes the rules that are on", async () => {
  const setup = await loadSetup({ values: { disable: ["hermes"] }, positionals: [] }, createTestWorld());
  const { rules, clients, config } = servingParts(setup);
  const names = rules.map(({ rule }) => rule);
  assert.ok(names.includes("qwen_xml") && !names.includes("hermes") && !names.includes("shell_block"));
  assert.ok(clients.length > 0 && config.policy.minimum_confidence === 0.9);
});

Deno.test("hasErrors does not count warnings", () => {
  const diagnostic = { code: "wrong_value", message: "" } as const;
  assert.equal(hasErrors({ diagnostics: [{ ...diagnostic, severity: "warning" }] }), false);
  assert.equal(hasErrors({ diagnostics: [{ ...diagnostic, severity: "error" }] }), true);
});
