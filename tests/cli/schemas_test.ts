import assert from "node:assert/strict";
import { join } from "node:path";
import { schemaFiles } from "../../src/cli/schemas.ts";

Deno.test("schemaFiles are written beside the rules: run `deno run --allow-read --allow-write --allow-env main.ts check --write-schemas`", async () => {
  for (const { path, text } of schemaFiles()) {
    assert.equal(await Deno.readTextFile(join("rules", path)), text, path);
  }
});
