/**
 * An evaluation for the terminal: verdict, table, findings with advice, what to set, and the answers that Dragoman made worse.
 *
 * @module
 */
import { visible } from "../engine/diagnostic/visible.ts";
import {
  columnTitle,
  findingText,
  percent,
  RANGE_TEXT,
  settingsText,
  unmeasuredLines,
  verdict,
  visibilityText,
} from "../lab/evaluate/advice.ts";
import { ALONE, type Evaluation, THROUGH } from "../lab/evaluate/evaluation.ts";
import type { FindingName } from "../lab/evaluate/findings.ts";
import { printTable } from "./table.ts";
import { wrapText } from "./wrap.ts";

const WIDTH = 100;

/** How much of an answer is printed. */
const SHOWN_MAX = 1500;

export function evaluationText(evaluation: Evaluation): string {
  const { facts, findings, lost, columns, failures } = evaluation;
  const settings = settingsText(evaluation);
  const parts = [
    wrapText(verdict(evaluation), WIDTH),
    table(evaluation),
    facts.isVisible === true ? "" : visibilityText(facts.isVisible),
    ...findings.map((finding) => {
      const { title, layer, means, figures, advice } = findingText(finding, evaluation);
      const lines = [
        means,
        figures,
        ...errorLines(finding.id, failures),
        ...advice.map((line) => `→ ${line}`),
      ];
      return `! ${title}, in the ${layer}\n${indented(lines)}`;
    }),
    ...lost.slice(0, 3).map(({ task, exchange }) =>
      `Right alone and wrong through Dragoman (${task}):\n${
        indented([`alone: ${shown(exchange.raw)}`, `Dragoman: ${shown(exchange.got)}`])
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
  return raw === undefined ? [] : [`the server: ${shown(raw, ERROR_MAX)}`];
}

const ABOUT_ERRORS: ReadonlySet<FindingName> = new Set([
  "tools_refused",
  "schema_refused",
  "parser_failed",
  "request_refused",
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
  const shares = ["95 %", ...columns.map(({ low, high }) => `${percent(low)}–${percent(high)}`), ""];
  const others = columns.filter(({ name }) => name !== ALONE && name !== THROUGH).map(({ name }) =>
    `${name}: ${columnTitle(name)}`
  );
  return [
    printTable(["task", ...names, "a right answer"], [...rows, all, shares]).trimEnd(),
    ...others,
    ...unmeasuredLines(evaluation).map((line) => shown(line)),
  ]
    .join("\n");
}
