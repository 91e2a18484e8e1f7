/**
 * A line chart over time, as wide as its place. Its colors are those of the page, light or dark.
 *
 * @module
 */
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { clock } from "../../../engine/diagnostic/figures.ts";
import { html } from "../html.ts";

/** A line of a chart. */
export interface Line {
  /** What it is. */
  readonly name: string;
  /** The name of its color in the style sheet. */
  readonly color: string;
  /** A value for each time; null leaves a gap. */
  readonly values: readonly (number | null)[];
}

/** A chart. */
export interface ChartProperties {
  /** What it shows. */
  readonly title: string;
  /** Writes a value with its unit. */
  readonly format: (value: number) => string;
  /** The times, in seconds since 1970. */
  readonly times: readonly number[];
  /** The lines. */
  readonly lines: readonly Line[];
  /** The highest value that the axis shows in any case. */
  readonly atLeast: number;
}

const HEIGHT = 200;

/** The chart. */
export function Chart({ title, format, times, lines, atLeast }: ChartProperties) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>();
  const [over, setOver] = useState<number | null>(null);
  const isDark = useScheme();
  const data = [times, ...lines.map(({ values }) => values)] as unknown as uPlot.AlignedData;
  const latest = useRef(data);
  latest.current = data;
  const names = lines.map(({ name }) => name).join();
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const options = plotOptions({ element, format, lines, atLeast, over: setOver });
    const drawn = plot.current = new uPlot(options, latest.current, element);
    const observer = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      drawn.destroy();
    };
  }, [isDark, names, atLeast]);
  useEffect(() => plot.current?.setData(data), [times, lines]);
  return html`
    <figure class="chart">
      <figcaption>${title}</figcaption>
      <div ref=${place} role="img" aria-label=${`${title}. ${summaryOf(lines, format)}`}></div>
      <${Legend} lines=${lines} format=${format} times=${times} over=${over} />
    </figure>
  `;
}

interface LegendProperties extends Pick<ChartProperties, "lines" | "format" | "times"> {
  /** The step under the pointer; null for the last one with a value. */
  readonly over: number | null;
}

/** The lines with their colors, and their values under the pointer, otherwise their last ones. */
function Legend({ lines, format, times, over }: LegendProperties) {
  const at = over === null ? undefined : times[over];
  return html`
    <ul class="legend" aria-hidden="true">
      ${lines.map(({ name, color, values }) => {
        const value = over === null ? values.findLast((one) => one !== null) : values[over];
        return html`
          <li><span class=${`swatch ${color}`}></span>${name} <strong>${value === undefined || value === null
            ? "–"
            : format(value)}</strong></li>
        `;
      })}
      <li class="quiet">${at === undefined ? "last values" : hourOf(at)}</li>
    </ul>
  `;
}

/** The last value of each line, for those who don't see the chart. */
export function summaryOf(lines: readonly Line[], format: (value: number) => string): string {
  return lines.map(({ name, values }) => {
    const last = values.findLast((value) => value !== null);
    return `${name}: ${last === undefined || last === null ? "no value" : `last ${format(last)}`}`;
  }).join("; ");
}

function plotOptions(
  { element, format, lines, atLeast, over }: Pick<ChartProperties, "format" | "lines" | "atLeast"> & {
    readonly element: HTMLElement;
    /** Takes the step under the pointer. */
    readonly over: (index: number | null) => void;
  },
): uPlot.Options {
  const style = getComputedStyle(element);
  const color = (name: string) => resolvedColor(style.getPropertyValue(`--${name}`), element);
  const axis = {
    stroke: color("quiet"),
    grid: { stroke: color("line"), width: 1 },
    ticks: { stroke: color("line"), width: 1 },
    font: "11px system-ui, sans-serif",
  };
  const write = (value: number | null) => value === null || value === undefined ? "–" : format(value);
  return {
    width: element.clientWidth,
    height: HEIGHT,
    scales: { y: { range: (_plot, _low, high) => [0, Math.max(atLeast, (high ?? 0) * 1.05)] } },
    axes: [{ ...axis, space: 60, values: (_plot, times) => times.map(hourOf) }, {
      ...axis,
      size: 62,
      values: (_plot, values) => values.map(write),
    }],
    series: [
      { label: "Time" },
      ...lines.map((line) => ({
        label: line.name,
        stroke: color(line.color),
        width: 2,
        spanGaps: false,
        points: { size: 5, show: isSparse },
      })),
    ],
    legend: { show: false },
    cursor: { drag: { x: false, y: false } },
    hooks: { setCursor: [({ cursor: { idx } }) => over(idx ?? null)] },
  };
}

/** `09:05`. */
function hourOf(seconds: number): string {
  return clock(seconds * 1000).slice(0, -3);
}

/** Whether a line needs points: it has few values, or one between two gaps, which no line shows. */
function isSparse(plot: uPlot, series: number): boolean {
  const values = [...plot.data[series] ?? []];
  const isAlone = (index: number) =>
    values[index] !== null && (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null;
  return values.filter((value) => value !== null).length < 20 || values.some((_, index) => isAlone(index));
}

/** A color of the style sheet as the canvas reads it: without `light-dark()`. */
function resolvedColor(value: string, element: HTMLElement): string {
  const probe = document.createElement("span");
  probe.style.color = value;
  element.append(probe);
  const color = getComputedStyle(probe).color;
  probe.remove();
  return color;
}

/** Whether the page is dark; changes with the system's setting. */
function useScheme(): boolean {
  const query = matchMedia("(prefers-color-scheme: dark)");
  const [isDark, setDark] = useState(query.matches);
  useEffect(() => {
    const follow = () => setDark(query.matches);
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, []);
  return isDark;
}
