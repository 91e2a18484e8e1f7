import assert from "node:assert/strict";
import { TableHeads } from "../../../src/engine/scan/table_heads.ts";

Deno.test("TableHeads decides at the end of the next line", () => {
  const heads = new TableHeads();
  const head = heads.watch();
  heads.endLine("paragraph");
  const row = heads.watch();
  assert.deepEqual([head.outcome, row.outcome], ["open", "open"]);
  heads.endLine("table");
  assert.deepEqual([head.outcome, row.outcome], ["closed", "open"]);
  heads.endLine("none");
  assert.deepEqual([head.outcome, row.outcome], ["closed", "literal"]);
});

Deno.test("TableHeads treats the last line as text, and discards lines that are read again", () => {
  const heads = new TableHeads();
  const last = heads.watch();
  heads.end();
  assert.equal(last.outcome, "literal");
  const forgotten = heads.watch();
  heads.forget();
  heads.end();
  assert.equal(forgotten.outcome, "open");
});
