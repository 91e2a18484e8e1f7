import assert from "node:assert/strict";
import { join } from "node:path";
import { readRecording } from "../../src/cli/recording.ts";
import type { VerbInput } from "../../src/cli/verb.ts";
import { createTestContext } from "../support/context.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

async function read(files: Readonly<Record<string, string>>, input: Partial<VerbInput>) {
  const workingDirectory = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(join(workingDirectory, name), text);
  }
  const context = createTestContext({ workingDirectory, stdin: "from stdin" });
  const recording = await readRecording({ values: {}, positionals: [], ...input }, context);
  return { recording, ...context.printed };
}

Deno.test("readRecording reads the standard input or a file", async () => {
  for (const positionals of [[], ["-"]]) {
    const { recording } = await read({}, { positionals });
    assert.ok("text" in recording && recording.text === "from stdin");
  }
  const { recording } = await read({ "a.txt": "from file" }, { positionals: ["a.txt"] });
  assert.ok("text" in recording && recording.text === "from file");
});

for (
  const [title, files, input, code, stderr] of [
    ["a missing file", {}, { positionals: ["a.txt"] }, 1, "Cannot read file a.txt: it does not exist"],
    ["missing tools", {}, { values: { tools: "t.json" } }, 1, "Cannot read file t.json"],
    ["wrong tools", { "t.json": "{" }, { values: { tools: "t.json" } }, 1, "Cannot read tools from t.json"],
    ["a missing prompt", {}, { values: { system: "s" } }, 1, "Cannot read file s"],
    ["an unknown client", {}, { values: { client: "roi" } }, 2, "did you mean `roo`?"],
    ["a wrong configuration", { "dragoman.yaml": "boo: 1" }, {}, 1, "dragoman.yaml:1:1"],
  ] as const
) {
  Deno.test(`readRecording with ${title} says so and ends with ${code}`, async () => {
    const { recording, stderr: printed } = await read(files, input);
    assert.deepEqual(recording, { exitCode: code });
    assert.ok(printed.includes(stderr), printed);
  });
}
