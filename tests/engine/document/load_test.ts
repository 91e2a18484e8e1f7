import assert from "node:assert/strict";
import { join } from "node:path";
import {
  readTextFile,
  readYamlFolder,
  readYamlFolders,
  shownPath,
} from "../../../src/engine/document/load.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

Deno.test("readYamlFolder reads the YAML files in the order of their names, not those of folders in it", async () => {
  const folder = await temporaryFolder();
  await Deno.mkdir(join(folder, "inner.yaml"));
  for (const name of ["b.yaml", "a.yml", "c.json"]) await Deno.writeTextFile(join(folder, name), name);
  const options = { workingDirectory: folder };
  const { files, diagnostics } = await readYamlFolder({ path: folder, isRequired: true }, options);
  assert.deepEqual(files, [{ file: "a.yml", text: "a.yml" }, { file: "b.yaml", text: "b.yaml" }]);
  assert.deepEqual(diagnostics.map(({ message }) => message), ["Skipped inner.yaml: it is a folder"]);
});

Deno.test("readYamlFolder reads the parts of a folder, and of no other folder in it", async () => {
  const folder = await temporaryFolder();
  for (const part of ["inner", "other"]) {
    await Deno.mkdir(join(folder, part));
    await Deno.writeTextFile(join(folder, part, "b.yaml"), part);
  }
  await Deno.writeTextFile(join(folder, "a.yaml"), "a");
  const { files } = await readYamlFolder({ path: folder, isRequired: true, parts: ["inner"] }, {
    workingDirectory: folder,
  });
  assert.deepEqual(files, [{ file: "a.yaml", text: "a" }, { file: "inner/b.yaml", text: "inner" }]);
});

Deno.test({
  name:
    "readYamlFolder skips pipes, folders and links that lead out or nowhere, with a note, and never waits",
  ignore: Deno.build.os === "windows",
  async fn() {
    const folder = await temporaryFolder();
    const path = join(folder, "rules");
    await Deno.mkdir(join(path, "..data"), { recursive: true });
    await Deno.writeTextFile(join(folder, "secret.yaml"), "out");
    await Deno.writeTextFile(join(path, "..data", "map.yaml"), "in");
    await new Deno.Command("mkfifo", { args: [join(path, "pipe.yaml")] }).output();
    await Deno.symlink("../secret.yaml", join(path, "out.yaml"));
    await Deno.symlink("nowhere", join(path, "dead.yaml"));
    await Deno.symlink("loop.yaml", join(path, "loop.yaml"));
    await Deno.symlink("/dev/zero", join(path, "endless.yaml"));
    await Deno.symlink("pipe.yaml", join(path, "to_pipe.yaml"));
    await Deno.symlink("..data/map.yaml", join(path, "map.yaml"));
    const { files, diagnostics } = await readYamlFolder({ path, isRequired: true }, {
      workingDirectory: path,
    });
    assert.deepEqual(files, [{ file: "map.yaml", text: "in" }]);
    assert.deepEqual(diagnostics.map(({ message, severity }) => `${severity}: ${message}`).sort(), [
      "warning: Skipped dead.yaml: it is a broken link",
      "warning: Skipped endless.yaml: it is a link that points outside its folder",
      "warning: Skipped loop.yaml: it is a broken link",
      "warning: Skipped out.yaml: it is a link that points outside its folder",
      "warning: Skipped pipe.yaml: it is not a regular file",
      "warning: Skipped to_pipe.yaml: it is not a regular file",
    ]);
  },
});

Deno.test("readYamlFolder complains of a missing folder only where it is required", async () => {
  const folder = await temporaryFolder();
  const path = join(folder, "none");
  const options = { workingDirectory: folder };
  assert.deepEqual((await readYamlFolder({ path, isRequired: false }, options)).diagnostics, []);
  const { diagnostics } = await readYamlFolder({ path, isRequired: true }, options);
  assert.deepEqual(diagnostics.map(({ code, message }) => [code, message]), [
    ["file_unreadable", "Cannot read folder none: it does not exist"],
  ]);
});

Deno.test("readTextFile says why a file cannot be read", async () => {
  const folder = await temporaryFolder();
  await Deno.writeFile(join(folder, "bytes.yaml"), new Uint8Array([0x61, 0xff, 0xfe]));
  const options = { workingDirectory: folder };
  const cases: [string, string][] = [
    ["none.yaml", "Cannot read file none.yaml: it does not exist"],
    ["bytes.yaml", "Cannot read file bytes.yaml: it is not UTF-8 text"],
  ];
  for (const [name, message] of cases) {
    const { files, diagnostics } = await readTextFile(join(folder, name), options);
    assert.deepEqual([files, diagnostics.map((found) => found.message)], [[], [message]]);
  }
});

Deno.test("shownPath is relative below the working directory and absolute elsewhere", () => {
  const options = { workingDirectory: join("/", "home", "me") };
  assert.equal(shownPath(join("/", "home", "me", "rules", "a.yaml"), options), "rules/a.yaml");
  assert.equal(shownPath(join("/", "etc", "a.yaml"), options), join("/", "etc", "a.yaml"));
});

Deno.test("readYamlFolders reads a folder that is named twice once", async () => {
  const folder = await temporaryFolder();
  await Deno.writeTextFile(join(folder, "a.yaml"), "a");
  await Deno.symlink(folder, join(folder, "again"));
  const folders = ["", "again", "none"].map((name) => ({ path: join(folder, name), isRequired: false }));
  const read = await readYamlFolders(folders, { workingDirectory: folder });
  assert.deepEqual(read, { folders: [[{ file: "a.yaml", text: "a" }], []], diagnostics: [] });
});
