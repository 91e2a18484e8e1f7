/**
 * Writes a report as one self-contained HTML page: no script, no font, no link. It escapes names, because they come from
 * requests.
 *
 * @module
 */
import { barChart, type Series, stackedChart } from "./chart.ts";
import { escapeHtml, percent } from "./format.ts";
import type { Count, Report, Row } from "./report.ts";

/** The outcomes of the stacked charts. */
const OUTCOMES: readonly Series[] = [
  { name: "transformed", colour: "#2f9e6e", of: (row) => row.transformed },
  { name: "would transform", colour: "#4c7bd9", of: (row) => row.wouldTransform },
  { name: "abstained", colour: "#b9a24a", of: (row) => row.abstained },
  { name: "failed", colour: "#c8503c", of: (row) => row.failed },
];

/** The most rows of a table. */
const ROWS_SHOWN = 50;

/** The page. */
export function reportPage(report: Report): string {
  const { all, period } = report;
  const span = period === null ? "no requests" : `${period.from} to ${period.to}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Dragoman report</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Dragoman report</h1>
<p>${escapeHtml(span)}</p>
<dl>
${figure("Requests", String(all.requests))}
${figure("Candidates", String(all.candidates))}
${figure("Transformation rate", percent(all.transformationRate))}
${figure("Success rate", percent(all.successRate))}
${figure("Error rate", percent(all.errorRate))}
${figure("Leak rate", percent(all.leakRate))}
${figure("Near misses", String(all.nearMisses))}
${figure("Accepted", percent(all.acceptanceRate))}
</dl>
${section("Candidates by day", stackedChart(report.days, OUTCOMES))}
${section("Candidates by rule", stackedChart(report.rules, OUTCOMES) + table("Rule", report.rules))}
${section("Leak rate by model", barChart(leaks(report.models)) + table("Model", report.models))}
${section("Clients", table("Client", report.clients))}
${
    section(
      "Live, dry run and the other side of the canary",
      stackedChart(report.modes, OUTCOMES) + table("Mode", report.modes) +
        (report.canary === null ? "" : `<p>${escapeHtml(report.canary.sentence)}</p>`),
    )
  }
${section("Why text stayed text", barChart(bars(report.abstained)))}
${section("Repairs", barChart(bars(report.repaired)))}
${section("Recognized tools", barChart(bars(report.tools)))}
<footer>${report.unreadable} lines unreadable, ${report.lost} lines lost</footer>
</body>
</html>
`;
}

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: 0; }
h2 { font-size: 1.1rem; margin-top: 2.5rem; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem; }
dl div { border: 1px solid #8884; border-radius: .5rem; padding: .6rem .8rem; }
dt { font-size: .8rem; opacity: .7; }
dd { margin: 0; font-size: 1.4rem; font-variant-numeric: tabular-nums; }
svg { width: 100%; height: auto; }
svg text { font: 12px system-ui, sans-serif; fill: currentColor; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .25rem .5rem; border-bottom: 1px solid #8884; }
th:first-child, td:first-child { text-align: left; overflow-wrap: anywhere; }
footer { margin: 3rem 0; opacity: .7; }
`;

function figure(name: string, value: string): string {
  return `<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function section(title: string, body: string): string {
  return `<section><h2>${escapeHtml(title)}</h2>${body}</section>`;
}

function leaks(rows: readonly Row[]) {
  return rows.flatMap(({ name, leakRate }) =>
    leakRate === null ? [] : [{ name, value: leakRate, label: percent(leakRate) }]
  );
}

function bars(counts: readonly Count[]) {
  return counts.map(({ name, count }) => ({ name, value: count, label: String(count) }));
}

function table(head: string, rows: readonly Row[]): string {
  if (rows.length === 0) return "";
  const body = rows.slice(0, ROWS_SHOWN).map((row) =>
    `<tr><td>${escapeHtml(row.name)}</td><td>${row.requests || "–"}</td><td>${row.candidates}</td>` +
    `<td>${percent(row.transformationRate)}</td><td>${percent(row.successRate)}</td>` +
    `<td>${percent(row.leakRate)}</td><td>${row.nearMisses}</td><td>${percent(row.acceptanceRate)}</td>` +
    `<td>${row.repairs}</td></tr>`
  );
  return `<table><thead><tr><th>${head}</th><th>Requests</th><th>Candidates</th><th>Transformed</th>` +
    `<th>Success</th><th>Leak rate</th><th>Near misses</th><th>Accepted</th><th>Repairs</th></tr></thead><tbody>${
      body.join("")
    }</tbody></table>`;
}
