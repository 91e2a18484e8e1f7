/**
 * Draws horizontal bar charts as inline SVG, or returns a sentence if there is nothing to show.
 *
 * @module
 */
import { escapeHtml } from "./format.ts";
import type { Row } from "./report.ts";

/** One bar. */
export interface Bar {
  /** The label. */
  readonly name: string;
  /** The length. */
  readonly value: number;
  /** The text at the end. */
  readonly label: string;
}

/** One color of a stacked chart. */
export interface Series {
  /** The meaning of the color. */
  readonly name: string;
  /** The color. */
  readonly colour: string;
  /** Its share of a row. */
  readonly of: (row: Row) => number;
}

/** Sizes in the units of the drawing. */
const SIZE = { width: 800, names: 220, row: 24, bar: 16, label: 70 };

/** The most bars of a chart. */
const BARS_MAX = 30;

/** The most characters of a label. */
const NAME_MAX = 30;

const NOTHING = "<p>Nothing to show</p>";

/** One bar per name. */
export function barChart(bars: readonly Bar[]): string {
  const shown = bars.slice(0, BARS_MAX);
  const longest = Math.max(...shown.map(({ value }) => value), Number.MIN_VALUE);
  if (shown.length === 0) return NOTHING;
  return drawing(shown.map((bar, index) => {
    const width = barWidth(bar.value, longest);
    return name(bar.name, index) +
      rectangle({ x: SIZE.names, index, width, colour: "#4c7bd9", title: bar.label }) +
      label(bar.label, { index, x: SIZE.names + width });
  }));
}

/** One bar per row, its parts side by side, with a legend. */
export function stackedChart(rows: readonly Row[], series: readonly Series[]): string {
  const shown = rows.filter((row) => row.candidates > 0).slice(0, BARS_MAX);
  if (shown.length === 0) return NOTHING;
  const longest = Math.max(...shown.map((row) => row.candidates));
  const legend = series.map(({ name, colour }) =>
    `<span style="white-space:nowrap;margin-right:1rem"><span style="color:${colour}">■</span> ${
      escapeHtml(name)
    }</span>`
  ).join("");
  return `<p>${legend}</p>${drawing(shown.map((row, index) => stack(row, { index, longest, series })))}`;
}

function stack(
  row: Row,
  { index, longest, series }: { index: number; longest: number; series: readonly Series[] },
): string {
  let x = SIZE.names;
  const parts = series.map((part) => {
    const width = barWidth(part.of(row), longest);
    const drawn = rectangle({ x, index, width, colour: part.colour, title: `${part.name}: ${part.of(row)}` });
    x += width;
    return drawn;
  });
  return name(row.name, index) + parts.join("") + label(String(row.candidates), { index, x });
}

function barWidth(value: number, longest: number): number {
  return Math.round(value / longest * (SIZE.width - SIZE.names - SIZE.label) * 10) / 10;
}

function rectangle(
  { x, index, width, colour, title }: {
    x: number;
    index: number;
    width: number;
    colour: string;
    title: string;
  },
): string {
  if (width === 0) return "";
  const y = index * SIZE.row + (SIZE.row - SIZE.bar) / 2;
  return `<rect x="${x}" y="${y}" width="${width}" height="${SIZE.bar}" fill="${colour}">` +
    `<title>${escapeHtml(title)}</title></rect>`;
}

function name(text: string, index: number): string {
  const shown = [...text].length > NAME_MAX ? `${[...text].slice(0, NAME_MAX - 1).join("")}…` : text;
  return `<text x="${SIZE.names - 8}" y="${baseline(index)}" text-anchor="end">${escapeHtml(shown)}</text>`;
}

function label(text: string, { index, x }: { index: number; x: number }): string {
  return `<text x="${x + 6}" y="${baseline(index)}">${escapeHtml(text)}</text>`;
}

function baseline(index: number): number {
  return index * SIZE.row + SIZE.row / 2 + 4;
}

function drawing(rows: readonly string[]): string {
  return `<svg viewBox="0 0 ${SIZE.width} ${rows.length * SIZE.row}" role="img">${rows.join("")}</svg>`;
}
