import assert from "node:assert/strict";
import { join } from "node:path";
import { readCases } from "../../../src/analysis/conformance/case.ts";
import { readCut } from "../../../src/analysis/conformance/cut.ts";
import { partsByDialect, runCase } from "../../../src/analysis/conformance/run.ts";
import { loadSetup, serviceParts } from "../../../src/cli/service/setup.ts";
import { shippedClient } from "../../support/client_files.ts";
import { createTestContext } from "../../support/context.ts";
import { sampled } from "../../support/fuzz.ts";

/** Texts from the field lie beside the project; without them there is nothing to read. */
const FOLDER = "../shared/conformance/field";
const cases = await readFolder();
const ignore = cases.length === 0;
const title = ignore ? ` (skipped: no ${FOLDER})` : "";

async function readFolder() {
  try {
    const names = await Array.fromAsync(Deno.readDir(FOLDER), ({ name }) => name);
    const files = names.filter((name) => name.endsWith(".jsonl")).map((name) => join(FOLDER, name));
    const texts = await Promise.all(files.map((file) => Deno.readTextFile(file)));
    return texts.flatMap((text) => readCases({ file: "", text }).cases);
  } catch {
    return [];
  }
}

Deno.test({
  name: `damaged, quoted and silent answers give what a careful person reads, in every cut${title}`,
  ignore,
  async fn() {
    const setup = await loadSetup({}, createTestContext());
    const client = shippedClient("openai");
    for (const which of ["dialect", "all"] as const) {
      const partsFor = partsByDialect({ base: serviceParts(setup), rules: setup.rules.rules, which });
      for (const cut of sampled(["chars", "whole", "pieces:1"], 3)) {
        const results = cases.map((one) => runCase(one, { partsFor, client, cut: readCut(cut)?.cut }));
        assert.deepEqual(results.filter(({ pass }) => !pass).map(({ id, why }) => [id, why]), [], cut);
      }
    }
  },
});

Deno.test(`the default rules alone make no call where there is none${title}`, { ignore }, async () => {
  const setup = await loadSetup({}, createTestContext());
  const base = serviceParts(setup);
  const client = shippedClient("openai");
  const silent = cases.filter(({ expect }) => expect.calls?.length === 0);
  assert.ok(silent.length > 0);
  const partsFor = () => base;
  const results = silent.map((one) => runCase({ ...one, content_exact: false }, { partsFor, client }));
  assert.deepEqual(results.filter(({ pass }) => !pass).map(({ id, why }) => [id, why]), []);
});
