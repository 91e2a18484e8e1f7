import assert from "node:assert/strict";
import * as z from "zod";
import type { Location } from "../../../src/engine/diagnostic/diagnostic.ts";
import { readDocument } from "../../../src/engine/document/document.ts";

const schema = z.strictObject({
  name: z.string().describe("The name"),
  pattern: z.string().default("x"),
  size: z.number().min(0).max(1).default(0),
  kind: z.enum(["open", "closed"]).default("open"),
  list: z.array(z.strictObject({ path: z.string() })).default([]),
  target: z.union([z.string(), z.array(z.string())]).optional(),
});

function read(text: string) {
  return readDocument({ text, file: "a.yaml", schema });
}

function mark({ text, column, length }: Location): string {
  return text.slice(column - 1, column - 1 + length);
}

Deno.test("readDocument tells all mistakes at once, in the order of the file", () => {
  const { value, diagnostics } = read("size: 3\nkind: opne\ntarget: [a, 5]\nlist:\n  - pth: x\nnmae: x\n");
  assert.equal(value, undefined);
  assert.deepEqual(
    diagnostics.map(({ code, location, help }) => [code, location?.line, location && mark(location), help]),
    [
      ["wrong_value", 1, "3", undefined],
      ["wrong_value", 2, "opne", "did you mean `open`?"],
      ["wrong_type", 3, "5", undefined],
      ["unknown_field", 5, "pth", "did you mean `path`?"],
      ["unknown_field", 6, "nmae", "did you mean `name`?"],
    ],
  );
});

Deno.test("readDocument says what a field takes and what it is for", () => {
  const [diagnostic] = read("name: 5\n").diagnostics;
  assert.equal(diagnostic?.message, "`name` is a number");
  assert.equal(diagnostic?.expected, "a text");
  assert.equal(diagnostic?.help, "`name`: The name");
});

Deno.test("readDocument gives a schema's own check the code that was asked for", () => {
  const checked = z.strictObject({ a: z.string() }).superRefine((_, context) => {
    context.addIssue({
      code: "custom",
      path: ["a"],
      message: "Not this",
      params: { expected: "that", help: "write that" },
    });
  });
  const [diagnostic] = readDocument({ text: "a: x", file: "a.yaml", schema: checked, code: "field_conflict" })
    .diagnostics;
  assert.deepEqual(
    [diagnostic?.code, diagnostic?.message, diagnostic?.expected, diagnostic?.help],
    ["field_conflict", "Not this", "that", "write that"],
  );
});

Deno.test("readDocument never throws", () => {
  const texts = [
    "",
    "- a",
    "5",
    "a: *b",
    "&a [*a, *a]",
    "a: !x y",
    "? [a]\n: b",
    "\t a",
    "a: 'x",
    "--- a\n--- b",
    "{",
    "%",
  ];
  const bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n" +
    Array.from({ length: 6 }, (_, i) => {
      const [from, to] = [String.fromCharCode(97 + i), String.fromCharCode(98 + i)];
      return `${to}: &${to} [*${from},*${from},*${from},*${from},*${from},*${from},*${from},*${from},*${from}]`;
    }).join("\n");
  for (const text of [...texts, bomb]) {
    assert.ok(read(text).diagnostics.some(({ severity }) => severity === "error"), text.slice(0, 20));
  }
});

Deno.test("readDocument locates a character inside a text, behind quotes and escapes", () => {
  const document = read(`name: 'it''s $ here'\npattern: |\n    first\n    sec$nd\n`);
  const quoted = document.locate(["name"], 5, 1);
  assert.deepEqual([quoted.line, quoted.column, mark(quoted)], [1, 14, "$"]);
  const block = document.locate(["pattern"], 9, 3);
  assert.deepEqual([block.line, block.column, mark(block)], [4, 8, "$nd"]);
});

Deno.test("readDocument locates keys, values, and the nearest place of what is not there", () => {
  const document = read("name: x\nlist:\n  - path: y\n");
  assert.equal(mark(document.locate(["name"])), "x");
  assert.equal(mark(document.locateKey(["name"])), "name");
  assert.equal(mark(document.locateKey(["list", 0])), "path");
  assert.equal(mark(document.locate(["list", 0, "path"])), "y");
  assert.equal(mark(document.locate(["size"])), "name");
  assert.equal(document.locate(["list", 7, "path"]).line, 2);
  assert.deepEqual([document.has(["list", 0]), document.has(["list", 1]), document.has(["size"])], [
    true,
    false,
    false,
  ]);
});

Deno.test("readDocument gives what is right of a wrong document, for further checks only", () => {
  const { value, partial } = read("name: x\npattern: y\nsize: big\nlist: [5]\n");
  assert.equal(value, undefined);
  assert.deepEqual([partial?.pattern, partial?.size, partial?.list], ["y", 0, []]);
  assert.equal(read("pattern: y\n").partial, undefined);
});
