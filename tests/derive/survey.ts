/**
 * How far `derive` comes, as two tables: every chat template and every file of recorded answers in the folders next to
 * the project. The shipped rules are left out first, so that each rule is derived again, then named if they read the
 * same.
 *
 *     deno task derive:survey [TEMPLATES ANSWERS]
 *
 * The task writes the page `src/docs/derive_survey.md`. The data is not part of the project; without the folders the
 * task prints that and ends.
 *
 * @module
 */
import { join } from "node:path";
import {
  type Derivation,
  deriveFromAnswers,
  deriveFromTemplate,
  type RecordedAnswer,
} from "../../src/derive/derive.ts";
import { readCalls } from "../../src/derive/proof.ts";
import { ChatTemplate } from "../../src/derive/template.ts";
import { readYamlFolders } from "../../src/document/load.ts";
import { isJsonEqual } from "../../src/json/equal.ts";
import { isRecord } from "../../src/object/record.ts";
import { compileRules } from "../../src/rule/compile.ts";
import { noSettings, readRules, type RuleText } from "../../src/rule/read.ts";
import type { Rule } from "../../src/rule/schema.ts";
import { offer, type OfferedTool } from "../../src/tool/offered.ts";

const ROOT = join(import.meta.dirname!, "..", "..");
const [
  templateFolder = join(ROOT, "..", "shared", "templates"),
  answerFolder = join(ROOT, "..", "shared", "conformance"),
] = Deno.args;
/** A rule is derived from at most this many answers of a file, its first ones. */
const ANSWERS_LEARNED = 5;

async function textsIn(folder: string, ending: string): Promise<RuleText[]> {
  const texts: RuleText[] = [];
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (isFile && name.endsWith(ending)) {
      texts.push({ file: name, text: await Deno.readTextFile(join(folder, name)) });
    }
  }
  return texts.sort((a, b) => a.file < b.file ? -1 : 1);
}

/** The lines of the page. */
const page: string[] = [
  "# What `derive` learns",
  "",
  "`deno task derive:survey` generates this page from chat templates and recorded answers that are not part of the project.",
  "",
];

function print(line: string): void {
  console.log(line);
  page.push(...line.split("\n"));
}

const folder = { path: join(ROOT, "rules"), isRequired: true, isPrepared: true };
const shipped = (await readYamlFolders([folder], { workingDirectory: ROOT })).folders.flat();
const known = readRules([shipped], noSettings).rules;
const opaque = known.filter(({ body, enabled }) => body === "opaque" && enabled);
const options = { name: "derived", origin: "a survey", shipped, schema: "rule.schema.json" };

function said(derivation: Derivation): string {
  return derivation.kind === "rule"
    ? "rule"
    : derivation.kind === "known"
    ? `known: ${derivation.rule}`
    : derivation.why;
}

/** The rules that templates give, each alone, and the shipped rules that are named instead. */
const fromTemplates: (readonly Rule[])[] = [];
const named = new Set<string>();

async function surveyTemplates(): Promise<void> {
  print("## From chat templates\n\n| template | derived from it | with the shipped rules |\n|---|---|---|");
  const counts = { rule: 0, either: 0, writesCalls: 0, all: 0 };
  for (const { file, text } of await textsIn(templateFolder, ".jinja")) {
    const template = new ChatTemplate(text);
    const fresh = deriveFromTemplate(template, { ...options, known: [] });
    const beside = deriveFromTemplate(template, { ...options, known });
    counts.all++;
    if (fresh.kind === "rule") fromTemplates.push(rulesOf([fresh]));
    if (beside.kind === "known") named.add(beside.rule);
    if (!said(fresh).startsWith("The template writes no tool calls")) counts.writesCalls++;
    if (fresh.kind === "rule") counts.rule++;
    if (fresh.kind === "rule" || beside.kind !== "refused") counts.either++;
    print(`| ${file} | ${said(fresh)} | ${said(beside)} |`);
  }
  const { all, writesCalls, rule, either } = counts;
  print(
    `\n${all} templates, ${writesCalls} write calls; ${rule} give a rule of their own, ${either} a rule or the name of one\n`,
  );
}

interface Recorded {
  readonly answer: RecordedAnswer;
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly isPlain: boolean;
}

function recordedIn(text: string): Recorded[] {
  return text.split("\n").filter((line) => line !== "").flatMap((line): Recorded[] => {
    const { text, tools, expect, tier } = JSON.parse(line);
    const calls: Recorded["calls"] = expect?.calls ?? [];
    if (calls.length === 0 || tier === "R") return [];
    return [{ answer: { text, tools: toolsOf(tools, calls) }, calls, isPlain: tier === "A" }];
  });
}

/** Where a case names no tools, those that it calls were offered. */
function toolsOf(tools: unknown, calls: Recorded["calls"]): OfferedTool[] {
  if (Array.isArray(tools) && tools.length > 0) {
    return tools.map(({ function: called }) => ({ name: called.name, schema: called.parameters }));
  }
  return calls.map(({ name, arguments: given }) => {
    const keys = Object.keys(isRecord(given) ? given : {});
    return { name, schema: { type: "object", properties: Object.fromEntries(keys.map((key) => [key, {}])) } };
  });
}

function countRead(rules: readonly Rule[], cases: readonly Recorded[]): number {
  const { program } = compileRules([...rules.map((rule) => ({ ...rule, enabled: true })), ...opaque]);
  return cases.filter(({ answer, calls: wanted }) => {
    const { calls } = readCalls(answer.text, { program, offered: offer(answer.tools) });
    return calls.length === wanted.length &&
      calls.every((call, index) =>
        call.tool === wanted[index]?.name && isJsonEqual(call.arguments, wanted[index]?.arguments)
      );
  }).length;
}

function rulesOf(derivations: readonly Derivation[]): readonly Rule[] {
  const files = derivations.flatMap((one, index) =>
    one.kind === "rule"
      ? [{ file: index === 0 ? "derived.yaml" : `derived_${index + 1}.yaml`, text: one.text }]
      : []
  );
  return readRules([files], noSettings).rules;
}

async function surveyAnswers(): Promise<void> {
  print("## From recorded answers\n\nThe cases that rules read, by where the rules come from.\n");
  print(
    `| answers | cases | shipped rules | a template | one answer | up to ${ANSWERS_LEARNED} answers |\n|---|---|---|---|---|---|`,
  );
  let equal = 0;
  let equalByTemplate = 0;
  let equalOrNamed = 0;
  let compared = 0;
  for (const { file, text } of await textsIn(answerFolder, ".jsonl")) {
    const cases = recordedIn(text);
    const own = known.filter(({ dialects }) => dialects.includes(file.replace(".jsonl", "")));
    const answers = cases.filter(({ isPlain }) => isPlain).map(({ answer }) => answer).slice(
      0,
      ANSWERS_LEARNED,
    );
    if (answers.length === 0) continue;
    const one = Math.max(
      ...answers.map((answer) =>
        countRead(rulesOf(deriveFromAnswers([answer], { ...options, known: [] })), cases)
      ),
    );
    const several = countRead(rulesOf(deriveFromAnswers(answers, { ...options, known: [] })), cases);
    const shippedRead = own.length === 0 ? undefined : countRead(own, cases);
    if (shippedRead !== undefined) {
      compared++;
      if (Math.max(one, several) >= shippedRead) equal++;
    }
    const byTemplate = Math.max(...fromTemplates.map((rules) => countRead(rules, cases)));
    if (shippedRead !== undefined && byTemplate >= shippedRead) equalByTemplate++;
    if (shippedRead !== undefined && (byTemplate >= shippedRead || own.some(({ rule }) => named.has(rule)))) {
      equalOrNamed++;
    }
    print(`| ${file} | ${cases.length} | ${shippedRead ?? "-"} | ${byTemplate} | ${one} | ${several} |`);
  }
  print(
    `\nOf ${compared} dialects, rules from answers read at least as much as the shipped ones for ${equal}, and the rule of ` +
      `the best template for ${equalByTemplate}; for ${equalOrNamed}, a template gives such a rule or the name of a shipped one.`,
  );
}

const isThere = await Promise.all(
  [templateFolder, answerFolder].map((folder) => Deno.stat(folder).then(() => true, () => false)),
);
if (isThere.every(Boolean)) {
  await surveyTemplates();
  await surveyAnswers();
  await Deno.writeTextFile(join(ROOT, "src", "docs", "derive_survey.md"), `${page.join("\n")}\n`);
} else console.log(`SKIPPED: ${templateFolder} or ${answerFolder} does not exist`);
