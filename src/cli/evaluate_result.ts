/** What `evaluate` does with its result: prints it, writes the files that flags name, and changes the configuration. @module */
import { resolve } from "node:path";
import { evaluationPage } from "../admin/report/evaluation_page.ts";
import { errorOf } from "../chat/message/error.ts";
import { visible, visibleJson } from "../engine/diagnostic/visible.ts";
import {
  findingTexts,
  percent,
  RANGE_TEXT,
  ratesText,
  unmeasuredLines,
  verdict,
  visibilityText,
} from "../analysis/evaluate/advice.ts";
import { columnRemark, columnTitle, settingsOf, settingsText } from "../analysis/evaluate/remedies.ts";
import { answerWords, lastWords } from "../analysis/evaluate/answer.ts";
import type { Evaluation } from "../analysis/evaluate/evaluation.ts";
import { ALONE, THROUGH } from "../analysis/evaluate/sample.ts";
import { wilson } from "../analysis/evaluate/statistics.ts";
import { sharedEvaluation } from "../analysis/evaluate/shared_file.ts";
import { CONFIG_FILE } from "../proxy/config/load.ts";
import type { UpstreamConfig } from "../proxy/config/schema.ts";
import { complain, complainOfReading, complainOfUsage, complainOfWriting, writeNamed } from "./complain.ts";
import { changeConfig, diffOf, readCollection, saveShared, textIfPresent } from "./evaluate_files.ts";
import type { CliContext } from "./service/context.ts";
import { isSet, numberValue, textValue, type VerbInput } from "./verb.ts";
import { collectionPage } from "../admin/report/collection_page.ts";
import { count } from "../engine/diagnostic/figures.ts";
import { poolReports } from "../analysis/evaluate/collection.ts";
import type { FindingName } from "../analysis/evaluate/findings.ts";
import { printTable } from "./table.ts";
import { wrapText } from "./wrap.ts";

/** The exit code if nothing could be measured, or the result not be written. */
export const NOT_MEASURED = 2;

/** Answers that no rule reads. */
const UNREAD_FILE = "evaluate.unread.jsonl";

interface ShowOptions {
  readonly input: VerbInput;
  readonly upstream: UpstreamConfig;
  readonly context: CliContext;
}

interface Writing extends ShowOptions {
  /** Where the text for people goes: not where JSON goes. */
  readonly print: (text: string) => void;
}

/** Prints and writes an evaluation, and returns the exit code. */
export async function showEvaluation(evaluation: Evaluation, options: ShowOptions): Promise<number> {
  const { input, context } = options;
  const shared = sharedEvaluation(evaluation, { withAnswers: isSet(input, "with-answers") });
  context.stdout(isSet(input, "json") ? `${visibleJson(shared, 2)}\n` : evaluationText(evaluation));
  const print = isSet(input, "json") ? context.stderr : context.stdout;
  const html = textValue(input, "html");
  if (html !== undefined) {
    if (!await writeNamed(html, evaluationPage(evaluation), context)) return NOT_MEASURED;
    print(`Wrote ${html}. Open it in a browser\n`);
  }
  const save = textValue(input, "save");
  if (save !== undefined) {
    const saved = await saveShared(resolve(context.workingDirectory, save), shared)
      .catch((cause) => complainOfWriting(save, cause, context));
    if (saved === undefined) return NOT_MEASURED;
    print(`Wrote ${saved}\n`);
  }
  if (!await keepUnread(evaluation, { ...options, print })) return NOT_MEASURED;
  if (isSet(input, "write") && !await writeConfig(evaluation, { ...options, print })) return NOT_MEASURED;
  const failUnder = numberValue(input, "fail-under");
  const code = exitCodeOf(evaluation, failUnder);
  if (failUnder !== undefined && code !== NOT_MEASURED) print(`${boundText(evaluation, failUnder)}\n`);
  return context.signal.aborted ? INTERRUPTED : code;
}

/** What `--fail-under` compared. */
function boundText({ columns }: Evaluation, failUnder: number): string {
  const { low, n } = throughOf(columns)!;
  const most = wilson(n, n).low;
  const compared = `--fail-under ${failUnder} compares the lower end of the 95% interval through Dragoman, ${
    low.toFixed(3)
  }`;
  if (low >= failUnder) return `${compared}: exit code 0`;
  const reach = most < failUnder
    ? `. With ${n} answers it is at most ${
      most.toFixed(3)
    }, even if all are correct: use --thorough, or a lower share`
    : "";
  return `${compared}: exit code 1${reach}`;
}

function throughOf(columns: Evaluation["columns"]): Evaluation["columns"][number] | undefined {
  return columns.find(({ name }) => name === THROUGH) ?? columns.at(-1);
}

/** The exit code after Ctrl-C. */
const INTERRUPTED = 130;

/** 0: nothing is wrong through Dragoman; 1: something is; 2: nothing could be measured. */
function exitCodeOf({ columns }: Evaluation, failUnder: number | undefined): number {
  const through = throughOf(columns);
  if (through === undefined || through.n === 0) return NOT_MEASURED;
  if (failUnder !== undefined) return through.low < failUnder ? 1 : 0;
  return through.k < through.n ? 1 : 0;
}

/** Keeps answers that no rule reads, so that `derive` can learn from them. */
async function keepUnread({ failures }: Evaluation, { context, print }: Writing): Promise<boolean> {
  const unread = failures.filter(({ finding }) => finding === "unread_dialect");
  if (unread.length === 0) return true;
  const lines = unread.map(({ exchange: { request, text } }) =>
    JSON.stringify({ text, tools: (JSON.parse(request) as { tools?: unknown }).tools })
  );
  if (!await writeNamed(UNREAD_FILE, `${[...new Set(lines)].join("\n")}\n`, context)) return false;
  print(
    `Wrote ${UNREAD_FILE}. For a rule: ${context.command} derive --answers ${UNREAD_FILE} --name my_model\n`,
  );
  return true;
}

/** Writes the settings with a measured gain into the configuration, and shows the difference. */
async function writeConfig(
  evaluation: Evaluation,
  { input, upstream, context, print }: Writing,
): Promise<boolean> {
  if (evaluation.recommended?.strength !== "measured") {
    print("Nothing is written, because no setting improved the results\n");
    return true;
  }
  const file = textValue(input, "config") ?? CONFIG_FILE;
  const before = await textIfPresent(resolve(context.workingDirectory, file))
    .catch((cause) => complainOfReading(file, cause, context));
  if (before === undefined) return false;
  const after = changeConfig(before, { settings: settingsOf(evaluation), upstream });
  if (after === before) {
    print(`${file} already has these settings\n`);
    return true;
  }
  if (!await writeNamed(file, after, context)) return false;
  print(`Changed ${file}:\n${diffOf(before, after)}\n`);
  return true;
}

/** Writes the table, and returns the exit code: 1 if a file of the folder isn't an evaluation. */
export async function collectEvaluations(input: VerbInput, context: CliContext): Promise<number> {
  const [_, folder, ...more] = input.positionals;
  const html = textValue(input, "html");
  if (folder === undefined || more.length > 0 || html === undefined) {
    const help = "write `dragoman evaluate collect evaluations --html table.html`";
    return complainOfUsage({ message: "`evaluate collect` needs a folder and --html FILE", help }, context);
  }
  const read = await readCollection(resolve(context.workingDirectory, folder))
    .catch((cause) => complainOfReading(folder, cause, context));
  if (read === undefined) return NOT_MEASURED;
  complain(read.diagnostics, context);
  const pools = poolReports(read.reports);
  if (!await writeNamed(html, collectionPage(pools), context)) return NOT_MEASURED;
  context.stdout(`Wrote ${html}: ${count(read.reports.length)} reports, ${count(pools.length)} rows\n`);
  return read.diagnostics.length > 0 ? 1 : 0;
}

const WIDTH = 100;

const SHOWN_MAX = 1500;

function evaluationText(evaluation: Evaluation): string {
  const { facts, lost, columns, failures } = evaluation;
  const texts = findingTexts(evaluation);
  const settings = settingsText(evaluation, texts.flatMap(({ remedies }) => remedies));
  const parts = [
    wrapText(verdict(evaluation), WIDTH),
    table(evaluation),
    facts.isVisible === true ? "" : visibilityText(facts.isVisible),
    ...texts.map(({ id, title, layer, means, figures, ...more }) => {
      const lines = [means, figures, ...errorLines(id, failures), ...more.measured, ...more.uncertain];
      return [
        `! ${title}, in the ${layer}`,
        indented(lines),
        // Lines of YAML aren't wrapped: their indentation counts.
        ...more.remedies.flatMap((
          one,
        ) => [indented([`→ ${one.text}`]), ...one.lines.map((line) => `    ${line}`)]),
      ].join("\n");
    }),
    ...lost.slice(0, 3).map(({ task, exchange }) =>
      `Right alone and wrong through Dragoman (${task}):\n${
        indented([
          `asked: ${shown(lastWords(exchange.request), ERROR_MAX)}`,
          `alone: ${shown(answerWords(exchange.raw), ERROR_MAX)}`,
          `Dragoman: ${shown(answerWords(exchange.got), ERROR_MAX)}`,
        ])
      }`
    ),
    settings === undefined ? "" : [settings.intro, ...settings.lines.map((line) => `  ${line}`)].join("\n"),
    columns.length === 0 ? "" : wrapText(RANGE_TEXT, WIDTH),
  ];
  return `${parts.filter((part) => part.trim() !== "").map((part) => part.trimEnd()).join("\n\n")}\n`;
}

function shown(text: string, max = SHOWN_MAX): string {
  return visible(text.length > max ? `${text.slice(0, max)}…` : text);
}

/** The server's first error, if a finding is about errors. */
function errorLines(id: FindingName, failures: Evaluation["failures"]): string[] {
  if (!ABOUT_ERRORS.has(id)) return [];
  const raw = failures.find(({ finding }) => finding === id)?.exchange.raw;
  if (raw === undefined) return [];
  const events = raw.split("\n").map((line) => line.replace(/^data: /, ""));
  const message = [raw, ...events].map((text) => errorOf(text)?.message).find((text) => text !== undefined);
  return [`the server: ${shown(message ?? raw, ERROR_MAX)}`];
}

const ABOUT_ERRORS: ReadonlySet<FindingName> = new Set([
  "tools_refused",
  "schema_refused",
  "parser_failed",
  "request_refused",
  "request_fails",
  "context_cut",
  "error_as_answer",
]);

const ERROR_MAX = 300;

function indented(lines: readonly string[]): string {
  return lines.flatMap((line) => wrapText(line, WIDTH - 4).split("\n")).map((line) => `  ${line}`).join("\n");
}

function table(evaluation: Evaluation): string {
  const { columns, tasks } = evaluation;
  const names = columns.map(({ name }) => name);
  const rows = tasks.map(({ name, why, cells }) => [
    name,
    ...names.map((column) => `${cells[column]?.k ?? 0}/${cells[column]?.n ?? 0}`),
    why,
  ]);
  const all = ["all", ...columns.map(({ k, n }) => `${k}/${n}`), ""];
  const shares = ["95%", ...columns.map(({ low, high }) => `${percent(low)}–${percent(high)}`), ""];
  const others = columns.filter(({ name }) => name !== ALONE && name !== THROUGH).map(({ name }) =>
    wrapText(`${name}: ${columnTitle(name)}${columnRemark(name)}`, WIDTH)
  );
  return [
    printTable(["task", ...names, "a right answer"], [...rows, all, shares]).trimEnd(),
    ...columns.slice(0, 2).map((column) => wrapText(ratesText(column), WIDTH)),
    ...others,
    ...unmeasuredLines(evaluation).map((line) => shown(line)),
  ]
    .join("\n");
}
