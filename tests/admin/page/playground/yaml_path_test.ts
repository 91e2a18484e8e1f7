import assert from "node:assert/strict";
import { yamlPlace } from "../../../../src/admin/page/playground/yaml_path.ts";

/** The place of the cursor `|` in a text. */
function place(marked: string) {
  const cursor = marked.indexOf("|");
  const found = yamlPlace(marked.slice(0, cursor) + marked.slice(cursor + 1), cursor);
  return found && [found.path.join("."), found.isValue, cursor - found.from];
}

Deno.test("yamlPlace finds the mapping of a key and the field of a value", () => {
  for (
    const [text, expected] of [
      ["|", ["", false, 0]],
      ["rule: a\npat|", ["", false, 3]],
      ["rule: a\nbody: ta|", ["body", true, 2]],
      ["envelope:\n  na|", ["envelope", false, 2]],
      ["envelope:\n  name: [x]\n\n  # a comment\n  keyed: |", ["envelope.keyed", true, 0]],
      ["examples:\n  - na|", ["examples.0", false, 2]],
      ["examples:\n- na|", ["examples.0", false, 2]],
      ["examples:\n  - name: a\n    off|", ["examples.0", false, 3]],
      ["examples:\n- name: a\n  off|", ["examples.0", false, 3]],
      ["examples:\n  - name: a\n    input: x\n  - na|", ["examples.0", false, 2]],
      ["examples:\n  - name: a\nunt|", ["", false, 3]],
      ["examples:\n  - name: a\n    offered:\n      f: |", ["examples.0.offered.f", true, 0]],
    ] as const
  ) assert.deepEqual(place(text), expected, text);
});
