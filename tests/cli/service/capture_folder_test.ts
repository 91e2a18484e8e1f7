import assert from "node:assert/strict";
import { join } from "node:path";
import type { Capture } from "../../../src/analysis/replay/capture.ts";
import { captureFolder } from "../../../src/cli/service/capture_folder.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

const capture = (index: number) =>
  ({
    time: `2026-01-01T00:00:0${index}.000Z`,
    request: "0123456789",
    text: "a\u009bb",
  }) as unknown as Capture;

Deno.test("captureFolder writes up to its limit, for its owner only, and reports the limit once", async () => {
  const folder = await temporaryFolder();
  const reports: string[] = [];
  const path = join(folder, "captures");
  const captures = captureFolder({ path, folder, report: (cause) => reports.push(cause), capturesMax: 2 });
  for (let index = 0; index < 5; index++) void captures.keep(capture(index));
  await captures.flush();
  assert.equal(await captures.keep(capture(9)), undefined);
  await captures.flush();
  const names = [...Deno.readDirSync(path)].map(({ name }) => name).sort();
  assert.deepEqual(names, [
    "2026-01-01T00-00-00.000Z_01234567.json",
    "2026-01-01T00-00-01.000Z_01234567.json",
  ]);
  assert.match(await Deno.readTextFile(join(path, names[0]!)), /a\\u009bb/);
  assert.equal(Deno.statSync(join(path, names[0]!)).mode! & 0o777, 0o600);
  assert.deepEqual(reports.map((report) => /limit for one run/.test(report)), [true]);
});
