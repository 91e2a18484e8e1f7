import assert from "node:assert/strict";
import { rulesWithOpener } from "../../../src/engine/rule/openers.ts";
import { noSettings, readRules } from "../../../src/engine/rule/read.ts";
import { offer } from "../../../src/engine/tool/offered.ts";

const { program } = readRules([[
  { file: "a.yaml", text: "rule: a\npattern: '<c {tool}>(?<body>…)</c>'\nbody: json\n" },
  { file: "b.yaml", text: "rule: b\npattern: '<c\\s(?={tool}>\\{)(?<body>…)</c>'\nbody: json\n" },
  { file: "line.yaml", text: "rule: line\npattern: '^call {tool}:(?<body>…);'\nbody: json\n" },
]], noSettings);
const openers = (text: string) => [...rulesWithOpener(program, text, offer([{ name: "f" }]))].sort();

Deno.test("rulesWithOpener finds every rule whose opener matches somewhere, also one that another rule beats", () => {
  assert.deepEqual(openers("text <c f>{}</c>"), ["a", "b"]);
  assert.deepEqual(openers("<c f>[]"), ["a"]);
  assert.deepEqual(openers("  call f: {};"), ["line"]);
  assert.deepEqual(openers("<c f and no more"), []);
});
