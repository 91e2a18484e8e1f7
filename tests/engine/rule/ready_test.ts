import assert from "node:assert/strict";
import { readYamlFolder } from "../../../src/engine/document/load.ts";
import { BUILT_IN_RULES, SHIPPED_RULES } from "../../../src/engine/rule/folder.ts";
import { loadRules } from "../../../src/engine/rule/load.ts";
import { noSettings, readRules, type RuleSettings } from "../../../src/engine/rule/read.ts";
import { COMPILED_FILE, readReady, READY_FILE, readyProgram } from "../../../src/engine/rule/ready.ts";
import { sampled } from "../../support/fuzz.ts";

const read = (name: string) => Deno.readTextFile(`${BUILT_IN_RULES}/${name}`);
const shipped = { ready: await read(READY_FILE), compiled: await read(COMPILED_FILE) };
const { files } = await readYamlFolder(SHIPPED_RULES, { workingDirectory: BUILT_IN_RULES });

function readyFor(settings: RuleSettings, texts = files) {
  const found = readReady(texts, shipped);
  const program = found && readyProgram(found, settings);
  return program && { ...found, program };
}

/** As data: what is undefined isn't there. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, entry) => entry === Infinity ? "infinite" : entry));
}

Deno.test("ready rules are those that were read and compiled, without their examples", () => {
  const found = readyFor({ ...noSettings, minimumConfidence: 0.9 });
  assert.ok(found);
  const { rules, program } = readRules([files], noSettings);
  assert.deepEqual(
    plain(found.rules),
    plain(rules.map((rule) => ({ ...rule, examples: [], untouched: [] }))),
  );
  assert.deepEqual(plain(found.program.rules), plain(program.rules));
  assert.deepEqual(found.program.markdown, program.markdown);
  assert.deepEqual(
    found.program.entries.map(({ name }) => name).sort(),
    program.rules.map(({ name }) => name).sort(),
  );
});

Deno.test("ready rules don't count for other texts, or for settings that change a rule", () => {
  const [first, ...others] = files;
  assert.equal(readyFor(noSettings, [{ ...first!, text: `${first!.text}\n` }, ...others]), undefined);
  assert.equal(readyFor(noSettings, others), undefined);
  const changing: Partial<RuleSettings>[] = [
    { enable: ["shell_block"] },
    { disable: ["react"] },
    { confidence: { react: 0.5 } },
    { fencedCalls: "never" },
    { fencedCalls: "anywhere" },
    { quotations: ["fence"] },
    { minimumConfidence: 0.95 },
    { chosen: ["hermes", "shell_block"] },
  ];
  for (const settings of changing) {
    assert.equal(readyFor({ ...noSettings, ...settings }), undefined, JSON.stringify(settings));
  }
  assert.ok(readyFor({ ...noSettings, fencedCalls: "ending", chosen: ["hermes"] }));
});

Deno.test("next to other rules, and with settings, ready rules are as if they were read and compiled", () => {
  const mine = (name: string) => ({
    file: `${name}.yaml`,
    text: `rule: ${name}\npattern: '<mine {tool}>(?<body>…)</mine>'\nbody: json\n`,
  });
  const table: [others: string[], settings: Partial<RuleSettings>][] = [
    [["mine"], {}],
    [["hermes", "shell_block"], {}],
    [[], {
      enable: ["shell_block"],
      disable: ["react"],
      confidence: { hermes: 0.5 },
      minimumConfidence: 0.6,
    }],
    [[], { fencedCalls: "anywhere" }],
    [["mine"], { fencedCalls: "never", quotations: ["fence"] }],
  ];
  const folder = readReady(files, shipped);
  for (const [others, changed] of sampled(table, 2)) {
    const [all, settings] = [[files, others.map(mine)], { ...noSettings, ...changed }];
    const [read, fast] = [readRules(all, settings), readRules(all, settings, folder)];
    const withoutExamples = read.rules.map((rule) => ({ ...rule, examples: [], untouched: [] }));
    assert.deepEqual(plain(fast.rules), plain(withoutExamples));
    assert.deepEqual(plain(fast.program), plain(read.program));
    assert.deepEqual(fast.diagnostics, read.diagnostics);
    for (const { rule } of read.rules.slice(0, 12)) {
      assert.equal(fast.fileOf(rule), read.fileOf(rule));
      assert.deepEqual(fast.locate(rule, ["pattern"]), read.locate(rule, ["pattern"]), rule);
    }
  }
});

Deno.test("a server's rules name their files as others do", async () => {
  const options = { folders: [], settings: noSettings, workingDirectory: BUILT_IN_RULES };
  const [full, fast] = await Promise.all([
    loadRules({ ...options, withExamples: true }),
    loadRules(options),
  ]);
  assert.ok(fast.rules.every(({ examples, untouched }) => examples.length === 0 && untouched.length === 0));
  for (const { rule } of full.rules) assert.equal(fast.fileOf(rule), full.fileOf(rule));
  assert.equal(fast.fileOf("nope"), undefined);
  assert.deepEqual([fast.diagnostics, full.diagnostics], [[], []]);
});
