import assert from "node:assert/strict";
import { complain, complainOfUsage } from "../../src/cli/complain.ts";
import { createTestContext } from "../support/context.ts";

Deno.test("complain prints diagnostics on the standard error only", () => {
  const context = createTestContext();
  complain([{ code: "wrong_usage", severity: "error", message: "A" }], context);
  assert.deepEqual(context.printed, { stdout: "", stderr: "error[wrong_usage]: A\n" });
});

Deno.test("complainOfUsage gives the exit code 2", () => {
  const context = createTestContext();
  assert.equal(complainOfUsage({ message: "A", help: "b" }, context), 2);
  assert.equal(context.printed.stderr, "error[wrong_usage]: A\n  = help: b\n");
});
