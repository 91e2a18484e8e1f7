import assert from "node:assert/strict";
import { createSource } from "../../../src/engine/document/source.ts";

Deno.test("createSource locates offsets by line and column", () => {
  const source = createSource("a.yaml", "ab\r\ncd\n\ne");
  const cases: [number, number, number, number, string][] = [
    [0, 1, 1, 1, "ab"],
    [1, 9, 1, 2, "ab"],
    [4, 2, 2, 1, "cd"],
    [7, 1, 3, 1, ""],
    [8, 1, 4, 1, "e"],
    [9, 1, 4, 2, "e"],
    [99, 1, 4, 2, "e"],
  ];
  for (const [offset, length, line, column, text] of cases) {
    const found = source.locate(offset, length);
    assert.deepEqual([found.line, found.column, found.text], [line, column, text], `offset ${offset}`);
  }
});

Deno.test("createSource never marks beyond the line", () => {
  assert.equal(createSource("a.yaml", "abc\ndef").locate(1, 100).length, 2);
  assert.equal(createSource("a.yaml", "abc\ndef").locate(3, 100).length, 1);
});
