import assert from "node:assert/strict";
import { writePrepared } from "../../../src/engine/document/prepare.ts";
import { parseTree } from "../../../src/engine/document/yaml_tree.ts";

const one = { file: "one.yaml", text: "name: one\nlist: [1, 'two', null]\n" };

Deno.test("writePrepared leaves out files with errors or warnings", () => {
  const texts = ["name: [", "name: 1\nname: 2\n", "name: !mine x\n"];
  const wrong = texts.map((text, index) => ({ file: `${index}.yaml`, text }));
  const json = writePrepared([one, ...wrong]);
  assert.deepEqual(Object.values(JSON.parse(json)), [parseTree(one).plain?.value]);
});
