/** Prints and writes what `derive` found: a rule, and a template's settings. It never overwrites a file. @module */
import { join } from "node:path";
import { CONFIG_FILE } from "../proxy/config/load.ts";
import { printDiagnostics } from "../engine/diagnostic/print.ts";
import { visible } from "../engine/diagnostic/visible.ts";
import { shownPath } from "../engine/document/load.ts";
import type { Derivation, DerivedRule } from "../analysis/derive/derive.ts";
import { firstTag } from "../analysis/derive/mark_token.ts";
import type { TemplateFacts } from "../analysis/derive/probe.ts";
import type { Rule } from "../engine/rule/schema.ts";
import { complainOfWriting } from "./complain.ts";
import { DISTRIBUTION } from "./service/distribution.ts";
import { copySchema, writeNew } from "./service/schema_line.ts";
import { type CliContext, printing } from "./service/context.ts";

export interface DeriveResult {
  /** The rules, or why there are none. */
  readonly derivations: readonly Derivation[];
  readonly facts?: TemplateFacts | undefined;
  /** What a rule doesn't carry of the source, each as a sentence. */
  readonly notCarried?: readonly string[];
}

interface DeriveReport {
  readonly name: string;
  readonly folder: string;
  /** Whether everything is printed and no file is written. */
  readonly isPrinted: boolean;
  readonly rules: readonly Rule[];
  readonly minimum: number;
  readonly context: CliContext;
}

/** Prints and writes all results; the exit code: 0 if there is a rule, or one that exists reads the calls. */
export async function reportResults(results: readonly DeriveResult[], report: DeriveReport): Promise<number> {
  for (const { facts } of results) if (facts !== undefined) reportFacts(facts, report);
  const print = report.isPrinted ? report.context.stderr : report.context.stdout;
  for (const { notCarried = [] } of results) {
    for (const loss of notCarried) print(`Not carried over: ${loss}\n`);
  }
  let code = 1;
  for (const derivation of results.flatMap(({ derivations }) => derivations)) {
    if (await reportOne(derivation, report)) code = 0;
  }
  return code;
}

async function reportOne(derivation: Derivation, report: DeriveReport): Promise<boolean> {
  const { context } = report;
  switch (derivation.kind) {
    case "known":
      context.stdout(
        `The rule ${derivation.rule} already reads these calls, so no file was written${
          isOff(derivation.rule, report)
        }\n`,
      );
      return true;
    case "refused":
      context.stderr(`No rule: ${derivation.why}\n`);
      context.stderr(printDiagnostics(derivation.diagnostics.slice(0, 1), printing(context)));
      return false;
    case "rule":
      if (!await reportRule(derivation, report)) return false;
      reportReads(derivation, report);
      for (const variant of derivation.variants) await reportRule(variant, { ...report, isVariant: true });
      return true;
  }
}

/** What the rule reads from the recorded answers: the proof, for a person to compare. */
function reportReads(
  { reads, isQuoted }: Derivation & { kind: "rule" },
  { isPrinted, context }: DeriveReport,
): void {
  const print = isPrinted ? context.stderr : context.stdout;
  for (const { tool, arguments: given } of reads) {
    print(`From this answer, the rule reads: ${visible(`${tool} ${JSON.stringify(given)}`)}\n`);
  }
  if (reads.length > 0) print("Compare each value with the answer before you use the rule\n");
  if (isQuoted) {
    print(
      "warning: the call is in a fence, which is often documentation; a proxy reads none there unless a setting or the " +
        "rule allows it\n",
    );
  }
}

/** What a rule needs before it makes calls. */
function isOff(name: string, { rules, minimum }: DeriveReport): string {
  const rule = rules.find((one) => one.rule === name);
  if (rule === undefined) return "";
  if (!rule.enabled) {
    return `.\nIt is off: add it to \`rules.enable\` in dragoman.yaml, or start with --enable ${name}`;
  }
  if (rule.confidence >= minimum) return "";
  return `.\nIts confidence ${rule.confidence} is below the threshold ${minimum}: set \`rules.confidence: { ${name}: ${minimum} }\``;
}

async function reportRule(
  { name, text, exampleCount, isOff }: DerivedRule,
  { folder, isPrinted, isVariant = false, context }: DeriveReport & { readonly isVariant?: boolean },
): Promise<boolean> {
  if (isPrinted) {
    context.stdout(`${text}\n`);
    return true;
  }
  const file = join(folder, `${name}.yaml`);
  const shown = shownPath(file, context);
  const written = await writeNew(file, text).catch((cause) => complainOfWriting(shown, cause, context));
  if (written === undefined) return false;
  if (!written) {
    context.stderr(`${shown} already exists; choose another name with --name, or move it away\n`);
    return false;
  }
  await copySchema({ folder, name: "rule.schema.json", form: DISTRIBUTION });
  const off = isOff
    ? `Calls have no distinctive marker, so the rule is off: turn it on with \`rules.enable: [${name}]\` in ` +
      `dragoman.yaml\n`
    : "";
  const next = isVariant
    ? ""
    : `Next: \`${context.command} check ${shown}\`; a running proxy that reads this folder uses it now\n`;
  context.stdout(
    `Wrote ${shown}: ${exampleCount} examples pass as a whole, by character, and split at every position\n${next}${off}`,
  );
  return true;
}

function reportFacts(facts: TemplateFacts, { name, context }: DeriveReport): void {
  const text = factConfig(facts, name);
  if (text === undefined) return;
  if (facts.beginsInReasoning) context.stdout("The template opens the model's reasoning\n");
  if (facts.turnEnd !== "") {
    context.stdout(
      `An answer ends with ${visible(JSON.stringify(facts.turnEnd))}, which a server may print\n`,
    );
  }
  context.stdout(`For this model's upstream in ${CONFIG_FILE}, which isn't changed:\n\n${text}\n`);
}

/** The settings of an upstream that uses the template; undefined if it needs none. */
function factConfig({ beginsInReasoning, turnEnd }: TemplateFacts, name: string): string | undefined {
  if (!beginsInReasoning && turnEnd === "") return undefined;
  return [
    "# Settings that the model's chat template shows; `dragoman derive` wrote them.",
    "upstreams:",
    `  - name: ${name}`,
    "    url: http://127.0.0.1:8080/v1",
    ...(beginsInReasoning ? ["    begins_in_reasoning: true"] : []),
    ...(turnEnd === "" ? [] : [`    defaults: { stop: [${JSON.stringify(firstTag(turnEnd) ?? turnEnd)}] }`]),
    "",
  ].join("\n");
}
