import assert from "node:assert/strict";
import { FORM } from "../../../src/cli/service/distribution.ts";

Deno.test("FORM of a clone is source", () => {
  assert.equal(FORM, "source");
});
