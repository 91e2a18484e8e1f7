import assert from "node:assert/strict";
import { runCommandLine } from "../../src/cli/cli.ts";
import { createTestWorld } from "../support/world.ts";

Deno.test("completion prints the script of a shell, and suggests one for a misspelled name", async () => {
  const world = createTestWorld();
  assert.equal(await runCommandLine(["completion", "bash"], world), 0);
  assert.match(world.printed.stdout, /^_dragoman\(\) \{[^]*complete -o default -F _dragoman dragoman\n$/);
  assert.equal(await runCommandLine(["completion", "bsh"], world), 2);
  assert.match(world.printed.stderr, /Unknown shell `bsh`[^]*did you mean `bash`/);
});
