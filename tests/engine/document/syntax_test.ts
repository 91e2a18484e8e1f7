import assert from "node:assert/strict";
import * as z from "zod";
import { readDocument } from "../../../src/engine/document/document.ts";

function first(text: string) {
  const [diagnostic] =
    readDocument({ text, file: "a.yaml", schema: z.record(z.string(), z.unknown()) }).diagnostics;
  return diagnostic;
}

Deno.test("describeSyntax points at the second of two equal keys", () => {
  const found = first("a: 1\nb: 2\na: 3\n");
  assert.deepEqual([found?.code, found?.message], ["yaml_syntax", "Field `a` occurs twice"]);
  assert.deepEqual([found?.location?.line, found?.location?.column], [3, 1]);
});

Deno.test("describeSyntax points at the beginning of what is not closed", () => {
  const cases: [string, number, number][] = [
    ["a: 'x\nb: 1\n", 1, 4],
    ["a: 1\nb: [1, 2\n", 2, 4],
    ['a: {"b": 1\n', 1, 4],
  ];
  for (const [text, line, column] of cases) {
    const found = first(text);
    assert.deepEqual([found?.location?.line, found?.location?.column], [line, column], text);
  }
});

Deno.test("describeSyntax shows how to fix a tab", () => {
  assert.equal(first("a:\n\tb: 1\n")?.help, "indent with spaces");
});
