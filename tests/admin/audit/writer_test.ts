import assert from "node:assert/strict";
import { type AuditDisk, type AuditTrouble, AuditWriter } from "../../../src/admin/audit/writer.ts";

/** A disk in memory whose troubles are switched on and off. */
function memoryDisk() {
  const state = { files: [""], isFull: false, hangs: undefined as Promise<void> | undefined };
  const disk: AuditDisk = {
    size: () => Promise.resolve(state.files[0]?.length ?? 0),
    async append(bytes) {
      await state.hangs;
      if (state.isFull) throw new Error("No space left on device");
      state.files[0] += new TextDecoder().decode(bytes);
    },
    rotate: () => Promise.resolve(void state.files.unshift("")),
  };
  return { state, disk };
}

Deno.test("AuditWriter writes lines in order and begins a new file at the size", async () => {
  const { state, disk } = memoryDisk();
  const writer = new AuditWriter({ disk, bytesMax: 10, report: () => assert.fail("no trouble") });
  for (const line of ["one", "two", "three", "four"]) {
    writer.write([line]);
    await writer.flush();
  }
  assert.deepEqual(state.files, ["four\n", "three\n", "one\ntwo\n"]);
});

Deno.test("AuditWriter tells of a full disk once, counts what is lost and goes on when there is room", async () => {
  const { state, disk } = memoryDisk();
  const told: AuditTrouble[] = [];
  const writer = new AuditWriter({ disk, bytesMax: 1000, report: (trouble) => told.push(trouble) });
  state.isFull = true;
  for (let line = 0; line < 50; line++) {
    writer.write([`line ${line}`]);
    await writer.flush();
  }
  assert.deepEqual(told, [{ kind: "failing", cause: "No space left on device" }]);
  state.isFull = false;
  writer.write(["again"]);
  await writer.flush();
  assert.deepEqual(told.slice(1), [{ kind: "working", lost: 50 }]);
  assert.equal(state.files[0], '{"v":1,"kind":"gap","lost":50}\nagain\n');
  assert.equal(writer.lost, 50);
});

Deno.test("AuditWriter never waits for a disk that hangs, and bounds what waits", async () => {
  const { state, disk } = memoryDisk();
  const release = Promise.withResolvers<void>();
  state.hangs = release.promise;
  const writer = new AuditWriter({ disk, bytesMax: 1e9, report: () => {}, queueCharactersMax: 100 });
  writer.write(["0123456789"]);
  // The disk has the first line when the others come.
  await new Promise((resolve) => setTimeout(resolve));
  for (let line = 1; line < 1000; line++) writer.write(["0123456789"]);
  assert.ok(writer.lost > 900, `${writer.lost} lost`);
  release.resolve();
  await writer.flush();
  const lines = state.files[0]?.trimEnd().split("\n") ?? [];
  assert.equal(lines.filter((line) => line === "0123456789").length, 1000 - writer.lost);
  // The log states every lost line, also those that were lost while the disk took others.
  writer.write(["later"]);
  await writer.flush();
  const gaps = state.files[0]?.matchAll(/"lost":(\d+)/g) ?? [];
  assert.equal([...gaps].reduce((sum, [, lost]) => sum + Number(lost), 0), writer.lost);
});

Deno.test("AuditWriter goes on after a write of nothing, and after a line that is too long", async () => {
  const { state, disk } = memoryDisk();
  const writer = new AuditWriter({ disk, bytesMax: 1e9, report: () => {}, queueCharactersMax: 10 });
  writer.write([]);
  writer.write(["a line that is too long"]);
  writer.write(["short"]);
  await writer.flush();
  assert.equal(state.files[0], '{"v":1,"kind":"gap","lost":1}\nshort\n');
});
