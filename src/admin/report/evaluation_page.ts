/** Writes an evaluation as one self-contained page: verdict, figures, tasks, findings with remedies, wrong answers. @module */
import { parseJson } from "../../engine/object/parse.ts";
import {
  checkText,
  columnText,
  comparisonText,
  findingTexts,
  percent,
  RANGE_TEXT,
  ratesText,
  SUMMARY_MAX,
  summaryTexts,
  unmeasuredLines,
  verdict,
  visibilityText,
} from "../../analysis/evaluate/advice.ts";
import {
  brokenTexts,
  columnRemark,
  columnTitle,
  type Remedy,
  settingsText,
} from "../../analysis/evaluate/remedies.ts";
import type { Evaluation } from "../../analysis/evaluate/evaluation.ts";
import type { Sample } from "../../analysis/evaluate/sample.ts";
import { FINDINGS } from "../../analysis/evaluate/findings.ts";
import { bareName } from "../../analysis/evaluate/shared_file.ts";
import { barChart } from "./bar_chart.ts";
import { plural } from "../../engine/diagnostic/figures.ts";
import { escapeHtml } from "../figures/escape_html.ts";
import { textTable } from "./row_table.ts";
import { shellQuoted } from "../page/curl.ts";
import { htmlPage, section } from "./html_page.ts";

/** How much of a request and of an answer is shown, in characters. */
const SHOWN_MAX = 20_000;

export function evaluationPage(evaluation: Evaluation): string {
  const { facts, columns, tasks, findings, comparisons, lost, failures } = evaluation;
  const { server, date, battery, mode, repeats, isVisible } = facts;
  const names = columns.map(({ name }) => name);
  const where = server === undefined
    ? "an unknown server"
    : [server.kind, server.version ?? ""].join(" ").trim();
  const details = `${date}, on ${where}: ${plural(tasks.length, "task")} (${mode}), each asked ${
    plural(repeats, "time")
  }`;
  return htmlPage({
    title: `Tool calls by ${bareName(facts.model)}`,
    intro: escapeHtml(details),
    body: [
      `<p class="verdict">${escapeHtml(plain(verdict(evaluation)))}</p>`,
      section("What to change, and why", summary(evaluation)),
      section(
        "Right answers",
        barChart(
          columns.map((column) => ({
            name: column.name,
            value: column.n === 0 ? 0 : column.k / column.n,
            label: `${column.k}/${column.n}`,
            remark: plain(`${columnTitle(column.name)}${columnRemark(column.name)}: ${columnText(column)}`),
          })),
          1,
        ) +
          list(columns.slice(0, 2).map(ratesText)) +
          list(
            comparisons.filter(({ column, against, won, lost }) =>
              won + lost > 0 && against === (column === names[1] ? names[0] : names[1])
            ).map((one) => `${one.column} against ${one.against}: ${comparisonText(one)}`),
          ) +
          `<p class="more">${RANGE_TEXT}${findings.length === 0 ? "" : ` ${DIFFERENCE_TEXT}`}${
            isVisible === true ? "" : ` ${escapeHtml(visibilityText(isVisible))}`
          }</p>`,
      ),
      section(
        "Findings",
        findings.length === 0
          ? "<p>None of these answers is wrong.</p>"
          : findingTexts(evaluation).map(({ title, layer, means, figures, ...texts }, at) => {
            // What is in the summary isn't shown twice.
            const isInSummary = at < SUMMARY_MAX;
            return `<h3>${escapeHtml(plain(means))}</h3>` +
              `<p class="more">${escapeHtml(`${title}, in the ${layer}: ${figures}`)}</p>` +
              list([...texts.measured, ...isInSummary ? [] : texts.uncertain]) +
              (isInSummary ? "" : remedyList(texts.remedies));
          }).join(""),
      ),
      section(
        "Tasks",
        textTable(
          tasks.map(({ name, why, cells }) => ({
            name,
            cells: [...names.map((one) => `${cells[one]?.k ?? 0}/${cells[one]?.n ?? 0}`), plain(why)],
          })),
          { title: "Tasks", heads: ["Task", ...names, "A right answer"], hasWords: true },
        ) + unmeasuredText(evaluation),
      ),
      section(
        "Wrong answers",
        failures.length === 0
          ? "<p>There is none.</p>"
          : failuresIntro(evaluation) + failures.map(failure).join(""),
      ),
      lost.length === 0
        ? ""
        : `<p class="warning">${
          escapeHtml("Dragoman made right answers wrong. Please report that with the answers above.")
        }</p>`,
    ].join("\n"),
    footer: `Dragoman ${escapeHtml(facts.dragoman)}, task version ${
      escapeHtml(battery)
    }. This page includes the task prompts and the model's output, but no addresses or keys`,
  });
}

/** Text without the marks of code. */
function plain(text: string): string {
  return text.replaceAll("`", "");
}

function list(lines: readonly string[]): string {
  if (lines.length === 0) return "";
  return `<ul class="more">${lines.map((line) => `<li>${escapeHtml(plain(line))}</li>`).join("")}</ul>`;
}

/** What a reader does next, with the reason, before any figure. */
function summary(evaluation: Evaluation): string {
  const texts = summaryTexts(evaluation);
  const items = texts.map(({ what, where, example, intro, remedies, uncertain }) =>
    `<li><p><strong>${escapeHtml(plain(what))}.</strong> ${escapeHtml(plain(where))}</p>${
      example === undefined ? "" : `<p class="more">${escapeHtml(plain(example))}</p>`
    }<p>${intro}</p>${remedyList(remedies)}${list(uncertain)}</li>`
  );
  const settings = settingsText(evaluation, texts.flatMap(({ remedies }) => remedies));
  const shown = settings === undefined
    ? ""
    : `<p>${escapeHtml(settings.intro)}</p>${settings.lines.length === 0 ? "" : yaml(settings.lines)}`;
  const isEmpty = evaluation.columns.every(({ n }) => n === 0);
  if (items.length === 0) return isEmpty ? "" : `<p>Nothing: none of these answers is wrong.</p>${shown}`;
  const more = evaluation.findings.length - items.length;
  return `<p class="more">${ROLES}</p><ol>${items.join("")}</ol>${shown}` +
    `<p>${escapeHtml(plain(checkText(evaluation)))}</p>` +
    (more > 0 ? `<p class="more">${plural(more, "more finding")} below</p>` : "");
}

const DIFFERENCE_TEXT =
  "“+9 −0” means: 9 answers to the same question are right only in the column that is named first, none only in the other; " +
  "p is how likely such a difference is by chance.";

/** Who is who, for a reader of this page alone. */
const ROLES =
  "An agent sends requests to the model server and runs the tool calls in its answers. Dragoman is a proxy between the two, " +
  "which reads and repairs calls; “alone” is the server without it. Its configuration is the file dragoman.yaml: a running " +
  "Dragoman applies changes to the file at once, and they affect only agents that go through Dragoman. A wrong answer with " +
  "several faults counts only under the first of them: an error, then where the call is, then its form, then its values.";

function remedyList(remedies: readonly Remedy[]): string {
  const items = remedies.map(({ text, lines }) =>
    `<li>${escapeHtml(plain(text))}${lines.length === 0 ? "" : yaml(lines)}</li>`
  );
  return items.length === 0 ? "" : `<ul class="advice">${items.join("")}</ul>`;
}

function yaml(text: readonly string[]): string {
  return `<pre tabindex="0" aria-label="Settings">${lines(text.join("\n"))}</pre>`;
}

function unmeasuredText(evaluation: Evaluation): string {
  const shares = evaluation.columns.map(({ name, low, high }) =>
    `${name}: ${percent(low)} to ${percent(high)}`
  );
  const broken = evaluation.columns.slice(2).flatMap(({ name }) =>
    brokenTexts(evaluation, name).map((text) => `${name}: ${text}`)
  );
  return list([`All tasks, 95%: ${shares.join("; ")}`, ...broken, ...unmeasuredLines(evaluation)]);
}

function failuresIntro({ columns, failures }: Evaluation): string {
  const wrong = columns.slice(0, 2).reduce((sum, { k, n }) => sum + n - k, 0);
  return `<p class="more">Examples: ${failures.length} of ${
    plural(wrong, "wrong answer")
  }. In the commands, $UPSTREAM is the server's address up to /v1, and $KEY its key, if it needs one: set both in your ` +
    `shell first.</p>`;
}

function failure({ task, repeat, column, finding, exchange }: Sample): string {
  const means = finding === undefined ? "" : FINDINGS[finding].means;
  const shown = (title: string, text: string) =>
    `<p>${title}</p><pre tabindex="0" aria-label="${title}">${lines(cut(text))}</pre>`;
  return `<details><summary>${
    escapeHtml(`${task}, repeat ${repeat + 1}, ${column}: ${finding ?? ""}`)
  }</summary><p>${escapeHtml(plain(means))}</p>` +
    shown("Request", indented(exchange.request)) +
    shown("The server's answer", exchange.raw) +
    (exchange.got === exchange.raw ? "" : shown("What the agent gets", exchange.got)) +
    (exchange.request.length > SHOWN_MAX
      ? `<p>Ask again: the request is too long for a command on this page (${
        plural(exchange.request.length, "character")
      })</p>`
      : shown("Ask again", curlOf(exchange.request))) +
    "</details>";
}

/** Escaped text that keeps its line breaks. */
function lines(text: string): string {
  return text.split("\n").map(escapeHtml).join("\n");
}

function cut(text: string): string {
  return text.length > SHOWN_MAX
    ? `${text.slice(0, SHOWN_MAX)}\n… ${text.length - SHOWN_MAX} more characters`
    : text;
}

function indented(json: string): string {
  const value = parseJson(json);
  return value === undefined ? json : JSON.stringify(value, null, 2);
}

/** A command for a shell; the address and the key are in variables, so that the page has neither. */
function curlOf(request: string): string {
  return `curl "$UPSTREAM/chat/completions" -H "authorization: Bearer $KEY" -H 'content-type: application/json' -d ${
    shellQuoted(request)
  }`;
}
