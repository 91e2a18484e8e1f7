import assert from "node:assert/strict";
import { join } from "node:path";
import { auditFile } from "../../../src/cli/service/audit_file.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

Deno.test("auditFile grows at its end, keeps as many old files as wanted and only its owner reads it", async () => {
  const folder = await Deno.makeTempDir();
  try {
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
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
