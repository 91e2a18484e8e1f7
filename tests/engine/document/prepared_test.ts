import assert from "node:assert/strict";
import { BUILT_IN_CLIENTS } from "../../../src/chat/client/folder.ts";
import { readYamlFolder } from "../../../src/engine/document/load.ts";
import { writePrepared } from "../../../src/engine/document/prepare.ts";
import { withPrepared } from "../../../src/engine/document/prepared.ts";
import { parseTree } from "../../../src/engine/document/yaml_tree.ts";
import { SHIPPED_RULES } from "../../../src/engine/rule/folder.ts";

const one = { file: "one.yaml", text: "name: one\nlist: [1, 'two', null]\n" };
const two = { file: "two.yaml", text: "name: two\n" };

Deno.test("withPrepared adds the values that writePrepared wrote", () => {
  assert.deepEqual(withPrepared([one, two], writePrepared([one, two])), [
    { ...one, known: { name: "one", list: [1, "two", null] } },
    { ...two, known: { name: "two" } },
  ]);
});

Deno.test("withPrepared adds nothing to a file whose text has changed", () => {
  const json = writePrepared([one, two]);
  const edited = { ...one, text: `${one.text}# a comment\n` };
  assert.deepEqual(withPrepared([edited, two], json), [edited, { ...two, known: { name: "two" } }]);
});

Deno.test("withPrepared adds nothing if the JSON cannot be read", () => {
  const json = writePrepared([one]);
  for (const broken of ["", "[]", "null", json.slice(0, -5), `<<<<<<< ours\n${json}`]) {
    assert.deepEqual(withPrepared([one], broken), [one], broken);
  }
});

Deno.test("the prepared values of the shipped files are those of their YAML", async () => {
  const clients = { path: BUILT_IN_CLIENTS, isRequired: true, isPrepared: true };
  for (const folder of [SHIPPED_RULES, clients]) {
    const { files } = await readYamlFolder(folder, { workingDirectory: folder.path });
    assert(files.length > 0);
    for (const { known, ...file } of files) assert.deepEqual(known, parseTree(file).plain?.value, file.file);
  }
});
