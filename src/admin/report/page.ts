/** Writes a report as one self-contained HTML page, without scripts. It escapes names, which come from requests. @module */
import type { Reason } from "../../engine/event/reason.ts";
import { REASONS } from "../../engine/event/reasons.ts";
import { ENDS } from "../audit/ends.ts";
import { count, share } from "../../engine/diagnostic/figures.ts";
import type { ColumnName } from "../figures/columns.ts";
import { escapeHtml } from "../figures/escape_html.ts";
import { chartsOf, drawChart } from "../figures/line_chart.ts";
import { type Tile, tilesOf } from "../figures/tiles.ts";
import { type Bar, barChart } from "./bar_chart.ts";
import { htmlPage, section } from "./html_page.ts";
import type { Count, Report, Row } from "./report.ts";
import { rowTable } from "./row_table.ts";

const OF_REQUESTS: readonly ColumnName[] = [
  "requests",
  "errorRate",
  "printed",
  "reached",
  "nearMisses",
  "candidates",
  "success",
  "accepted",
  "repairs",
  "first",
];

const OF_USE: readonly ColumnName[] = [
  "requests",
  "errorRate",
  "tokens",
  "printed",
  "reached",
  "first",
  "total",
];

/** A rule reads texts, not requests. */
const OF_RULES: readonly ColumnName[] = ["candidates", "converted", "success", "accepted", "repairs"];

const OF_MODES: readonly ColumnName[] = ["answers", "errorRate", "printed", "success", "first", "total"];

export function reportPage(report: Report): string {
  const { all, canary } = report;
  return htmlPage({
    title: "Dragoman report",
    intro: periodText(report),
    body: `<dl class="figures">
${tilesOf(all).map(tile).join("\n")}
${
      tile({
        name: "Candidates",
        value: count(all.candidates),
        note: `${share(all.transformationRate)} transformed`,
      })
    }
</dl>
${section("By day", dayCharts(report.days))}
${section("Candidates by day", barChart(outcomes(report.days.toReversed())))}
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
${section("Why calls were cut off or lost", barChart(reasons(report.broken)))}
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

function tile({ name, value, note }: Tile): string {
  return `<div><dt>${name}</dt><dd>${value}</dd><dd class="more">${note}</dd></div>`;
}

function dayCharts(days: readonly Row[]): string {
  if (days.length === 0) return "<p>Nothing to show</p>";
  const times = days.map(({ name }) => Date.parse(name) / 1000);
  const format = (seconds: number) => new Date(seconds * 1000).toISOString().slice(5, 10);
  const charts = chartsOf(days).map((chart) =>
    `<figure class="chart">${drawChart(chart, { times, format })}</figure>`
  );
  return `<div class="charts">${charts.join("")}</div>`;
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
  const chart = isDrawn || rows.length === 0 ? barChart(outcomes(rows)) : "";
  const table = rowTable(rows, { title, head, columns });
  return section(title, chart + table + (remark === "" ? "" : `<p>${escapeHtml(remark)}</p>`));
}

/** What became of the candidates of each row, in colors and in words. */
function outcomes(rows: readonly Row[]): readonly Bar[] {
  return rows.filter(({ candidates }) => candidates > 0).map((row) => {
    const ends = [
      ["made", row.transformed],
      ["would", row.wouldTransform],
      ["left", row.abstained],
      ["broken", row.failed],
      ["lost", row.lost],
    ] as const;
    const parts = ends.map(([end, value]) => {
      const { word, color } = ENDS[end];
      return { name: end === "made" && value !== 1 ? "calls" : word, color, value };
    });
    const remark = parts.filter(({ value }) => value > 0).map(({ name, value }) => `${value} ${name}`);
    const { name, candidates: value } = row;
    return { name, value, label: String(value), remark: remark.join(", "), parts };
  });
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
