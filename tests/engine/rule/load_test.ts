import assert from "node:assert/strict";
import { BUILT_IN_RULES } from "../../../src/engine/rule/folder.ts";
import { loadRules } from "../../../src/engine/rule/load.ts";
import { noSettings } from "../../../src/engine/rule/read.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

const mine = "rule: mine\npattern: '<<mine {tool}>>(?<body>…)<</mine>>'\nbody: json\n";

Deno.test("loadRules finds the built-in rules, and once where they are also the user's folder", async () => {
  const options = { settings: noSettings, workingDirectory: Deno.cwd() };
  const { rules, diagnostics } = await loadRules({ ...options, folders: [] });
  assert.deepEqual(diagnostics, []);
  assert.ok(rules.length > 0);
  const again = await loadRules({ ...options, folders: [{ path: BUILT_IN_RULES, isRequired: false }] });
  assert.deepEqual(again.rules, rules);
});

Deno.test("loadRules takes texts that were read already, unless they lie in a folder", async () => {
  const folder = await temporaryFolder({ "mine.yaml": mine });
  const texts = [{ file: "mine.yaml", text: mine }, {
    file: "else/mine.yaml",
    text: mine + "confidence: 1\n",
  }];
  const folders = [{ path: folder, isRequired: true }];
  const loaded = await loadRules({ folders, texts, settings: noSettings, workingDirectory: folder });
  assert.deepEqual(loaded.diagnostics, []);
  assert.deepEqual(loaded.rules.filter(({ rule }) => rule === "mine").map(({ confidence }) => confidence), [
    1,
  ]);
});
