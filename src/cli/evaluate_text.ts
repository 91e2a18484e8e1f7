/**
 * An evaluation for the terminal: verdict, table, findings with advice, what to set, and the answers that Dragoman made worse.
 *
 * @module
 */
import { visible } from "../engine/diagnostic/visible.ts";
import { columnTitle, findingText, percent, settingsOf, verdict } from "../lab/evaluate/advice.ts";
import { ALONE, type Evaluation, THROUGH } from "../lab/evaluate/evaluation.ts";
import type { FindingName } from "../lab/evaluate/findings.ts";
import { printTable } from "./table.ts";
import { wrapText } from "./wrap.ts";

/** The longest line. */
const WIDTH = 100;

/** How much of an answer is printed. */
const SHOWN_MAX = 1500;

/** The text, with a final newline. */
export function evaluationText(evaluation: Evaluation): string {
  const { facts, findings, lost, columns, failures } = evaluation;
  const parts = [
    wrapText(verdict(evaluation), WIDTH),
    table(evaluation),
    facts.isVisible === false
      ? "The tools don't reach the prompt: it has as many tokens with them as without."
      : facts.isVisible === undefined
      ? "Whether the tools reach the prompt is unknown: the server states no tokens of the prompt."
      : "",
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
    settingsText(evaluation),
    columns.length === 0 ? "" : wrapText(
      "The percentages are intervals of 95 % for these tasks; other tasks, other prompts and longer conversations can differ.",
      WIDTH,
    ),
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

/** How much of an error is printed. */
const ERROR_MAX = 300;

function indented(lines: readonly string[]): string {
  return lines.flatMap((line) => wrapText(line, WIDTH - 4).split("\n")).map((line) => `  ${line}`).join("\n");
}

function table({ columns, tasks, unmeasured }: Evaluation): string {
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
  const causes = Object.entries(unmeasured).map(([cause, times]) =>
    `Not measured, and not counted as wrong (${times}): ${shown(cause)}`
  );
  return [
    printTable(["task", ...names, "a right answer"], [...rows, all, shares]).trimEnd(),
    ...others,
    ...causes,
  ]
    .join("\n");
}

/** What to set, as YAML. */
function settingsText(evaluation: Evaluation): string {
  const settings = settingsOf(evaluation);
  if (settings.length === 0) return "";
  const lines = settings.map(([path, value]) =>
    path[0] === "UPSTREAM"
      ? `  upstreams[]: ${path.slice(1).join(".")}: ${value}`
      : `  ${path.join(".")}: ${value}`
  );
  const intro = evaluation.recommended?.strength === "measured"
    ? "Set in dragoman.yaml (--write does that):"
    : "To try in dragoman.yaml:";
  return [intro, ...lines].join("\n");
}
