import assert from "node:assert/strict";
import { explain } from "../../../src/cli/explain.ts";
import { MISTAKES } from "../../../src/proxy/plugin/mistake.ts";
import { createTestContext } from "../../support/context.ts";

Deno.test("every mistake has its explanation", async () => {
  for (const code of Object.keys(MISTAKES)) {
    const world = createTestContext();
    assert.equal(await explain.run({ values: {}, positionals: [code] }, world), 0);
    assert.ok(world.printed.stdout.startsWith(`${code}: an error of the model`), code);
  }
});
