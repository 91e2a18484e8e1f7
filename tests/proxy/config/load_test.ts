import assert from "node:assert/strict";
import { join } from "node:path";
import { loadConfig, type LoadConfigFlags, ownRuleFolder } from "../../../src/proxy/config/load.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

async function load(files: Readonly<Record<string, string>>, flags: LoadConfigFlags = {}) {
  const workingDirectory = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    await Deno.mkdir(join(workingDirectory, name, ".."), { recursive: true });
    await Deno.writeTextFile(join(workingDirectory, name), text);
  }
  return {
    workingDirectory,
    ...await loadConfig({ flags, workingDirectory, readEnvironment: () => undefined }),
  };
}

Deno.test("loadConfig needs no file", async () => {
  const { config, diagnostics, path, ruleFolders, workingDirectory } = await load({});
  assert.deepEqual(diagnostics, []);
  assert.equal(config.listen.port, 8787);
  assert.equal(path, join(workingDirectory, "dragoman.yaml"));
  assert.deepEqual(ruleFolders, [{ path: join(workingDirectory, "rules"), isRequired: false }]);
});

Deno.test("loadConfig reads the user's own rules of a clone from another folder than the shipped ones", async () => {
  const workingDirectory = join(import.meta.dirname!, "..", "..", "..");
  const loaded = await loadConfig({
    flags: { config: "no_such_file.yaml" },
    workingDirectory,
    readEnvironment: () => undefined,
  });
  assert.deepEqual(loaded.ruleFolders, [{ path: join(workingDirectory, "my_rules"), isRequired: false }]);
  assert.equal(ownRuleFolder(loaded), join(workingDirectory, "my_rules"));
  assert.deepEqual(loaded.clientFolders.map(({ path }) => path), [
    join(workingDirectory, "my_rules", "clients"),
  ]);
});

Deno.test("loadConfig reads dragoman.yaml of the working directory", async () => {
  assert.equal((await load({ "dragoman.yaml": "listen: { port: 1 }" })).config.listen.port, 1);
});

Deno.test("loadConfig reports a missing file that was named", async () => {
  const { diagnostics } = await load({}, { config: "none.yaml" });
  assert.deepEqual(diagnostics.map(({ code }) => code), ["file_unreadable"]);
});

Deno.test("loadConfig starts folders of the file at the file, those of flags at the working directory", async () => {
  const files = { "deep/my.yaml": "rules:\n  folders: [mine]\n" };
  const loaded = await load(files, { config: "deep/my.yaml", rules: ["more"] });
  assert.deepEqual(
    loaded.ruleFolders.map(({ path, isRequired, location }) => [path, isRequired, location?.line]),
    [
      [join(loaded.workingDirectory, "deep", "mine"), true, 2],
      [join(loaded.workingDirectory, "more"), true, undefined],
    ],
  );
  assert.deepEqual(loaded.clientFolders.map(({ path }) => path), [
    join(loaded.workingDirectory, "deep", "rules", "clients"),
  ]);
});
