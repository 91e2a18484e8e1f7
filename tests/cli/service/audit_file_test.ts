import assert from "node:assert/strict";
import { join } from "node:path";
import { auditFile, wrongOldFiles } from "../../../src/cli/service/audit_file.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

Deno.test("auditFile grows at its end, keeps as many old files as wanted and only its owner reads it", async () => {
  const folder = await temporaryFolder();
  const path = join(folder, "log", "audit.jsonl");
  const disk = auditFile({ path, keep: 2 });
  assert.equal(await disk.size(), 0);
  for (let number = 0; number < 4; number++) {
    await disk.append(bytesOf(`${number}a\n`));
    await disk.append(bytesOf(`${number}b\n`));
    assert.equal(await disk.size(), 6);
    if (number < 3) await disk.rotate();
  }
  const read = (name: string) => Deno.readTextFile(join(folder, "log", name));
  assert.deepEqual(
    [await read("audit.jsonl"), await read("audit.jsonl.1"), await read("audit.jsonl.2")],
    ["3a\n3b\n", "2a\n2b\n", "1a\n1b\n"],
  );
  assert.equal((await Array.fromAsync(Deno.readDir(join(folder, "log")))).length, 3);
  if (Deno.build.os !== "windows") assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
});

/** A folder with a log, and another one with a file that no one may touch. */
async function withFolders(run: (folder: string, outside: string) => Promise<void>): Promise<void> {
  const root = await temporaryFolder();
  const folder = join(root, "log");
  const outside = join(root, "outside");
  await Deno.mkdir(folder);
  await Deno.writeTextFile(outside, "precious");
  await run(folder, outside);
  assert.equal(await Deno.readTextFile(outside), "precious");
}

Deno.test("auditFile follows no link in the place of an old file, and keeps every line", async () => {
  for (const [number, keep] of [[1, 1], [1, 3], [2, 3], [3, 3]] as const) {
    await withFolders(async (folder, outside) => {
      const path = join(folder, "audit.jsonl");
      await Deno.symlink(outside, `${path}.${number}`);
      assert.match(
        (await wrongOldFiles({ path, keep })).join(),
        new RegExp(`\\.${number} is a link to .*outside$`),
      );
      const removed: string[] = [];
      const disk = auditFile({ path, keep, removed: (link) => void removed.push(link) });
      for (const line of ["a\n", "b\n", "c\n", "d\n"]) {
        await disk.append(bytesOf(line));
        if (line !== "d\n") await disk.rotate();
      }
      const names = [path, ...Array.from({ length: keep }, (_, index) => `${path}.${index + 1}`)];
      const kept = await Promise.all(names.map((name) => Deno.readTextFile(name)));
      assert.deepEqual(kept, ["d\n", "c\n", "b\n", "a\n"].slice(0, keep + 1));
      assert.deepEqual(await wrongOldFiles({ path, keep }), []);
      // The last of the old files is replaced by the one before.
      assert.deepEqual(removed, number === keep ? [] : [`${path}.${number}`]);
    });
  }
});

Deno.test("auditFile loses nothing if the log is a link to the place of an old file", async () => {
  await withFolders(async (folder) => {
    const path = join(folder, "audit.jsonl");
    await Deno.symlink("audit.jsonl.1", path);
    await Deno.writeTextFile(`${path}.1`, "");
    const disk = auditFile({ path, keep: 2 });
    await disk.append(bytesOf("a\n"));
    await disk.rotate();
    await disk.append(bytesOf("b\n"));
    assert.deepEqual([await Deno.readTextFile(`${path}.1`), await Deno.readTextFile(path)], ["a\n", "b\n"]);
  });
});
