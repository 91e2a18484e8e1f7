/**
 * Golden tests of diagnostics: each file of tests/diagnostics is a bad rule, client or configuration, a line
 * `----------`, and what is printed about it. `deno task test tests/diagnostics_test.ts -- --update` writes what is
 * printed now; read the difference before you keep it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { check } from "../src/cli/check.ts";
import { loadSetup } from "../src/cli/service/setup.ts";
import { CODES } from "../src/engine/diagnostic/codes.ts";
import { inFileOrder } from "../src/engine/diagnostic/order.ts";
import { printDiagnostics } from "../src/engine/diagnostic/print.ts";
import { createTestContext } from "./support/context.ts";
import { temporaryFolder } from "./support/temporary_folder.ts";

const FOLDER = "tests/diagnostics";
const LINE = "----------\n";

/** Codes that no single file can cause; each has a test beside the code that makes it. */
const WITHOUT_FILE = [
  "duplicate_rule",
  "duplicate_client",
  "environment_value",
  "configuration_gone",
  "access_opened",
  "unknown_flag",
  "unknown_verb",
  "wrong_usage",
  "cannot_listen",
  "file_exists",
  "file_unwritable",
  "upstream_refuses",
  "file_skipped",
  "link_leads_out",
  "load_failed",
  "service_failed",
  "unknown_code",
  "plugin_requires",
  "plugin_cycle",
];

const names = [...Deno.readDirSync(FOLDER)].map(({ name }) => name).filter((name) => name.endsWith(".yaml"))
  .sort();

async function print(name: string, text: string): Promise<string> {
  const workingDirectory = await temporaryFolder();
  await Deno.writeTextFile(join(workingDirectory, name), text);
  const context = createTestContext({ workingDirectory });
  if (!name.startsWith("config_")) {
    await check.run({ values: {}, positionals: [name] }, context);
    return context.printed.stdout.replace(/^Checked .*\n$/m, "");
  }
  const { diagnostics } = await loadSetup({ config: name }, context);
  return printDiagnostics(inFileOrder(diagnostics.filter(({ location }) => location?.file === name)));
}

for (const name of names) {
  Deno.test(`diagnostics of ${name}`, async () => {
    const file = join(FOLDER, name);
    const [text = "", expected = ""] = (await Deno.readTextFile(file)).split(LINE);
    const printed = await print(name, text);
    if (Deno.args.includes("--update")) await Deno.writeTextFile(file, text + LINE + printed);
    else assert.equal(printed, expected);
  });
}

Deno.test("diagnostics: every code has a file, or is known to have none", async () => {
  const texts = await Promise.all(names.map((name) => Deno.readTextFile(join(FOLDER, name))));
  const printed = texts.map((text) => text.split(LINE)[1] ?? "").join("\n");
  const missing = Object.keys(CODES).filter((code) => !printed.includes(`[${code}]`));
  assert.deepEqual(missing.sort(), [...WITHOUT_FILE].sort());
});
