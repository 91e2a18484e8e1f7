import assert from "node:assert/strict";
import { join } from "node:path";
import { type ConformanceCase, readCases } from "../../../src/analysis/conformance/case.ts";
import { readCut } from "../../../src/analysis/conformance/cut.ts";
import { type CaseResult, partsByDialect, runCase } from "../../../src/analysis/conformance/run.ts";
import { isJsonEqual } from "../../../src/engine/json/equal.ts";
import { loadSetup, serviceParts } from "../../../src/cli/service/setup.ts";
import { shippedClient } from "../../support/client_files.ts";
import { IS_THOROUGH } from "../../support/fuzz.ts";
import { FOREIGN, HALF_CASES, QUIRK_CASES, quirksPage } from "../../support/quirks.ts";
import { createTestContext } from "../../support/context.ts";

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

const setup = ignore ? undefined : await loadSetup({}, createTestContext());
const partsOf = (which: "dialect" | "all") =>
  partsByDialect({ base: serviceParts(setup!), rules: setup!.rules.rules, which });
/** The rules of each dialect, compiled once. */
const parts = setup && { dialect: partsOf("dialect"), all: partsOf("all") };

/** The results of cases, only their calls compared. */
function run(which: "dialect" | "all", cut: string, of = cases): CaseResult[] {
  const options = {
    partsFor: parts![which],
    client: shippedClient("openai"),
    cut: readCut(cut)?.cut,
    offersEveryName: which === "dialect",
  };
  return of.map((one) => runCase({ ...one, content_exact: false }, options));
}

function failed(results: readonly CaseResult[]): string[] {
  return results.filter(({ pass }) => !pass).map(({ id }) => id);
}

Deno.test({
  name: `the rules of a dialect read its recorded calls as the engines do, except for the quirks${title}`,
  ignore,
  fn() {
    for (const cut of CUTS) {
      assert.deepEqual(failed(run("dialect", cut)).sort(), [...QUIRK_CASES].sort(), cut);
    }
    const quirks = QUIRK_CASES.length - HALF_CASES.length;
    assert.ok(quirks <= cases.length * 0.024, `${quirks} of ${cases.length}`);
  },
});

Deno.test({
  name: `the default rules with those of a dialect read 98% of the recorded calls${title}`,
  ignore,
  fn() {
    const whole = run("all", "whole");
    const passed = cases.length - failed(whole).length;
    assert.ok(passed >= 0.98 * (cases.length - QUIRK_CASES.length), `${passed} of ${cases.length}`);
    for (const cut of CUTS.slice(1)) assert.deepEqual(run("all", cut), whole, cut);
  },
});

Deno.test({
  name: `nothing is made of the recorded cases that are half a call${title}`,
  ignore,
  fn() {
    const halves = cases.filter(({ id }) => HALF_CASES.includes(id));
    assert.equal(halves.length, HALF_CASES.length);
    for (const which of ["dialect", "all"] as const) {
      for (const { id, got } of run(which, "whole", halves)) {
        assert.deepEqual("calls" in got && got.calls, [], id);
      }
    }
  },
});

Deno.test("the list of quirks has each case once, and its page is current", async () => {
  assert.equal(new Set(QUIRK_CASES).size, QUIRK_CASES.length);
  assert.equal(await Deno.readTextFile("rules/quirks.md"), quirksPage(), "run `deno task generate`");
});

Deno.test({
  name: `the cases of other suites that are read differently are those of the table${title}`,
  ignore,
  async fn() {
    const folder = join(FOLDER, "foreign");
    const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
    const texts = await Promise.all(
      names.filter((name) => name.endsWith(".jsonl")).map((name) => Deno.readTextFile(join(folder, name))),
    );
    const listed = FOREIGN.flatMap(({ cases }) => cases);
    const differing = [];
    for (const text of texts) {
      const checks = text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line).checks);
      const results = run("all", "whole", [...readCases({ file: "", text }).cases]);
      assert.equal(results.length, checks.length);
      for (const [index, { id, pass, got }] of results.entries()) {
        const calls = "calls" in got ? got.calls : [];
        const isRight = checks[index]?.every((check: Check) => holds(check, calls)) ?? pass;
        if (!isRight) differing.push(id);
      }
    }
    assert.deepEqual(differing.sort(), listed.sort());
  },
});

/** A partial expectation of a case. */
type Check =
  | ["len", number]
  | ["name", number, string]
  | ["args", number, unknown]
  | ["arg", number, (string | number)[], unknown];

/** Whether calls meet a partial expectation. */
function holds(check: Check, calls: readonly { name: string; arguments: unknown }[]): boolean {
  switch (check[0]) {
    case "len":
      return calls.length === check[1];
    case "name":
      return calls[check[1]]?.name === check[2];
    case "args":
      return isJsonEqual(calls[check[1]]?.arguments, check[2]);
    case "arg": {
      let value: unknown = calls[check[1]]?.arguments;
      for (const key of check[2]) value = (value as Record<string, unknown> | undefined)?.[key];
      return isJsonEqual(value, check[3]);
    }
  }
}
