import assert from "node:assert/strict";
import { join } from "node:path";
import { type ConformanceCase, readCases } from "../../src/conformance/case.ts";
import { readCut } from "../../src/conformance/cut.ts";
import { partsByDialect, runCase } from "../../src/conformance/run.ts";
import { loadSetup, servingParts } from "../../src/service/setup.ts";
import { shippedClient } from "../support/client_files.ts";
import { quirkOf, QUIRKS } from "../support/quirks.ts";
import { createTestWorld } from "../support/world.ts";

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

Deno.test({
  name: `the recorded calls of plain use are read as the engines do, except for the quirks${title}`,
  ignore,
  async fn() {
    const setup = await loadSetup({}, createTestWorld());
    const partsFor = partsByDialect({
      base: servingParts(setup),
      rules: setup.rules.rules,
      which: "dialect",
    });
    const client = shippedClient("openai");
    for (const cut of ["whole", "chars"]) {
      const other = cases.filter((one) => {
        const { pass } = runCase({ ...one, content_exact: false }, {
          partsFor,
          client,
          cut: readCut(cut)?.cut,
        });
        return !pass;
      }).map(({ id }) => id);
      assert.deepEqual(other.filter((id) => quirkOf(id) === undefined), [], cut);
      const known = QUIRKS.flatMap(({ ids }) => ids);
      assert.deepEqual(known.filter((id) => !other.some((one) => one.startsWith(id))), [], cut);
    }
  },
});
