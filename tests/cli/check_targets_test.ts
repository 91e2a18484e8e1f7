import assert from "node:assert/strict";
import { join } from "node:path";
import { readTargets } from "../../src/cli/check_targets.ts";
import { createTestContext } from "../support/context.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const mine = "rule: mine\npattern: '<<mine {tool}>>(?<body>…)<</mine>>'\nbody: json\n";

async function read(
  files: Readonly<Record<string, string>>,
  positionals: readonly string[],
  values: Readonly<Record<string, boolean>> = {},
) {
  const workingDirectory = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(join(workingDirectory, name), text);
  }
  return await readTargets({ values, positionals }, createTestContext({ workingDirectory }));
}

Deno.test("readTargets without a path takes every client, and built-in rules as they were shipped only if told to", async () => {
  const plain = await read({}, []);
  assert.ok(!plain.rules.rules.some(plain.isTarget) && plain.unchangedCount === plain.rules.rules.length);
  const { rules, isTarget, clientCount, diagnostics } = await read({}, [], { shipped: true });
  assert.ok(rules.rules.length > 0 && rules.rules.every(isTarget));
  assert.ok(clientCount > 0);
  assert.deepEqual(diagnostics.filter(({ severity }) => severity === "error"), []);
});

Deno.test("readTargets of a file reads it with the built-in rules, but asks only for its own", async () => {
  const { rules, isTarget, clientCount } = await read({ "mine.yaml": mine }, ["mine.yaml"]);
  assert.deepEqual(rules.rules.filter(isTarget).map(({ rule }) => rule), ["mine"]);
  assert.ok(rules.rules.length > 1);
  assert.equal(clientCount, 0);
});

Deno.test("readTargets tells rules, clients and configurations apart by their keys", async () => {
  const files = {
    "mine.yaml": mine,
    "other.yaml": "client: other\nwrites: tool_calls\n",
    "any.yaml": "listen: { prot: 1 }\n",
    "none.yaml": "description: nothing\n",
  };
  const { rules, isTarget, clientCount, diagnostics } = await read(files, ["."]);
  assert.deepEqual(rules.rules.filter(isTarget).map(({ rule }) => rule), ["mine"]);
  assert.equal(clientCount, 1);
  assert.deepEqual(diagnostics.map(({ code, location }) => [code, location?.file]), [
    ["unknown_field", "any.yaml"],
    ["missing_field", "none.yaml"],
    ["missing_field", "none.yaml"],
  ]);
});
