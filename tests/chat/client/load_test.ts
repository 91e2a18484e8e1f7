import assert from "node:assert/strict";
import { join } from "node:path";
import { BUILT_IN_CLIENTS } from "../../../src/chat/client/folder.ts";
import { loadClients } from "../../../src/chat/client/load.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

const workingDirectory = Deno.cwd();

async function inFolder(
  files: Readonly<Record<string, string>>,
  run: (path: string) => Promise<void>,
): Promise<void> {
  const path = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) await Deno.writeTextFile(join(path, name), text);
  await run(path);
}

const SHIPPED = ["openai", "cline", "roo", "claude_code", "codex", "copilot_cli", "gemini_cli"];

Deno.test("loadClients finds the shipped clients in order of precedence", async () => {
  const { clients, diagnostics } = await loadClients({ folders: [], workingDirectory });
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(clients.map(({ client }) => client), SHIPPED);
});

Deno.test("loadClients reads the built-in folder once", async () => {
  const folders = [{ path: BUILT_IN_CLIENTS, isRequired: true }];
  const { clients, diagnostics } = await loadClients({ folders, workingDirectory });
  assert.deepEqual(diagnostics, []);
  assert.equal(clients.length, SHIPPED.length);
});

Deno.test("loadClients reports a folder that must exist, and clients that cannot be read", async () => {
  const missing = { path: join(workingDirectory, "no_such_folder"), isRequired: true };
  const { diagnostics } = await loadClients({ folders: [missing], workingDirectory });
  assert.deepEqual(diagnostics.map(({ code }) => code), ["file_unreadable"]);
  await inFolder({ "bad.yaml": "client: bad\n" }, async (path) => {
    const loaded = await loadClients({ folders: [{ path, isRequired: true }], workingDirectory });
    assert.deepEqual(loaded.diagnostics.map(({ code }) => code), ["missing_field"]);
    assert.equal(loaded.clients.length, SHIPPED.length);
  });
});
