/**
 * How far `derive` comes, as two tables: every chat template and every file of recorded answers in the folders next to
 * the project. The shipped rules are left out first, so that each rule is derived again, then named if they read the
 * same.
 *
 *     deno task derive:survey [TEMPLATES ANSWERS]
 *
 * The task writes the page `src/docs/internals/derive_survey.md`. The data is not part of the project; without the folders the
 * task prints that and ends.
 *
 * @module
 */
import { join } from "node:path";
import type { Derivation } from "../../../src/analysis/derive/derive.ts";
import { deriveFromAnswers, type RecordedAnswer } from "../../../src/analysis/derive/from_answers.ts";
import { deriveFromTemplate } from "../../../src/analysis/derive/from_template.ts";
import { readCalls } from "../../../src/analysis/derive/proof.ts";
import { ChatTemplate } from "../../../src/analysis/derive/template.ts";
import { readYamlFolders } from "../../../src/engine/document/load.ts";
import type { TextFile } from "../../../src/engine/document/text_file.ts";
import { isJsonEqual } from "../../../src/engine/json/equal.ts";
import { isRecord } from "../../../src/engine/object/record.ts";
import { compileRules } from "../../../src/engine/rule/compile.ts";
import { SHIPPED_RULES } from "../../../src/engine/rule/folder.ts";
import { noSettings, readRules } from "../../../src/engine/rule/read.ts";
import type { Rule } from "../../../src/engine/rule/schema.ts";
import type { Program } from "../../../src/engine/scan/program.ts";
import { offer, type OfferedTool } from "../../../src/engine/tool/offered.ts";
import { OFFERED_NAMES, ordinaryText } from "../../support/ordinary_text.ts";

const ROOT = join(import.meta.dirname!, "..", "..", "..");
const [
  templateFolder = join(ROOT, "..", "shared", "templates"),
  answerFolder = join(ROOT, "..", "shared", "conformance"),
] = Deno.args;
/** A rule is derived from at most this many answers of a file, its first ones. */
const ANSWERS_LEARNED = 5;

async function textsIn(folder: string, ending: string): Promise<TextFile[]> {
  const texts: TextFile[] = [];
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (isFile && name.endsWith(ending)) {
      texts.push({ file: name, text: await Deno.readTextFile(join(folder, name)) });
    }
  }
  return texts.sort((a, b) => a.file < b.file ? -1 : 1);
}

const page: string[] = [
  "# What `derive` learns",
  "",
  "This page shows which chat templates and recorded answers `derive` can turn into rules. `deno task derive:survey` generates it from",
  "data that isn't part of the project.",
  "",
];

function print(line: string): void {
  console.log(line);
  page.push(...line.split("\n"));
}

const shipped = (await readYamlFolders([SHIPPED_RULES], { workingDirectory: ROOT })).folders.flat();
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

interface TemplateRules {
  readonly rules: readonly Rule[];
  /** The shipped rule that reads the same calls. */
  readonly named: string | undefined;
}

const fromTemplates: TemplateRules[] = [];
const isNamed = (rule: string) => fromTemplates.some(({ named }) => named === rule);

async function surveyTemplates(): Promise<void> {
  print(
    "## From chat templates\n\n| template | result without the shipped rules | result with the shipped rules |\n|---|---|---|",
  );
  const counts = { rule: 0, either: 0, writesCalls: 0, all: 0 };
  for (const { file, text } of await textsIn(templateFolder, ".jinja")) {
    const template = new ChatTemplate(text);
    const fresh = deriveFromTemplate(template, { ...options, name: `derived_${counts.all}`, known: [] });
    const beside = deriveFromTemplate(template, { ...options, known });
    counts.all++;
    fromTemplates.push({ rules: rulesOf([fresh]), named: beside.kind === "known" ? beside.rule : undefined });
    if (!said(fresh).startsWith("The template writes no tool calls")) counts.writesCalls++;
    if (fresh.kind === "rule") counts.rule++;
    if (fresh.kind === "rule" || beside.kind !== "refused") counts.either++;
    print(`| ${file} | ${said(fresh)} | ${said(beside)} |`);
  }
  const { all, writesCalls, rule, either } = counts;
  print(
    `\nOf ${all} templates, ${writesCalls} write calls. From ${rule} of them, \`derive\` writes a rule; for ${either}, it writes a rule or names a shipped one.\n`,
  );
}

/** The rules of all templates of a dialect: those for which a rule of the dialect is named. */
function rulesOfDialect(own: readonly Rule[]): readonly Rule[] {
  const found = fromTemplates.filter(({ named }) => own.some(({ rule }) => rule === named));
  const distinct = new Map(found.flatMap(({ rules }) => rules).map((rule) => [shapeOf(rule), rule]));
  return [...distinct.values()];
}

/** What a rule reads, without its name and its examples. */
function shapeOf({ rule: _, examples: __, untouched: ___, ...shape }: Rule): string {
  return JSON.stringify(shape);
}

/** A text in which there is no call. */
interface Silent {
  readonly text: string;
  readonly tools: readonly OfferedTool[];
}

/** Ordinary answers, and recorded ones without calls. */
async function silentTexts(): Promise<Silent[]> {
  const offered = OFFERED_NAMES.map((name) => ({ name }));
  const ordinary = Array.from({ length: ORDINARY_COUNT }, (_, number) => ({
    text: ordinaryText(number),
    tools: offered,
  }));
  const folders = [answerFolder, join(answerFolder, "field")];
  const files = (await Promise.all(folders.map((path) => textsIn(path, ".jsonl")))).flat();
  const recorded = files.flatMap(({ text }) => text.split("\n").filter((line) => line !== "")).flatMap(
    (line) => {
      const { text, tools, expect, tier } = JSON.parse(line);
      const isSilent = expect.calls.length === 0 && tier === "A" && Array.isArray(tools);
      return isSilent ? [{ text, tools: toolsOf(tools, []) }] : [];
    },
  );
  return [...ordinary, ...recorded];
}

const ORDINARY_COUNT = 500;

/** How many silent texts give a call that the shipped rules don't make. */
async function surveySilence(): Promise<void> {
  const all = fromTemplates.flatMap(({ rules }) => rules).filter(({ enabled }) => enabled);
  const derived = [...new Map(all.map((rule) => [shapeOf(rule), rule])).values()];
  const texts = await silentTexts();
  const { program } = compileRules([...derived, ...opaque]);
  const { program: today } = compileRules(known.filter(({ enabled }) => enabled));
  const calls = ({ text, tools }: Silent, program: Program) =>
    readCalls(text, { program, offered: offer(tools) }).calls.length;
  const wrong = texts.filter((one) => calls(one, program) > 0 && calls(one, today) === 0);
  for (const { text } of wrong) console.error(`WRONG CALL in ${JSON.stringify(text)}`);
  print(
    `${derived.length} different derived rules are on by default. Of ${texts.length} answers without calls, there are ${wrong.length} in which these rules make a ` +
      "call that the shipped rules don't make.\n",
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
  const files = derivations.flatMap((one) =>
    one.kind === "rule"
      ? [one, ...one.variants].map(({ name, text }) => ({ file: `${name}.yaml`, text }))
      : []
  );
  return readRules([files], noSettings).rules;
}

async function surveyAnswers(): Promise<void> {
  print(
    "## From recorded answers\n\nThe table shows how many cases the rules read, depending on the source of the rules.\n",
  );
  print(
    "| answers | cases | shipped rules | the best template | the dialect's templates | one answer | " +
      `up to ${ANSWERS_LEARNED} answers |\n|---|---|---|---|---|---|---|`,
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
    const byTemplate = Math.max(...fromTemplates.map(({ rules }) => countRead(rules, cases)));
    const together = countRead(rulesOfDialect(own), cases);
    if (shippedRead !== undefined) {
      const isEqual = Math.max(byTemplate, together) >= shippedRead;
      if (isEqual) equalByTemplate++;
      if (isEqual || own.some(({ rule }) => isNamed(rule))) equalOrNamed++;
    }
    print(
      `| ${file} | ${cases.length} | ${
        shippedRead ?? "-"
      } | ${byTemplate} | ${together} | ${one} | ${several} |`,
    );
  }
  print(
    `\nThe table compares ${compared} dialects with the shipped rules. Rules from answers read at least as many cases for ${equal} dialects, and rules ` +
      `from templates for ${equalByTemplate}. For ${equalOrNamed} dialects, a template gives such a rule or the name of a shipped one.`,
  );
}

const isThere = await Promise.all(
  [templateFolder, answerFolder].map((folder) => Deno.stat(folder).then(() => true, () => false)),
);
if (isThere.every(Boolean)) {
  await surveyTemplates();
  await surveySilence();
  await surveyAnswers();
  await Deno.writeTextFile(
    join(ROOT, "src", "docs", "internals", "derive_survey.md"),
    `${page.join("\n")}\n`,
  );
} else console.log(`SKIPPED: ${templateFolder} or ${answerFolder} does not exist`);
