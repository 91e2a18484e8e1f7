/** The verb `conformance`: reads recorded model outputs and compares the calls with the expected ones. @module */
import { join, resolve } from "node:path";
import type { Diagnostic } from "../engine/diagnostic/diagnostic.ts";
import { printDiagnostics } from "../engine/diagnostic/print.ts";
import { didYouMean } from "../engine/diagnostic/suggest.ts";
import { readTextFile, shownPath } from "../engine/document/load.ts";
import { complain, complainOfUsage } from "./complain.ts";
import { type ConformanceCase, readCases } from "../analysis/conformance/case.ts";
import {
  type CaseResult,
  partsByDialect,
  runCase,
  type RunOptions,
  unofferedTools,
} from "../analysis/conformance/run.ts";
import { readCut } from "../analysis/conformance/cut.ts";
import { hasErrors, loadSetup, type Setup } from "./service/setup.ts";
import { visibleJson } from "../engine/diagnostic/visible.ts";
import { printTable } from "./table.ts";
import { type CliContext, printing } from "./service/context.ts";
import { chosenParts, PLUGIN_OPTION, SETUP_OPTIONS, setupFlags } from "./setup_options.ts";
import { isSet, textValue, type Verb, type VerbInput, type VerbOption } from "./verb.ts";

const { config, "min-confidence": minimumConfidence } = SETUP_OPTIONS as Readonly<
  Record<"config" | "min-confidence", VerbOption>
>;

export const conformance: Verb = {
  name: "conformance",
  summary: "Read recorded model outputs and compare the calls with the expected ones",
  usage: "conformance [--json] [--cut whole|chars|pieces:SEED] [--rules dialect|all] [--client CLIENT] PATH…",
  operandsMax: Infinity,
  examples: [
    "conformance --cut chars recorded.jsonl",
    "conformance --cut pieces:7 --rules all cases/",
  ],
  options: {
    json: { type: "boolean", description: "Print one JSON object per case instead of tables" },
    cut: {
      type: "string",
      placeholder: "CUT",
      values: ["whole", "chars", "pieces:"],
      description:
        "How to split outputs: whole (default), chars, or pieces:SEED for random pieces of 1 to 8 characters",
    },
    rules: {
      type: "string",
      placeholder: "WHICH",
      values: ["dialect", "all"],
      description:
        "dialect (default): how the dialect is read: its rules, without a threshold, those for fences, quotations and reasoning, and every name counts as offered, except in cases with the tag edge; all: every enabled rule and those of the dialect, under the normal policy",
    },
    client: {
      type: "string",
      placeholder: "CLIENT",
      values: ["openai", "roo", "cline"],
      description:
        "The client that gets the calls: openai (default), roo or cline; roo and cline read the case's `client`",
    },
    config,
    "min-confidence": minimumConfidence,
    ...PLUGIN_OPTION,
  },
  run,
};

async function run(input: VerbInput, context: CliContext): Promise<number> {
  if (input.positionals.length === 0) {
    const help = "write `dragoman conformance PATH…` with files or folders of cases";
    return complainOfUsage({ message: "No path given", help }, context);
  }
  const { rules: _rules, ...values } = input.values;
  const setup = await loadSetup(setupFlags({ values, positionals: [] }), context);
  context.stderr(
    printDiagnostics(setup.diagnostics.filter(({ severity }) => severity === "error"), printing(context)),
  );
  if (hasErrors(setup)) return 1;
  const options = readOptions(input, setup);
  if ("message" in options) return complainOfUsage(options, context);
  const { cases, diagnostics } = await readPaths(input.positionals, context);
  complain(diagnostics, context);
  if (cases.length === 0 && diagnostics.length > 0) return 1;
  const results = cases.map((one) => runCase(one, options));
  if (isSet(input, "json")) context.stdout(results.map((result) => `${visibleJson(result)}\n`).join(""));
  else context.stdout(report(cases, results, options));
  return diagnostics.length === 0 && results.every(({ pass }) => pass) ? 0 : 1;
}

function readOptions(input: VerbInput, setup: Setup): RunOptions | { message: string; help: string } {
  const { clients } = setup.clients;
  const cutName = textValue(input, "cut") ?? "whole";
  const cut = readCut(cutName);
  if (cut === undefined) {
    return {
      message: `Unknown cut \`${cutName}\``,
      help: "write whole, chars, or pieces:N with a whole number N",
    };
  }
  const which = textValue(input, "rules") ?? "dialect";
  if (which !== "dialect" && which !== "all") {
    return { message: `Unknown set of rules \`${which}\``, help: "write --rules dialect or --rules all" };
  }
  const name = textValue(input, "client") ?? "openai";
  const client = clients.find((one) => one.client === name);
  if (client === undefined) {
    const help = didYouMean(name, clients.map((one) => one.client)) ?? "`dragoman serve` lists them";
    return { message: `Unknown client \`${name}\``, help };
  }
  const partsFor = partsByDialect({ base: chosenParts(setup, input), rules: setup.rules.rules, which });
  return { partsFor, client, cut: cut.cut, offersEveryName: which === "dialect" };
}

interface FoundCases {
  readonly cases: readonly ConformanceCase[];
  readonly diagnostics: readonly Diagnostic[];
}

export async function readPaths(paths: readonly string[], context: CliContext): Promise<FoundCases> {
  const found = await Promise.all(
    paths.map((path) => readPath(resolve(context.workingDirectory, path), context)),
  );
  return {
    cases: found.flatMap(({ cases }) => cases),
    diagnostics: found.flatMap(({ diagnostics }) => diagnostics),
  };
}

async function readPath(path: string, context: CliContext): Promise<FoundCases> {
  const isFolder = await Deno.stat(path).then((info) => info.isDirectory, () => false);
  const names = isFolder ? await Array.fromAsync(Deno.readDir(path), ({ name }) => name) : [];
  const files = names.filter((name) => name.endsWith(".jsonl")).sort().map((name) => join(path, name));
  if (isFolder && files.length === 0) {
    return { cases: [], diagnostics: [emptyFolder(shownPath(path, context))] };
  }
  const read = await Promise.all((isFolder ? files : [path]).map((file) => readTextFile(file, context)));
  const parsed = read.flatMap((part) => part.files).map(readCases);
  return {
    cases: parsed.flatMap(({ cases }) => cases),
    diagnostics: [...read, ...parsed].flatMap(({ diagnostics }) => [...diagnostics]),
  };
}

function emptyFolder(path: string): Diagnostic {
  return {
    code: "file_unreadable",
    severity: "error",
    message: `No cases in folder ${path === "" ? "." : path}`,
    expected: "files whose names end in .jsonl",
    help: "specify another folder, or a file",
  };
}

function report(
  cases: readonly ConformanceCase[],
  results: readonly CaseResult[],
  { partsFor }: RunOptions,
): string {
  const groups = Map.groupBy(
    cases.map((one, index) => ({ ...one, result: results[index] })),
    (one) => JSON.stringify([one.dialect, one.tier]),
  );
  const rows = [...groups.values()].map((group) => {
    const { dialect = "", tier = "" } = group[0] ?? {};
    const passed = group.filter(({ result }) => result?.pass).length;
    const rules = partsFor(dialect).rules.filter((rule) => rule.dialects.includes(dialect));
    const names = rules.length === 0 ? "(none)" : rules.map(({ rule }) => rule).join(", ");
    return [dialect, tier, `${passed}/${group.length}`, names];
  }).sort((a, b) => `${a[0]} ${a[1]}` < `${b[0]} ${b[1]}` ? -1 : 1);
  const failed = results.filter(({ pass }) => !pass);
  const failures = failed.map(({ id, why }) => `  ${id}\n      ${why}\n`).join("");
  const calledIn = (got: CaseResult["got"] | undefined) =>
    got !== undefined && "calls" in got ? got.calls : [];
  const unoffered =
    cases.filter((one, index) => unofferedTools(one, calledIn(results[index]?.got)).length > 0).length;
  const remark = unoffered === 0
    ? ""
    : `; ${unoffered} ${
      unoffered === 1 ? "case calls a tool" : "cases call tools"
    } that the request does not offer`;
  const summary = `${results.length - failed.length} of ${results.length} cases passed${remark}\n`;
  if (results.length === 0) return summary;
  const table = printTable(["dialect", "tier", "passed", "rules"], rows);
  return `${table}\n${failed.length === 0 ? "" : `Failed:\n${failures}\n`}${summary}`;
}
