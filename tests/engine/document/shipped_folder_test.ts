import assert from "node:assert/strict";
import { join } from "node:path";
import { SHIPPED_FOLDER } from "../../../src/engine/document/shipped_folder.ts";

Deno.test("SHIPPED_FOLDER has the shipped rules and clients", async () => {
  for (const name of ["hermes.yaml", "clients/openai.yaml"]) {
    assert.ok((await Deno.stat(join(SHIPPED_FOLDER, name))).isFile);
  }
});
