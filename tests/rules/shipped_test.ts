import assert from "node:assert/strict";
import { join } from "node:path";
import { readYamlFolder } from "../../src/engine/document/load.ts";
import { BUILT_IN_RULES, SHIPPED_RULES } from "../../src/engine/rule/folder.ts";
import { noSettings, readRules } from "../../src/engine/rule/read.ts";
import { shippedPage } from "../../src/engine/rule/shipped_page.ts";

/** What every shipped rule has at least of each kind of case. */
const CASES_MINIMUM = 3;

/** The most files with rules that read calls. */
const FILES_MAXIMUM = 75;

const workingDirectory = join(import.meta.dirname!, "..", "..");
const { files } = await readYamlFolder(SHIPPED_RULES, { workingDirectory });
const { rules } = readRules([files], noSettings);

Deno.test("every shipped rule states its source and has three examples and three texts that stay", () => {
  const lacking = rules.filter(({ source = "", examples, untouched }) =>
    source === "" || examples.length < CASES_MINIMUM || untouched.length < CASES_MINIMUM
  );
  assert.deepEqual(lacking.map(({ rule }) => rule), []);
  assert.ok(rules.length > 0);
});

Deno.test("notations are few: damaged calls are read by evidence", () => {
  const read = files.filter(({ text }) => /^ *body: (?!opaque)/m.test(text));
  assert.ok(read.length <= FILES_MAXIMUM, `${read.length} files`);
});

Deno.test("no shipped rule repeats a case of its own or of another rule", () => {
  const inputs = rules.flatMap(({ rule, examples, untouched }) =>
    [...examples, ...untouched].map(({ input, offered }) => ({ rule, key: JSON.stringify([input, offered]) }))
  );
  const byKey = Map.groupBy(inputs, ({ key }) => key);
  const repeated = [...byKey.values()].filter((group) => group.length > 1);
  assert.deepEqual(repeated.map((group) => group.map(({ rule, key }) => `${rule}: ${key}`)), []);
});

Deno.test("rules/shipped_rules.md lists every rule with its dialects and whether it is on", async () => {
  const page = await Deno.readTextFile(join(BUILT_IN_RULES, "shipped_rules.md"));
  assert.equal(page, shippedPage(rules), "run `deno task generate`");
  for (const { rule } of rules) assert.ok(page.includes(`| \`${rule}\` |`), rule);
});

Deno.test("the call that the prompt of strict_xml shows is one of its examples, with HTML and CSS", () => {
  const { speak: { announce = "" } = {}, examples } = rules.find(({ rule }) => rule === "strict_xml")!;
  const shown = examples.find(({ input }) => /<style>.*<\/p>/.test(input));
  assert.ok(shown !== undefined && announce.includes(`\n${shown.input}\n`));
  for (const part of ["Do:", "Don't:", "any other format is rejected"]) {
    assert.ok(announce.includes(part));
  }
});
