import assert from "node:assert/strict";
import { join } from "node:path";
import { printDiagnostics } from "../../src/engine/diagnostic/print.ts";
import { readYamlFolder } from "../../src/engine/document/load.ts";
import { runExamples } from "../../src/engine/rule/examples.ts";
import { lintRules } from "../../src/engine/rule/lint.ts";
import { noSettings, readRules } from "../../src/engine/rule/read.ts";

/** Rules for what the format can do and no shipped rule needs. */
const path = join(import.meta.dirname!, "format");

Deno.test("the rules in tests/rules/format read their examples, whole, by character and at every cut", async () => {
  const { files } = await readYamlFolder({ path, isRequired: true }, { workingDirectory: path });
  const loaded = readRules([files], noSettings);
  const { count, diagnostics } = runExamples(loaded);
  const found = [...loaded.diagnostics, ...lintRules(loaded, { only: () => true }), ...diagnostics];
  assert.equal(printDiagnostics(found, { colors: false }), "");
  assert.ok(count >= 2 * loaded.rules.length && loaded.rules.length > 0);
});
