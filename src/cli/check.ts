/** The verb `check`: lists every error in rules, clients and the configuration, and runs the rules' examples. @module */
import { loadFailed } from "../engine/document/guard.ts";
import { complain, complainOfUsage } from "./complain.ts";
import { join, resolve } from "node:path";
import { type CheckTargets, pathsToCheck, readTargets } from "./check_targets.ts";
import {
  countDiagnostics,
  diagnosticToJson,
  printCount,
  printDiagnostics,
} from "../engine/diagnostic/print.ts";
import type { Diagnostic } from "../engine/diagnostic/diagnostic.ts";
import { clock } from "../engine/diagnostic/figures.ts";
import { checkRules } from "../engine/rule/check.ts";
import { BUILT_IN_RULES } from "../engine/rule/folder.ts";
import type { Rule } from "../engine/rule/schema.ts";
import { proveSpeech } from "../chat/prompt/proof.ts";
import { watchPaths } from "./service/watch.ts";
import { schemaFiles } from "./schemas.ts";
import { type CliContext, printing } from "./service/context.ts";
import { SETUP_OPTIONS } from "./setup_options.ts";
import { isSet, type Verb, type VerbInput } from "./verb.ts";

export const check: Verb = {
  name: "check",
  summary: "Check rules, clients, and the configuration, and run the rules' examples",
  usage: "check [PATH… | --config-only [FILE]] [--shipped] [--watch] [--json]",
  operandsMax: Infinity,
  examples: [
    "check",
    "check --config-only",
    "check --config-only team.yaml",
    "check rules/mine.yaml",
    "check --watch rules/",
  ],
  options: {
    ...SETUP_OPTIONS,
    json: { type: "boolean", description: "Print one JSON object instead of text" },
    "config-only": {
      type: "boolean",
      description: "Check what the server needs to start, without the rules' examples",
    },
    shipped: {
      type: "boolean",
      description: "Also run the examples of unchanged built-in rules",
    },
    watch: { type: "boolean", description: "Check again after every change, until Ctrl-C" },
    "write-schemas": {
      type: "boolean",
      description: "Write the files generated from schemas and built-in rules, and do nothing else",
    },
  },
  run,
};

async function run(given: VerbInput, context: CliContext): Promise<number> {
  if (isSet(given, "write-schemas")) return await writeSchemas(context);
  const more = isSet(given, "config-only") ? besidesConfig(given) : undefined;
  if (more !== undefined) {
    const message = `--config-only and ${more} can't be combined`;
    return complainOfUsage({ message, help: "leave out one of them" }, context);
  }
  const input = isSet(given, "config-only") ? withConfig(given) : given;
  return isSet(input, "watch") ? await watch(input, context) : await checkOnce(input, context);
}

/** What `--config-only`, which checks one configuration, can't be combined with. */
function besidesConfig(input: VerbInput): string | undefined {
  const [first, ...others] = input.positionals;
  if (others.length > 0) return "several paths";
  if (first !== undefined && input.values["config"] !== undefined) return "a path and --config";
  return isSet(input, "shipped") ? "--shipped" : undefined;
}

/** `check --config-only FILE` ─▶ `check --config-only --config FILE` */
function withConfig(input: VerbInput): VerbInput {
  const [config] = input.positionals;
  return config === undefined ? input : { values: { ...input.values, config }, positionals: [] };
}

/** Checks again after every change of what was checked, until the verb is ended. */
async function watch(input: VerbInput, context: CliContext): Promise<number> {
  let code = 0;
  let checked = Promise.resolve();
  const checkNext = (before = "") =>
    checked = checked.then(async () => {
      context.stdout(before);
      code = await checkOnce(input, context);
    });
  // Watch before the first check, which takes a second: an edit in between counts too.
  const watching = watchPaths(await pathsToCheck(input, context), {
    onChange: () => checkNext(`\n${clock(Date.now())}\n`),
    onFailure: (cause) => complain([loadFailed(cause)], context),
  });
  await checkNext();
  await new Promise<void>((resolve) => {
    if (context.signal.aborted) resolve();
    else context.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await watching.close();
  return code;
}

async function checkOnce(input: VerbInput, context: CliContext): Promise<number> {
  const targets = await readTargets(input, context);
  const onRule = progressOf(context);
  const { diagnostics, exampleCount } = checkRules(targets.rules, { ...targets, prove: proveSpeech, onRule });
  const rules = targets.rules.rules.filter(targets.isTarget);
  if (isSet(input, "json")) context.stdout(report({ diagnostics, targets, rules, exampleCount }));
  else {
    const pictures = printDiagnostics(diagnostics, printing(context));
    context.stdout(pictures + summary({ diagnostics, targets, rules, exampleCount }));
  }
  return countDiagnostics(diagnostics).errors === 0 ? 0 : 1;
}

/** Shows which rule's examples run, on one line of a terminal that the result replaces. */
function progressOf(
  { isTty, stderr }: CliContext,
): ((name: string, done: number, all: number) => void) | undefined {
  if (!isTty) return undefined;
  return (name, done, all) => stderr(`\r\x1b[K${done === all ? "" : `${done + 1} of ${all}: ${name}`}`);
}

async function writeSchemas(context: CliContext): Promise<number> {
  for (const { path, text } of await schemaFiles()) {
    const file = resolve(join(BUILT_IN_RULES, path));
    await Deno.writeTextFile(file, text);
    context.stdout(`wrote ${file}\n`);
  }
  return 0;
}

interface Findings {
  readonly diagnostics: readonly Diagnostic[];
  readonly targets: CheckTargets;
  readonly rules: readonly Rule[];
  readonly exampleCount: number;
}

function summary({ diagnostics, targets, rules, exampleCount }: Findings): string {
  const off = rules.filter((rule) => !rule.enabled).length;
  const parts = targets.isConfigOnly ? ["the configuration"] : [
    `${amount(rules.length, "rule")}${off === 0 ? "" : ` (${off} off)`}`,
    amount(targets.clientCount, "client"),
    amount(exampleCount, "example"),
  ];
  const count = printCount(countDiagnostics(diagnostics));
  const left = targets.unchangedCount === 0
    ? ""
    : `; ${
      amount(targets.unchangedCount, "built-in rule")
    } as shipped, whose examples ran before the release (--shipped runs them)`;
  return `Checked ${parts.join(", ")}: ${count}${left}\n`;
}

function amount(count: number, thing: string): string {
  return `${count} ${count === 1 ? thing : `${thing}s`}`;
}

function report({ diagnostics, targets, rules, exampleCount }: Findings): string {
  return JSON.stringify(
    {
      ...countDiagnostics(diagnostics),
      rules: rules.map(({ rule, enabled, confidence }) => ({ rule, enabled, confidence })),
      clients: targets.clientCount,
      examples: exampleCount,
      diagnostics: diagnostics.map(diagnosticToJson),
    },
    null,
    2,
  ) + "\n";
}
