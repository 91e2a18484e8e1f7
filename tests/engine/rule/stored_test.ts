import assert from "node:assert/strict";
import { join } from "node:path";
import type { RuleCache } from "../../../src/engine/rule/stored.ts";
import { loadRules } from "../../../src/engine/rule/load.ts";
import { noSettings, type RuleSettings } from "../../../src/engine/rule/read.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { sampled } from "../../support/fuzz.ts";

const MINE = `rule: mine
pattern: '<mine_{tool}>(?<body>…)</mine>'
body: json
confidence: 0.95
`;

/** A cache that keeps at once, and states what was kept. */
function memoryCache(by = "1"): RuleCache & { text: string | undefined; kept: number } {
  return {
    by: () => by,
    text: undefined,
    kept: 0,
    read() {
      return Promise.resolve(this.text);
    },
    keep(write) {
      this.kept++;
      this.text = write();
    },
  };
}

/** As data: what is undefined isn't there. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, entry) => entry === Infinity ? "infinite" : entry));
}

/** Loads the shipped rules and one of the user's, with a cache. */
async function loader(rule = MINE) {
  const folder = await temporaryFolder();
  await Deno.writeTextFile(join(folder, "mine.yaml"), rule);
  const load = (cache: RuleCache, settings: Partial<RuleSettings> = {}) =>
    loadRules({
      folders: [{ path: folder, isRequired: true }],
      settings: { ...noSettings, ...settings },
      workingDirectory: folder,
      cache,
    });
  return { folder, load };
}

Deno.test("checked rules are those that were read and compiled, with every setting", async () => {
  const { load } = await loader();
  const table: Partial<RuleSettings>[] = [
    {},
    { enable: ["shell_block"], disable: ["react"], confidence: { hermes: 0.5 } },
    { chosen: ["shell_block"], fencedCalls: "anywhere" },
    { fencedCalls: "never", quotations: ["fence"] },
  ];
  for (const settings of sampled(table, 2)) {
    const cache = memoryCache();
    const [read, checked] = [await load(cache, settings), await load(cache, settings)];
    assert.equal(cache.kept, 1);
    assert.equal(checked.rules.length, read.rules.length);
    const withoutExamples = read.rules.map((rule) => ({ ...rule, examples: [], untouched: [] }));
    assert.deepEqual(plain(checked.rules), plain(withoutExamples));
    assert.deepEqual(plain(checked.program.rules), plain(read.program.rules));
    assert.deepEqual(plain(checked.program.entries), plain(read.program.entries));
    assert.deepEqual(checked.program.markdown, read.program.markdown);
    assert.deepEqual(checked.diagnostics, []);
    for (const { rule } of read.rules) assert.equal(checked.fileOf(rule), read.fileOf(rule));
    const hasCommands = settings.enable !== undefined || settings.chosen !== undefined;
    assert.equal(checked.program.isAllowedCommand?.("npm test", ["npm"]), hasCommands ? true : undefined);
  }
});

Deno.test("checked rules don't count for another text, name, setting or program", async () => {
  const { folder, load } = await loader();
  const cache = memoryCache();
  await load(cache);
  const first = cache.text;
  const isRead = async (settings: Partial<RuleSettings> = {}, by = "1") => {
    const other = { ...memoryCache(by), text: first };
    await load(other, settings);
    return other.kept === 1;
  };
  assert.equal(await isRead(), false);
  assert.equal(await isRead({}, "2"), true);
  assert.equal(await isRead({ disable: ["react"] }), true);
  assert.equal(await isRead({ minimumConfidence: 0.5 }), true);
  await Deno.writeTextFile(join(folder, "mine.yaml"), `${MINE}\n`);
  assert.equal(await isRead(), true);
  await Deno.writeTextFile(join(folder, "mine.yaml"), MINE);
  assert.equal(await isRead(), false);
  await Deno.rename(join(folder, "mine.yaml"), join(folder, "mine.yml"));
  assert.equal(await isRead(), true);
});

Deno.test("rules with an error or a warning are read at each start", async () => {
  for (const rule of [MINE.replace("…", "."), MINE.replace("0.95", "0.1")]) {
    const { load } = await loader(rule);
    const cache = memoryCache();
    for (const _ of [1, 2]) {
      const { diagnostics } = await load(cache, { minimumConfidence: 0.5 });
      assert.equal(diagnostics.length, 1);
    }
    assert.equal(cache.kept, 0);
  }
});

Deno.test("a text that isn't checked rules is not used", async () => {
  const { load } = await loader();
  for (const text of ["", "{", "[]", '{"of": "x"}', "\n"]) {
    const cache = { ...memoryCache(), text };
    assert.ok((await load(cache)).rules.some(({ rule }) => rule === "mine"));
    assert.equal(cache.kept, 1, text);
  }
});
