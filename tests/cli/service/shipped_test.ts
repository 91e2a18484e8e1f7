import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { loadShipped } from "../../../src/cli/service/shipped.ts";
import { createTestWorld } from "../../support/world.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

const RULE = "rule: mine\npattern: '<mine {tool}>(?<body>…)</mine>'\nbody: json\n";

const SHIPPED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "no file": {},
  "an upstream": { "dragoman.yaml": "upstreams: [{ name: a, url: http://127.0.0.1:9/v1 }]\n" },
  "a folder without rules": { "rules/notes.txt": "nothing" },
};

const OWN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "an error": { "dragoman.yaml": "upstreams: 5\n" },
  "a rule": { "rules/mine.yaml": RULE },
  "a client": { "rules/clients/mine.yaml": "client: mine\nwrites: tool_calls\n" },
  "a folder that does not exist": { "dragoman.yaml": "rules: { folders: [none] }\n" },
  "a rule by name": { "dragoman.yaml": "rules: { enable: [shell_block] }\n" },
  "a confidence": { "dragoman.yaml": "rules: { confidence: { shell_block: 1 } }\n" },
  "rules of a model": { "dragoman.yaml": "models: { m: { rules: [qwen_xml] } }\n" },
  "a plugin": { "dragoman.yaml": "plugins: [strict_validation]\n" },
  "an audit log": { "dragoman.yaml": "audit: { file: audit.jsonl }\n" },
};

async function isShipped(files: Readonly<Record<string, string>>): Promise<boolean> {
  const workingDirectory = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    const path = join(workingDirectory, name);
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, text);
  }
  return await loadShipped({}, createTestWorld({ workingDirectory })) !== undefined;
}

Deno.test("loadShipped gives a configuration that names nothing of the user's own", async () => {
  for (const [name, files] of Object.entries(SHIPPED)) assert.equal(await isShipped(files), true, name);
});

Deno.test("loadShipped gives nothing if something has to be checked first", async () => {
  for (const [name, files] of Object.entries(OWN)) assert.equal(await isShipped(files), false, name);
});
