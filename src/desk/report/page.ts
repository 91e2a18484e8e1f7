/**
 * Writes a report as one self-contained HTML page: no script, no font, no link. It escapes names, because they come from
 * requests.
 *
 * @module
 */
import type { Reason } from "../../engine/event/reason.ts";
import { REASONS } from "../../engine/event/reasons.ts";
import { share } from "../../engine/diagnostic/figures.ts";
import { barChart, type Series, stackedChart } from "./chart.ts";
import { escapeHtml } from "./escape_html.ts";
import { htmlPage, section } from "./html_page.ts";
import type { Count, Report, Row } from "./report.ts";
import { type ColumnName, rowTable } from "./row_table.ts";

/** The outcomes of the stacked charts. */
const OUTCOMES: readonly Series[] = [
  { name: "transformed", color: "made", of: (row) => row.transformed },
  { name: "would transform", color: "would", of: (row) => row.wouldTransform },
  { name: "left as text", color: "left", of: (row) => row.abstained },
  { name: "failed", color: "broke", of: (row) => row.failed },
];

/** The columns of a table about requests. */
const OF_REQUESTS: readonly ColumnName[] = [
  "requests",
  "errors",
  "printed",
  "reached",
  "nearMisses",
  "candidates",
  "success",
  "accepted",
  "repairs",
  "first",
];

/** Who used what. */
const OF_USE: readonly ColumnName[] = [
  "requests",
  "errors",
  "tokens",
  "printed",
  "reached",
  "first",
  "duration",
];

/** A rule reads texts, not requests. */
const OF_RULES: readonly ColumnName[] = ["candidates", "converted", "success", "accepted", "repairs"];

/** What the two sides of a canary are compared by. */
const OF_MODES: readonly ColumnName[] = ["answers", "errors", "printed", "success", "first", "duration"];

/** The page. */
export function reportPage(report: Report): string {
  const { all, canary } = report;
  return htmlPage({
    title: "Dragoman report",
    intro: periodText(report),
    body: `<dl class="figures">
${figure("Requests", String(all.requests))}
${figure("Error rate", share(all.errorRate))}
${figure("Answers that printed calls as text", share(all.printedAsTextRate))}
${figure("Calls that reached the agent as text", String(all.reachedAsText))}
${figure("Near misses", String(all.nearMisses))}
${figure("Candidates", String(all.candidates))}
${figure("Transformation rate", share(all.transformationRate))}
${figure("Success rate", share(all.successRate))}
${figure("Accepted", share(all.acceptanceRate))}
</dl>
${section("Candidates by day", stackedChart(report.days.toReversed(), OUTCOMES))}
${rowSection("Rules", { rows: report.rules, head: "Rule", columns: OF_RULES })}
${section("Calls that reached the agent as text, by model", barChart(reached(report.models)))}
${rowSection("Models", { rows: report.models, head: "Model", columns: OF_REQUESTS, isDrawn: false })}
${rowSection("Clients", { rows: report.clients, head: "Client", columns: OF_REQUESTS, isDrawn: false })}
${rowSection("APIs", { rows: report.wires, head: "API", columns: OF_REQUESTS, isDrawn: false })}
${rowSection("Client keys", { rows: report.keys, head: "Key", columns: OF_USE, isDrawn: false })}
${rowSection("Upstreams", { rows: report.upstreams, head: "Upstream", columns: OF_USE, isDrawn: false })}
${
      rowSection("Live, dry run and the other side of the canary", {
        rows: report.modes,
        head: "Mode",
        columns: OF_MODES,
        remark: canary === null ? "" : `Converted: ${share(canary.share)} of answers. ${canary.sentence}`,
      })
    }
${section("Why text stayed text", barChart(reasons(report.abstained)))}
${section("Repairs", barChart(reasons(report.repaired)))}
${section("Recognized tools", barChart(bars(report.tools)))}`,
    footer: `${report.unreadable} lines unreadable, ${report.lost} lines lost`,
  });
}

function periodText({ period }: Report): string {
  if (period === null) return "No requests";
  const time = (text: string) =>
    `<time datetime="${escapeHtml(text)}">${escapeHtml(text.slice(0, 16).replace("T", " "))}</time>`;
  return `${time(period.from)} to ${time(period.to)}, UTC`;
}

function figure(name: string, value: string): string {
  return `<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

interface RowSection {
  readonly rows: readonly Row[];
  readonly head: string;
  readonly columns: readonly ColumnName[];
  readonly remark?: string;
  /** False if another section has the chart. */
  readonly isDrawn?: boolean;
}

function rowSection(title: string, { rows, head, columns, remark = "", isDrawn = true }: RowSection): string {
  const chart = isDrawn || rows.length === 0 ? stackedChart(rows, OUTCOMES) : "";
  const table = rowTable(rows, { title, head, columns });
  return section(title, chart + table + (remark === "" ? "" : `<p>${escapeHtml(remark)}</p>`));
}

function reached(rows: readonly Row[]) {
  return rows.filter(({ printedCalls }) => printedCalls > 0).map((row) => ({
    name: row.name,
    value: row.reachedAsText,
    label: `${row.reachedAsText} of ${row.printedCalls}`,
  }));
}

function bars(counts: readonly Count[]) {
  return counts.map(({ name, count }) => ({ name, value: count, label: String(count) }));
}

/** Reason codes as bars, each with its meaning, whose names are in backticks as in Markdown. */
function reasons(counts: readonly Count[]) {
  return bars(counts).map((bar) =>
    Object.hasOwn(REASONS, bar.name)
      ? { ...bar, remark: REASONS[bar.name as Reason].meaning.replaceAll("`", "") }
      : bar
  );
}
