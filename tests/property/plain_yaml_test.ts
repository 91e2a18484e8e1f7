/** What `readPlainYaml` reads, the YAML parser reads alike and without an error: changed rules, and random pieces of YAML. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { readYamlFolder } from "../../src/engine/document/load.ts";
import { readPlainYaml } from "../../src/engine/document/plain_yaml.ts";
import { parseTree } from "../../src/engine/document/yaml_tree.ts";
import { SHIPPED_RULES } from "../../src/engine/rule/folder.ts";
import { runs } from "../support/fuzz.ts";

const PIECES = [
  ..."\n|\n  |\n    |\n- |\n  - |  | |: |:|- |-|#| # x|>|'|\"|[|]|{|}|,|, |&a |*a|!t |? |key|a: b|null|true"
    .split("|"),
  ...[
    "|",
    " |\n",
    " |-\n",
    "|2\n",
    "|+\n",
    "~",
    "1",
    "1.5",
    "0x1",
    "01",
    "1e3",
    ".5",
    "\\",
    "\\n",
    "\\x41",
    "\\u0041",
  ],
  ...[
    "---\n",
    "...\n",
    "%",
    "@",
    "`",
    "é",
    "<<: ",
    "__proto__: a\n",
    "\t",
    "\r",
    "  a b  ",
    "{ a: 'x', b: \"y\" }",
  ],
];

const SMALL = [
  "rule: a\nexamples:\n  - name: one\n    calls: [{ tool: x, arguments: { path: a.txt } }]\n",
  "untouched:\n  - name: t\n    input: |-\n      <a>\n        b\n\n      c\nd: e\n",
  "a: b\nc:\n  d: 'e' # f\n  f: [g, 'h']\n",
  "a:\n- b\n- c: d\n  e: 1\n",
  'a: |\n  text\n\nb: |-\n    # not\n   \n    x\nc: "q\\n"\n',
];

const { files } = await readYamlFolder(SHIPPED_RULES, { workingDirectory: "/" });
const RULES = files.map(({ text }) => text).filter((text) => text.length < 3_000);

/** A change of a text: where, how many characters leave, and what comes. */
const change = fc.tuple(fc.nat(), fc.nat(5), fc.constantFrom("", ...PIECES));
const changed = fc.tuple(
  fc.oneof(fc.constantFrom(...SMALL), fc.constantFrom(...RULES)),
  fc.array(change, { maxLength: 3 }),
).map(([text, changes]) =>
  changes.reduce((rest, [at, length, piece]) => {
    const begin = at % (rest.length + 1);
    return rest.slice(0, begin) + piece + rest.slice(begin + length);
  }, text)
);
const random = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) =>
  `${pieces.join("")}\n`
);

Deno.test("readPlainYaml gives the parser's value, and none if the parser has anything to report", () => {
  let read = 0;
  fc.assert(
    fc.property(fc.oneof(changed, random), (text) => {
      const plain = readPlainYaml(text);
      if (plain === undefined) return;
      read++;
      const { plain: parsed, diagnostics } = parseTree({ text, file: "a.yaml" });
      assert.deepEqual([parsed, diagnostics], [plain, []]);
    }),
    runs(20_000),
  );
  assert.ok(read > 100, `${read} texts are plain`);
});
