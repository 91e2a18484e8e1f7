import assert from "node:assert/strict";
import { join } from "node:path";
import { derive } from "../../src/cli/derive.ts";
import { createTestWorld } from "../support/world.ts";

const ANSWER = "Sure.\n@@invoke write_file\n@arg path = src/a.ts\n@arg content = let x = 1;\n@@end\n";
const TOOLS = [{
  type: "function",
  function: {
    name: "write_file",
    parameters: { type: "object", properties: { path: { type: "string" }, content: { type: "string" } } },
  },
}];

async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(join(folder, "answer.txt"), ANSWER);
    await Deno.writeTextFile(join(folder, "tools.json"), JSON.stringify(TOOLS));
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function run(folder: string, values: Readonly<Record<string, string | string[] | boolean>>) {
  const world = createTestWorld({ workingDirectory: folder });
  const code = await derive.run({ values, positionals: [] }, world);
  return { code, ...world.printed };
}

Deno.test("derive writes a rule that says how to go on, and never overwrites a file", async () => {
  await inFolder(async (folder) => {
    const values = { answers: ["answer.txt"], tools: "tools.json", name: "mine" };
    const first = await run(folder, values);
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stdout, /^Wrote mine\.yaml: \d+ examples pass/);
    assert.match(await Deno.readTextFile(join(folder, "mine.yaml")), /^rule: mine$/m);
    const second = await run(folder, values);
    assert.equal(second.code, 1);
    assert.match(second.stderr, /mine\.yaml already exists/);
  });
});

Deno.test("derive says why there is no rule", async () => {
  await inFolder(async (folder) => {
    const { code, stderr } = await run(folder, { answers: ["tools.json"], name: "mine" });
    assert.equal(code, 1);
    assert.match(stderr, /^No rule: The answers contain no offered tool/);
  });
});

Deno.test("derive without anything to derive from is a wrong command line", async () => {
  const { code, stderr } = await run(".", {});
  assert.equal(code, 2);
  assert.match(stderr, /--answers FILE/);
});
