import assert from "node:assert/strict";
import { recordedParts } from "../../../src/analysis/replay/recorded_parts.ts";
import { loadSetup, serviceParts } from "../../../src/cli/service/setup.ts";
import { createTestContext } from "../../support/context.ts";

Deno.test("recordedParts has the plugins of a service only if there are some", async () => {
  const parts = serviceParts(await loadSetup({}, createTestContext()));
  assert.equal(recordedParts(parts).plugins, undefined);
  const plugin = { name: "mine", onCall: () => undefined };
  const loaded = { plugin, options: {} } as unknown as NonNullable<typeof parts.plugins>[number];
  const { plugins } = recordedParts({ ...parts, plugins: [loaded] });
  const tools = [{ type: "function", function: { name: "go" } }];
  const translator = plugins?.recognize({ tools, messages: [] }, new Headers(), { forced: undefined });
  assert.equal(plugins?.wholeCalls, true);
  assert.notEqual(translator?.createPlugins?.(() => "call_1"), undefined);
});
