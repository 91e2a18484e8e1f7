import assert from "node:assert/strict";
import { readPlainYaml } from "../../../src/engine/document/plain_yaml.ts";
import { readYamlFolder } from "../../../src/engine/document/load.ts";
import { parseTree } from "../../../src/engine/document/yaml_tree.ts";
import { SHIPPED_RULES } from "../../../src/engine/rule/folder.ts";

const READ: readonly (readonly [yaml: string, value: unknown])[] = [
  ["a: b c\nd: 'it''s' # a comment\n", { a: "b c", d: "it's" }],
  ["# a comment\na: # another\n\n", undefined],
  ["a: true\nb: -1.5\nc: Yes\nd: 007\n", undefined],
  ["a: true\nb: -1.5\nc: Yes\n", { a: true, b: -1.5, c: "Yes" }],
  ['a: "\\u00e9\\n"\n', { a: "é\n" }],
  ['a: "\\x41"\n', undefined],
  ["a:\n- b\n- c: d\n  e:\n    f: g\n", { a: ["b", { c: "d", e: { f: "g" } }] }],
  ["a: |\n  b\n\n    c\n\nd: |-\n   e\n", { a: "b\n\n  c\n", d: "e" }],
  ["a: >\n  b\n", undefined],
  ["a: [b, 'c', { d: e, \"f g\": [1] }, [], {}]\n", { a: ["b", "c", { d: "e", "f g": [1] }, [], {}] }],
  ["a: [b,]\n", undefined],
  ["a: b\n  c\n", undefined],
  ["a: b\n c: d\n", undefined],
  ["a: b\na: c\n", undefined],
  ["a: { b: c, b: d }\n", undefined],
  ["a: b: c\n", undefined],
  ["a: &x b\nc: *x\n", undefined],
  ["a: null\n", undefined],
  ["a:\tb\n", undefined],
  ["a: b\r\n", undefined],
  ["a: b", undefined],
  [`a: ${"[".repeat(10_000)}\n`, undefined],
];

for (const [yaml, value] of READ) {
  const what = value === undefined ? "leaves to the parser" : "reads";
  Deno.test(`readPlainYaml ${what} ${JSON.stringify(yaml.slice(0, 60))}`, () => {
    assert.deepEqual(readPlainYaml(yaml), value === undefined ? undefined : { value });
    if (value !== undefined) assert.deepEqual(parseTree({ text: yaml, file: "a.yaml" }).plain, { value });
  });
}

Deno.test("readPlainYaml reads most shipped rules", async () => {
  const { files } = await readYamlFolder(SHIPPED_RULES, { workingDirectory: "/" });
  const read = files.filter(({ text }) => readPlainYaml(text) !== undefined);
  assert.ok(read.length > files.length * 0.8, `${read.length} of ${files.length}`);
});
