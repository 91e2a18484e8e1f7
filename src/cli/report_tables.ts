/** Formats a report as tables for a terminal. @module */
import { ENDS } from "../admin/audit/ends.ts";
import { duration, share } from "../engine/diagnostic/figures.ts";
import type { Count, Report, Row } from "../admin/report/report.ts";
import { printTable } from "./table.ts";
import { visible } from "../engine/diagnostic/visible.ts";

const ROWS_SHOWN = 20;

export function reportTables(report: Report): string {
  const { all, period, unreadable, lost } = report;
  const remarks = [
    ...(unreadable === 0 ? [] : [`${unreadable} lines could not be read and were skipped`]),
    ...(lost === 0 ? [] : [`${lost} lines were lost because the log couldn't be written`]),
  ];
  return [
    period === null ? "No requests\n" : `From ${period.from} to ${period.to}\n`,
    `\n${
      printTable([
        "requests",
        "candidates",
        "attempts",
        "success",
        "errors",
        "printed calls as text",
        "reached the agent as text",
        "near misses",
        "accepted",
        "first token",
        "added",
      ], [[
        String(all.requests),
        String(all.candidates),
        String(all.attempts),
        share(all.successRate),
        share(all.errorRate),
        share(all.printedAsTextRate),
        `${all.reachedAsText} of ${all.printedCalls}`,
        String(all.nearMisses),
        partOf(all.accepted, all.accepted + all.rejected),
        duration(all.firstMsMean),
        duration(all.addedMsMean),
      ]])
    }`,
    rowTable("rule", report.rules),
    rowTable("model", report.models),
    rowTable("client", report.clients),
    // A single one has nothing to compare with.
    report.wires.length < 2 ? "" : rowTable("API", report.wires),
    useTable("client key", report.keys),
    useTable("upstream", report.upstreams),
    rowTable("day", report.days),
    // A single mode has nothing to compare with.
    report.modes.length < 2 ? "" : rowTable("mode", report.modes),
    canaryText(report),
    countTable("recognized tools", report.tools),
    countTable("why text stayed text", report.abstained),
    countTable("why calls were cut off or lost", report.broken),
    countTable("repairs", report.repaired),
    remarks.length === 0 ? "" : `\n${remarks.join("\n")}\n`,
  ].join("");
}

/** `9 of 10`, or a dash if there are none. */
function partOf(part: number, whole: number): string {
  return whole === 0 ? "–" : `${part} of ${whole}`;
}

/** The sides of the canary next to each other, and whether their difference can be chance. */
function canaryText({ canary, modes }: Report): string {
  if (canary === null) return "";
  const sides = modes.filter(({ name }) => name === "live" || name === "excluded").map((side) => [
    side.name,
    String(side.answers),
    share(side.errorRate),
    partOf(side.reachedAsText, side.printedCalls),
    share(side.successRate),
    duration(side.firstMsMean),
    duration(side.durationMsMean),
  ]);
  const head = [
    "canary",
    "answers",
    "errors",
    "reached the agent as text",
    "success",
    "first token",
    "duration",
  ];
  return `\n${printTable(head, sides)}Converted: ${share(canary.share)} of answers. ${canary.sentence}\n`;
}

function rowTable(name: string, rows: readonly Row[]): string {
  if (rows.length === 0) return "";
  return `\n${
    printTable(
      [
        name,
        "requests",
        "candidates",
        ...(["made", "would", "left", "broken", "lost"] as const).map((end) => ENDS[end].title.toLowerCase()),
        "success",
        "reached as text",
        "near misses",
        "accepted",
      ],
      rows.slice(0, ROWS_SHOWN).map((row) => [
        visible(row.name),
        row.requests === 0 ? "–" : String(row.requests),
        String(row.candidates),
        String(row.transformed),
        String(row.wouldTransform),
        String(row.abstained),
        String(row.failed),
        String(row.lost),
        share(row.successRate),
        String(row.reachedAsText),
        String(row.nearMisses),
        partOf(row.accepted, row.accepted + row.rejected),
      ]),
    )
  }`;
}

/** Who used what; a single one has nothing to compare with. */
function useTable(name: string, rows: readonly Row[]): string {
  if (rows.length < 2) return "";
  const cells = rows.slice(0, ROWS_SHOWN).map((row) => [
    visible(row.name),
    String(row.requests),
    String(row.errors),
    String(row.tokens),
    duration(row.firstMsMean),
    duration(row.durationMsMean),
  ]);
  return `\n${printTable([name, "requests", "errors", "tokens", "first token", "duration"], cells)}`;
}

function countTable(name: string, counts: readonly Count[]): string {
  if (counts.length === 0) return "";
  const rows = counts.slice(0, ROWS_SHOWN).map(({ name, count }) => [visible(name), String(count)]);
  return `\n${printTable([name, "count"], rows)}`;
}
