import assert from "node:assert/strict";
import { join } from "node:path";
import { schemaFiles } from "../../src/cli/schemas.ts";

Deno.test("schemaFiles are up to date next to the rules; if this fails, run `deno task generate`", async () => {
  for (const { path, text } of await schemaFiles()) {
    assert.equal(await Deno.readTextFile(join("rules", path)), text, path);
  }
});
