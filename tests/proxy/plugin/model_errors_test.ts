import assert from "node:assert/strict";
import { explain } from "../../../src/cli/explain.ts";
import { MISTAKES } from "../../../src/proxy/plugin/model_errors.ts";
import { createTestContext } from "../../support/context.ts";

Deno.test("every mistake has its explanation", async () => {
  for (const code of Object.keys(MISTAKES)) {
    const context = createTestContext();
    assert.equal(await explain.run({ values: {}, positionals: [code] }, context), 0);
    assert.ok(context.printed.stdout.startsWith(`${code}: a model error`), code);
  }
});
