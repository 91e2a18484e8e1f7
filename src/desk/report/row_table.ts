/**
 * Writes rows of figures as a table. On a narrow screen, the style sheet shows each row as a block of its own; the roles keep
 * the table a table for screen readers, and each cell carries its column's heading.
 *
 * @module
 */
import { escapeHtml } from "./escape_html.ts";
import { duration, share } from "../../engine/diagnostic/figures.ts";
import type { Row } from "./report.ts";

/** One column. */
interface Column {
  readonly head: string;
  readonly of: (row: Row) => string;
}

/** The columns that a table can have. */
const COLUMNS = {
  requests: { head: "Requests", of: ({ requests }) => String(requests) },
  errors: { head: "Errors", of: ({ errorRate }) => share(errorRate) },
  answers: { head: "Answers with tools", of: ({ answers }) => String(answers) },
  printed: { head: "Printed calls as text", of: ({ printedAsTextRate }) => share(printedAsTextRate) },
  reached: { head: "Reached the agent as text", of: ({ reachedAsText }) => String(reachedAsText) },
  tokens: { head: "Tokens", of: ({ tokens }) => String(tokens) },
  nearMisses: { head: "Near misses", of: ({ nearMisses }) => String(nearMisses) },
  candidates: { head: "Candidates", of: ({ candidates }) => String(candidates) },
  converted: { head: "Transformed", of: ({ transformationRate }) => share(transformationRate) },
  success: { head: "Success", of: ({ successRate }) => share(successRate) },
  accepted: { head: "Accepted", of: ({ acceptanceRate }) => share(acceptanceRate) },
  repairs: { head: "Repairs", of: ({ repairs }) => String(repairs) },
  first: { head: "First token", of: ({ firstMsMean }) => duration(firstMsMean) },
  duration: { head: "Duration", of: ({ durationMsMean }) => duration(durationMsMean) },
} satisfies Record<string, Column>;

/** The name of a column. */
export type ColumnName = keyof typeof COLUMNS;

/** The most rows of a table. */
const ROWS_MAX = 50;

/** A table, or nothing without rows. */
export function rowTable(
  rows: readonly Row[],
  { title, head, columns }: { title: string; head: string; columns: readonly ColumnName[] },
): string {
  const shown: readonly Column[] = columns.map((name) => COLUMNS[name]);
  const filled = rows.map((row) => ({ name: row.name, cells: shown.map(({ of }) => of(row)) }));
  return textTable(filled, { title, heads: [head, ...shown.map(({ head }) => head)] });
}

/** One row of texts. */
export interface TextRow {
  readonly name: string;
  readonly cells: readonly string[];
}

/** A table of texts, or nothing without rows. The first heading is that of the names. */
export function textTable(
  rows: readonly TextRow[],
  { title, heads, hasWords = false }: {
    readonly title: string;
    readonly heads: readonly string[];
    /** Whether cells have words, which may break. */
    readonly hasWords?: boolean;
  },
): string {
  if (rows.length === 0) return "";
  const head = heads.map((text) => `<th role="columnheader" scope="col">${escapeHtml(text)}</th>`);
  const body = rows.slice(0, ROWS_MAX).map(({ name, cells }) =>
    `<tr role="row"><th role="rowheader" scope="row">${escapeHtml(name)}</th>${
      cells.map((cell, at) =>
        `<td role="cell" data-head="${escapeHtml(heads[at + 1] ?? "")}">${escapeHtml(cell)}</td>`
      ).join("")
    }</tr>`
  );
  const more = rows.length > ROWS_MAX
    ? `<p class="more">${rows.length - ROWS_MAX} more are not shown</p>`
    : "";
  return `<table role="table"${hasWords ? ' class="words"' : ""} aria-label="${
    escapeHtml(title)
  }"><thead role="rowgroup"><tr role="row">${head.join("")}</tr></thead><tbody role="rowgroup">${
    body.join("")
  }</tbody></table>${more}`;
}
