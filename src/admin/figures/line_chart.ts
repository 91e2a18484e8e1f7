/** Line charts as HTML with SVG, of the width of their place. They need no script and no style but that of `.plot`. @module */
import { count, duration } from "../../engine/diagnostic/figures.ts";
import type { Figures } from "../tally/tally.ts";
import { escapeHtml } from "./escape_html.ts";

interface Line {
  readonly name: string;
  readonly color: string;
  /** A value for each time; null leaves a gap. */
  readonly values: readonly (number | null)[];
}

export interface LineChart {
  readonly title: string;
  /** Writes a value with its unit; an empty text leaves a mark of the axis without one. */
  readonly format: (value: number) => string;
  /** The highest value that the axis shows in any case. */
  readonly atLeast: number;
  readonly lines: readonly Line[];
}

interface TimeAxis {
  /** A time for each value, in seconds since the Unix epoch. */
  readonly times: readonly number[];
  readonly format: (seconds: number) => string;
  /** The index of the time whose values are shown; absent for the last ones. */
  readonly over?: number | undefined;
}

/** The charts of figures over time; null where nothing is known. A rule has attempts, but no requests. */
export function chartsOf(
  steps: readonly (Figures | null)[],
  { isRule = false }: { readonly isRule?: boolean } = {},
): readonly LineChart[] {
  const line = (name: string, color: string, of: (step: Figures) => number | null): Line => ({
    ...{ name, color },
    values: steps.map((step) => step === null ? null : of(step)),
  });
  const ofRequests = (...charts: LineChart[]) => isRule ? [] : charts;
  return [
    {
      ...{ title: "Printed as text, success, and accepted", format: percent, atLeast: 1 },
      lines: [
        ...isRule ? [] : [line("Printed calls as text", "warn", (step) => step.printedAsTextRate)],
        line("Success", "good", (step) => step.successRate),
        line("Accepted", "accent", (step) => step.acceptanceRate),
      ],
    },
    {
      ...{ title: "Calls, converted and not", format: whole, atLeast: 4 },
      lines: [
        line("Calls", "good", (step) => step.transformed + step.wouldTransform),
        line("Reached the agent as text", "bad", (step) => step.reachedAsText),
        ...isRule ? [] : [line("Near misses", "warn", (step) => step.nearMisses)],
      ],
    },
    ...ofRequests({
      ...{ title: "Requests and errors", format: whole, atLeast: 4 },
      lines: [
        line("Requests", "accent", (step) => step.requests),
        line("Errors", "bad", (step) => step.errors),
      ],
    }, {
      ...{ title: "Mean time", format: duration, atLeast: 10 },
      lines: [
        line("First token", "accent", (step) => step.firstMsMean),
        line("Total", "quiet", (step) => step.durationMsMean),
      ],
    }),
  ];
}

const percent = (value: number) => `${Math.round(value * 1000) / 10}%`;
const whole = (value: number) => Number.isInteger(value) ? count(value) : "";

/** What a `figure` of a chart contains: its title, its lines, and a legend with values. */
export function drawChart(chart: LineChart, axis: TimeAxis): string {
  const { title, lines } = chart;
  const { times } = axis;
  const [first = 0, last = first] = [times[0], times.at(-1)];
  const across = (time: number) => last === first ? 50 : (time - first) / (last - first) * 100;
  const [highest, step] = scaleOf(chart);
  const up = (value: number) => 100 - value / highest * 100;
  const marks = Array.from({ length: Math.floor(highest / step) + 1 }, (_, index) => index * step);
  const at = axis.over === undefined ? undefined : times[axis.over];
  const label = escapeHtml(`${title}. ${summaryOf(chart)}`);
  return `<figcaption>${escapeHtml(title)}</figcaption>` +
    `<svg class="plot" role="img" aria-label="${label}" font-size="11" fill="var(--quiet)" stroke-width="1">` +
    marks.map((value) => mark(up(value), chart.format(value))).join("") +
    shownTimes(times).map((time) => timeText(across(time), axis.format(time))).join("") +
    (at === undefined ? "" : rule({ x1: across(at), x2: across(at), y1: 0, y2: 100 }, "quiet")) +
    `<svg width="100%" height="100%" viewBox="0 0 100 100" preserveAspectRatio="none" overflow="visible">` +
    lines.map((line) => drawLine(line, (index) => across(times[index] ?? 0), up)).join("") +
    `</svg></svg>${legend(chart, axis)}`;
}

/** The last value of each line, for those who don't see the chart. */
function summaryOf({ lines, format }: Pick<LineChart, "lines" | "format">): string {
  return lines.map(({ name, values }) => {
    const last = values.findLast((value) => value !== null);
    return `${name}: ${last === undefined || last === null ? "no value" : `last ${format(last)}`}`;
  }).join("; ");
}

export function colorKey(color: string): string {
  return `<svg class="swatch" aria-hidden="true"><rect fill="var(--${color})" width="100%" height="100%"/></svg>`;
}

/** The lines with their colors, and their values at the chosen time, otherwise their last ones. */
function legend({ lines, format }: LineChart, { times, over, format: timeOf }: TimeAxis): string {
  const items = lines.map(({ name, color, values }) => {
    const value = over === undefined ? values.findLast((one) => one !== null) : values[over];
    const text = value === undefined || value === null ? "–" : format(value);
    return `<li>${colorKey(color)}${escapeHtml(name)} <strong>${escapeHtml(text)}</strong></li>`;
  });
  const at = over === undefined ? undefined : times[over];
  const when = at === undefined ? "last values" : escapeHtml(timeOf(at));
  return `<ul class="legend" aria-hidden="true">${items.join("")}<li class="quiet">${when}</li></ul>`;
}

/** The end of the axis of values, and the distance of its marks: 1, 2 or 5 times a power of ten, at most five of them. */
function scaleOf({ lines, atLeast }: LineChart): readonly [highest: number, step: number] {
  const values = lines.flatMap((line) => line.values.filter((value) => value !== null));
  const highest = values.reduce((most, value) => Math.max(most, value * 1.05), atLeast);
  const power = 10 ** Math.floor(Math.log10(highest / 5));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => highest / one <= 5) ?? highest;
  return [highest, step];
}

/** A horizontal line of the grid with its value, at a height in percent from the top. */
function mark(y: number, text: string): string {
  return rule({ x1: 0, x2: 100, y1: y, y2: y }, "line") +
    `<text x="-6" y="${percentage(y)}" dy=".35em" text-anchor="end">${escapeHtml(text)}</text>`;
}

function rule(ends: Readonly<Record<"x1" | "x2" | "y1" | "y2", number>>, color: string): string {
  const where = Object.entries(ends).map(([name, value]) => `${name}="${percentage(value)}"`).join(" ");
  return `<line ${where} stroke="var(--${color})"/>`;
}

/** At most five times, the first and the last among them. */
function shownTimes(times: readonly number[]): readonly number[] {
  const length = Math.min(5, times.length);
  if (length < 2) return times;
  return Array.from(
    { length },
    (_, index) => times[Math.round(index * (times.length - 1) / (length - 1))] ?? 0,
  );
}

function timeText(x: number, text: string): string {
  return `<text x="${percentage(x)}" y="100%" dy="1.4em" text-anchor="middle">${escapeHtml(text)}</text>`;
}

/** The parts of a line between gaps, as wide on the screen however wide the drawing is, and points if it has few values. */
function drawLine(
  { color, values }: Line,
  across: (index: number) => number,
  up: (value: number) => number,
): string {
  let path = "";
  let points = "";
  values.forEach((value, index) => {
    if (value === null) return;
    const place = `${rounded(across(index))} ${rounded(up(value))}`;
    path += `${(values[index - 1] ?? null) === null ? "M" : "L"}${place}`;
    points += `M${place}h0`;
  });
  const stroke = (d: string, width: number) =>
    `<path d="${d}" stroke="var(--${color})" stroke-width="${width}" fill="none" stroke-linecap="round"` +
    ` stroke-linejoin="round" vector-effect="non-scaling-stroke"/>`;
  return stroke(path, 2) + (isSparse(values) ? stroke(points, 5) : "");
}

/** Whether a line needs points: it has few values, or one between two gaps, which no line shows. */
function isSparse(values: readonly (number | null)[]): boolean {
  const isGap = (index: number) => (values[index] ?? null) === null;
  return values.filter((value) => value !== null).length < 20 ||
    values.some((_, index) => !isGap(index) && isGap(index - 1) && isGap(index + 1));
}

function percentage(value: number): string {
  return `${rounded(value)}%`;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
