import assert from "node:assert/strict";
import { runCommandLine } from "../../src/cli/cli.ts";
import { BUILT_IN_PLUGINS } from "../../src/proxy/plugin/built_in.ts";
import { createTestContext } from "../support/context.ts";

async function run(...words: string[]) {
  const context = createTestContext();
  return { code: await runCommandLine(["plugins", ...words], context), ...context.printed };
}

Deno.test("plugins lists every shipped plugin with what it does and its options", async () => {
  const { code, stdout } = await run();
  assert.equal(code, 0);
  for (const name of Object.keys(BUILT_IN_PLUGINS)) assert.match(stdout, new RegExp(`^${name}: \\w`, "m"));
  assert.match(stdout, /^ {2}otherwise: deny or ask; default "deny"\n {6}\w/m);
});

Deno.test("plugins shows one plugin, and suggests a name", async () => {
  assert.match(
    (await run("call_policy")).stdout,
    /^call_policy: [^]*\n {2}deny: a list of texts; default \[\]\n/,
  );
  const { code, stderr } = await run("call_polcy");
  assert.equal(code, 2);
  assert.match(stderr, /did you mean `call_policy`/);
});
