/**
 * Draws horizontal bar charts as lists: the text of a bar is HTML, and only the bar itself is SVG, with widths in percent.
 * So a chart needs no script and no inline style, and its text keeps its size on a narrow screen.
 *
 * @module
 */
import { escapeHtml } from "./escape_html.ts";
import type { Row } from "./report.ts";

/** One bar. */
export interface Bar {
  /** The label. */
  readonly name: string;
  /** The length. */
  readonly value: number;
  /** The text at the end. */
  readonly label: string;
  /** A sentence below the name. */
  readonly remark?: string;
}

/** One color of a stacked chart. */
export interface Series {
  /** The meaning of the color. */
  readonly name: string;
  /** The class in the style sheet that has the color. */
  readonly color: string;
  /** Its share of a row. */
  readonly of: (row: Row) => number;
}

/** The most bars of a chart. */
const BARS_MAX = 30;

const NOTHING = "<p>Nothing to show</p>";

/** One bar per name, as long as its share of `whole`, or of the largest value. */
export function barChart(bars: readonly Bar[], whole?: number): string {
  if (bars.length === 0) return NOTHING;
  const longest = whole ?? Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  const items = bars.slice(0, BARS_MAX).map((bar) =>
    item(bar, segment({ from: 0, width: share(bar.value, longest), color: "plain" }))
  );
  return list(items) + leftOut(bars.length);
}

/** One bar per row, its parts one after another, with a legend. */
export function stackedChart(rows: readonly Row[], series: readonly Series[]): string {
  const drawn = rows.filter((row) => row.candidates > 0);
  if (drawn.length === 0) return NOTHING;
  const longest = Math.max(...drawn.map((row) => row.candidates));
  const legend = series.map(({ name, color }) =>
    `<li><svg class="key" aria-hidden="true"><rect class="${color}" width="100%" height="100%"/></svg>${
      escapeHtml(name)
    }</li>`
  ).join("");
  const items = drawn.slice(0, BARS_MAX).map((row) => stack(row, { longest, series }));
  return `<ul class="legend" aria-label="Colors">${legend}</ul>${list(items)}${leftOut(drawn.length)}`;
}

function stack(row: Row, { longest, series }: { longest: number; series: readonly Series[] }): string {
  let from = 0;
  const segments = series.map((part) => {
    const width = share(part.of(row), longest);
    const drawn = segment({ from, width, color: part.color });
    from += width;
    return drawn;
  });
  // What the colors show, for those who don't see them.
  const remark = series.filter((part) => part.of(row) > 0).map((part) => `${part.of(row)} ${part.name}`)
    .join(", ");
  return item(
    { name: row.name, value: row.candidates, label: String(row.candidates), remark },
    segments.join(""),
  );
}

function list(items: readonly string[]): string {
  return `<ul class="bars">${items.join("")}</ul>`;
}

function item({ name, label, remark }: Bar, segments: string): string {
  return `<li><span class="name">${escapeHtml(name)}</span><span class="value">${escapeHtml(label)}</span>` +
    `<svg class="bar" aria-hidden="true">${segments}</svg>` +
    `${remark === undefined ? "" : `<small>${escapeHtml(remark)}</small>`}</li>`;
}

function segment({ from, width, color }: { from: number; width: number; color: string }): string {
  return width === 0 ? "" : `<rect class="${color}" x="${from}%" width="${width}%" height="100%"/>`;
}

/** A share in percent, with one digit after the point. */
function share(value: number, longest: number): number {
  return Math.round(value / longest * 1000) / 10;
}

function leftOut(count: number): string {
  return count <= BARS_MAX ? "" : `<p class="more">${count - BARS_MAX} more are not shown</p>`;
}
