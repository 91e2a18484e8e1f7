import assert from "node:assert/strict";
import { DISTRIBUTION } from "../../../src/cli/service/distribution.ts";

Deno.test("DISTRIBUTION of a clone is source", () => {
  assert.equal(DISTRIBUTION, "source");
});
