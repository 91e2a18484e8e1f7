import assert from "node:assert/strict";
import { complain, complainOfUsage } from "../../src/cli/complain.ts";
import { createTestContext } from "../support/context.ts";

Deno.test("complain prints diagnostics on the standard error only", () => {
  const world = createTestContext();
  complain([{ code: "wrong_usage", severity: "error", message: "A" }], world);
  assert.deepEqual(world.printed, { stdout: "", stderr: "error[wrong_usage]: A\n" });
});

Deno.test("complainOfUsage gives the exit code 2", () => {
  const world = createTestContext();
  assert.equal(complainOfUsage({ message: "A", help: "b" }, world), 2);
  assert.equal(world.printed.stderr, "error[wrong_usage]: A\n  = help: b\n");
});
