import assert from "node:assert/strict";
import { join } from "node:path";
import { type ConformanceCase, readCases } from "../../../src/lab/conformance/case.ts";
import { readCut } from "../../../src/lab/conformance/cut.ts";
import { type CaseResult, partsByDialect, runCase } from "../../../src/lab/conformance/run.ts";
import { loadSetup, serviceParts } from "../../../src/cli/service/setup.ts";
import { shippedClient } from "../../support/client_files.ts";
import { IS_THOROUGH } from "../../support/fuzz.ts";
import { QUIRK_CASES, quirksPage } from "../../support/quirks.ts";
import { createTestWorld } from "../../support/world.ts";

/** The recorded suites lie beside the project; without them there is nothing to compare. */
const FOLDER = "../shared/conformance";
const cases = await readFolder();

async function readFolder(): Promise<ConformanceCase[]> {
  try {
    const names = await Array.fromAsync(Deno.readDir(FOLDER), ({ name }) => name);
    const files = names.filter((name) => name.endsWith(".jsonl")).map((name) => join(FOLDER, name));
    const texts = await Promise.all(files.map((file) => Deno.readTextFile(file)));
    return texts.flatMap((text) => readCases({ file: "", text }).cases).filter(({ tier }) => tier === "A");
  } catch {
    return [];
  }
}

const ignore = cases.length === 0;
const title = ignore ? " (skipped: no ../shared/conformance)" : "";
/** In a short run, other cuts are left to the property tests. */
const CUTS = IS_THOROUGH ? ["whole", "chars", "pieces:1", "pieces:2"] : ["whole"];

/** The results of all cases, only their calls compared. */
async function run(which: "dialect" | "all", cut: string): Promise<CaseResult[]> {
  const setup = await loadSetup({}, createTestWorld());
  const partsFor = partsByDialect({ base: serviceParts(setup), rules: setup.rules.rules, which });
  const options = {
    partsFor,
    client: shippedClient("openai"),
    cut: readCut(cut)?.cut,
    offersEveryName: which === "dialect",
  };
  return cases.map((one) => runCase({ ...one, content_exact: false }, options));
}

function failed(results: readonly CaseResult[]): string[] {
  return results.filter(({ pass }) => !pass).map(({ id }) => id);
}

Deno.test({
  name: `the rules of a dialect read its recorded calls as the engines do, except for the quirks${title}`,
  ignore,
  async fn() {
    for (const cut of CUTS) {
      assert.deepEqual(failed(await run("dialect", cut)).sort(), [...QUIRK_CASES].sort(), cut);
    }
    assert.ok(QUIRK_CASES.length <= cases.length * 0.03, `${QUIRK_CASES.length} of ${cases.length}`);
  },
});

Deno.test({
  name: `the default rules with those of a dialect read 98 % of the recorded calls${title}`,
  ignore,
  async fn() {
    const whole = await run("all", "whole");
    const passed = cases.length - failed(whole).length;
    assert.ok(passed >= 0.98 * (cases.length - QUIRK_CASES.length), `${passed} of ${cases.length}`);
    for (const cut of CUTS) assert.deepEqual(await run("all", cut), whole, cut);
  },
});

Deno.test("the list of quirks has each case once, and its page is current", async () => {
  assert.equal(new Set(QUIRK_CASES).size, QUIRK_CASES.length);
  assert.equal(await Deno.readTextFile("rules/quirks.md"), quirksPage(), "run `deno task generate`");
});
