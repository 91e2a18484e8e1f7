/** Writes rows as a table. On a narrow screen, a row is a block; roles keep it a table for screen readers. @module */
import { type ColumnName, columnsOf } from "../figures/columns.ts";
import { escapeHtml } from "../figures/escape_html.ts";
import type { Row } from "./report.ts";

const ROWS_MAX = 50;

export function rowTable(
  rows: readonly Row[],
  { title, head, columns }: { title: string; head: string; columns: readonly ColumnName[] },
): string {
  const shown = columnsOf(columns);
  const filled = rows.map((row) => ({ name: row.name, cells: shown.map(({ of }) => of(row)) }));
  return textTable(filled, { title, heads: [head, ...shown.map(({ title }) => title)] });
}

export interface TextRow {
  readonly name: string;
  readonly cells: readonly string[];
}

/** A table of texts, or nothing without rows. The first heading is that of the names. */
export function textTable(rows: readonly TextRow[], { title, heads, hasWords = false }: {
  readonly title: string;
  readonly heads: readonly string[];
  /** Whether cells have words, which may break. */
  readonly hasWords?: boolean;
}): string {
  if (rows.length === 0) return "";
  const head = heads.map((text) => `<th role="columnheader" scope="col">${escapeHtml(text)}</th>`);
  const body = rows.slice(0, ROWS_MAX).map(({ name, cells }) =>
    `<tr role="row"><th role="rowheader" scope="row">${escapeHtml(name)}</th>${
      cells.map((cell, at) =>
        `<td role="cell" data-head="${escapeHtml(heads[at + 1] ?? "")}">${escapeHtml(cell)}</td>`
      ).join("")
    }</tr>`
  );
  const more = rows.length > ROWS_MAX ? `<p class="more">${rows.length - ROWS_MAX} more not shown</p>` : "";
  return `<table role="table"${hasWords ? ' class="words"' : ""} aria-label="${
    escapeHtml(title)
  }"><thead role="rowgroup"><tr role="row">${head.join("")}</tr></thead><tbody role="rowgroup">${
    body.join("")
  }</tbody></table>${more}`;
}
