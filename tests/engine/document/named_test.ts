import assert from "node:assert/strict";
import * as z from "zod";
import { readNamed } from "../../../src/engine/document/named.ts";

const schema = z.strictObject({ rule: z.string(), size: z.number().default(1) });

Deno.test("readNamed keeps the first of two names, and reports every wrong name", () => {
  const { found, partial, diagnostics } = readNamed([
    { file: "rules/one.yaml", text: "rule: one\n" },
    { file: "rules/two.yaml", text: "rule: one\nsize: 2\n" },
    { file: "rules\\three.yml", text: "rule: four\n" },
    { file: "five.yaml", text: "rule: five\nsize: large\n" },
  ], { kind: "rule", schema });
  assert.deepEqual([...found].map(([name, { value }]) => [name, value]), [
    ["one", { rule: "one", size: 1 }],
    ["four", { rule: "four", size: 1 }],
  ]);
  assert.deepEqual(partial.map(({ value }) => value), [{ rule: "five", size: 1 }]);
  assert.deepEqual(diagnostics.map(({ code, location, help }) => [code, location?.file, help]), [
    ["duplicate_rule", "rules/two.yaml", "rename this rule or the one at rules/one.yaml:1"],
    ["rule_name", "rules\\three.yml", "rename the file to four.yaml, or the rule"],
    ["wrong_type", "five.yaml", undefined],
  ]);
});

Deno.test("readNamed reads a file once, and again by another schema or with another text", () => {
  const file = { file: "one.yaml", text: "rule: one\n" };
  const [schema, other] = [0, 1].map(() => z.object({ rule: z.string() }));
  const documentOf = (schema: z.ZodType<{ rule: string }>, read = file) =>
    readNamed([read], { kind: "rule", schema }).found.get("one")?.document;
  assert.equal(documentOf(schema!), documentOf(schema!));
  assert.notEqual(documentOf(schema!), documentOf(other!));
  const known = documentOf(schema!);
  assert.equal(documentOf(schema!, { ...file }), known);
  assert.notEqual(documentOf(schema!, { ...file, text: "rule: one\n\n" }), known);
});
