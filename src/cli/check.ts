/**
 * The verb `check`: lists every error in rules, clients and the configuration, and runs the rules' examples. Without
 * paths it checks everything that `serve` would load.
 *
 * @module
 */
import { join, resolve } from "node:path";
import { type CheckTargets, readTargets } from "./check_targets.ts";
import { countDiagnostics, diagnosticToJson, printCount, printDiagnostics } from "../diagnostic/print.ts";
import { inFileOrder } from "../diagnostic/order.ts";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { type ExampleReport, runExamples } from "../rule/examples.ts";
import { BUILT_IN_RULES } from "../rule/load.ts";
import type { Rule } from "../rule/schema.ts";
import { schemaFiles } from "./schemas.ts";
import type { World } from "../service/world.ts";
import { SETUP_OPTIONS } from "./setup_options.ts";
import { isSet, type Verb, type VerbInput } from "./verb.ts";

/** `dragoman check [PATH…]`. */
export const check: Verb = {
  name: "check",
  summary: "Check rules, clients and the configuration, and run the rules' examples",
  usage: "check [PATH…] [--json]",
  operandsMax: Infinity,
  examples: ["check", "check rules/mine.yaml"],
  options: {
    ...SETUP_OPTIONS,
    json: { type: "boolean", description: "Print one JSON object instead of pictures" },
    "write-schemas": {
      type: "boolean",
      description: "Write the JSON Schemas for editors next to the built-in rules, and do nothing else",
    },
  },
  run,
};

async function run(input: VerbInput, world: World): Promise<number> {
  if (isSet(input, "write-schemas")) return await writeSchemas(world);
  const targets = await readTargets(input, world);
  const examples = runExamples(targets.rules, { only: targets.isTarget });
  const diagnostics = inFileOrder([...targets.diagnostics, ...examples.diagnostics]);
  const rules = targets.rules.rules.filter(targets.isTarget);
  if (isSet(input, "json")) world.stdout(report({ diagnostics, targets, rules, examples }));
  else {
    const pictures = printDiagnostics(diagnostics, { colours: world.isTerminal });
    world.stdout(pictures + summary({ diagnostics, targets, rules, examples }));
  }
  return countDiagnostics(diagnostics).errors === 0 ? 0 : 1;
}

async function writeSchemas(world: World): Promise<number> {
  for (const { path, text } of schemaFiles()) {
    const file = resolve(join(BUILT_IN_RULES, path));
    await Deno.writeTextFile(file, text);
    world.stdout(`wrote ${file}\n`);
  }
  return 0;
}

interface Findings {
  readonly diagnostics: readonly Diagnostic[];
  readonly targets: CheckTargets;
  readonly rules: readonly Rule[];
  readonly examples: ExampleReport;
}

function summary({ diagnostics, targets, rules, examples }: Findings): string {
  const off = rules.filter((rule) => !rule.enabled).length;
  const parts = [
    `${amount(rules.length, "rule")}${off === 0 ? "" : ` (${off} off)`}`,
    amount(targets.clientCount, "client"),
    amount(examples.count, "example"),
  ];
  const count = printCount(countDiagnostics(diagnostics));
  return `Checked ${parts.join(", ")}: ${count}\n`;
}

function amount(count: number, thing: string): string {
  return `${count} ${count === 1 ? thing : `${thing}s`}`;
}

function report({ diagnostics, targets, rules, examples }: Findings): string {
  return JSON.stringify(
    {
      ...countDiagnostics(diagnostics),
      rules: rules.map(({ rule, enabled, confidence }) => ({ rule, enabled, confidence })),
      clients: targets.clientCount,
      examples: examples.count,
      diagnostics: diagnostics.map(diagnosticToJson),
    },
    null,
    2,
  ) + "\n";
}
