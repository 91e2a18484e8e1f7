/** Draws bar charts as lists of HTML text with bars in SVG, in percent: no script, no inline style, no scaled text. @module */
import { escapeHtml } from "../figures/escape_html.ts";
import { colorKey } from "../figures/line_chart.ts";

export interface Bar {
  readonly name: string;
  readonly value: number;
  /** The text at the end. */
  readonly label: string;
  /** A sentence below the name. */
  readonly remark?: string;
  /** What the bar is made of, one after another; absent if it has one color. */
  readonly parts?: readonly Part[];
}

interface Part {
  readonly name: string;
  readonly color: string;
  readonly value: number;
}

const BARS_MAX = 30;

/** One bar per name, as long as its share of `whole`, or of the largest value; with a legend if bars have parts. */
export function barChart(bars: readonly Bar[], whole?: number): string {
  const [first] = bars;
  if (first === undefined) return "<p>Nothing to show</p>";
  const longest = whole ?? Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  const keys = (first.parts ?? []).map(({ name, color }) => `<li>${colorKey(color)}${escapeHtml(name)}</li>`);
  const legend = keys.length === 0 ? "" : `<ul class="legend" aria-label="Colors">${keys.join("")}</ul>`;
  const items = bars.slice(0, BARS_MAX).map((bar) => item(bar, longest));
  const more = bars.length - items.length;
  return `${legend}<ul class="bars">${items.join("")}</ul>` +
    (more === 0 ? "" : `<p class="more">${more} more not shown</p>`);
}

function item({ name, value, label, remark, parts }: Bar, longest: number): string {
  let from = 0;
  const segments = (parts ?? [{ color: "accent", value }]).map((part) => {
    // In percent, with one digit after the point.
    const width = Math.round(part.value / longest * 1000) / 10;
    const x = from;
    from += width;
    return width === 0 ? "" : `<rect fill="var(--${part.color})" x="${x}%" width="${width}%" height="100%"/>`;
  });
  return `<li><span class="name">${escapeHtml(name)}</span><span class="value">${escapeHtml(label)}</span>` +
    `<svg class="bar" aria-hidden="true">${segments.join("")}</svg>` +
    `${remark === undefined ? "" : `<small>${escapeHtml(remark)}</small>`}</li>`;
}
