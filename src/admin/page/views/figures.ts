/** The figures: since the start as numbers, over time as charts, and by model and rule as tables. @module */
import { age, clock } from "../../../engine/diagnostic/figures.ts";
import { chartsOf, drawChart, type LineChart } from "../../figures/line_chart.ts";
import { tilesOf } from "../../figures/tiles.ts";
import { emptyTally, type Figures, figuresOf } from "../../tally/tally.ts";
import type { ServerFigures, TimelineFigures } from "../../tally/timeline.ts";
import { html } from "../html.ts";
import { useLoaded } from "../loaded.ts";
import { writeRoute } from "../route.ts";
import type { ViewProperties } from "../view_properties.ts";
import { FigureTable } from "./figure_table.ts";
import { useState } from "preact/hooks";

/// <reference lib="dom" />

const MINUTE = 60_000;

const RANGES: Readonly<Record<string, TimeRange & { readonly title: string }>> = {
  hour: { title: "last hour", rangeMs: 60 * MINUTE, stepMs: MINUTE },
  hours: { title: "last 6 hours", rangeMs: 360 * MINUTE, stepMs: 5 * MINUTE },
  day: { title: "last 24 hours", rangeMs: 1440 * MINUTE, stepMs: 15 * MINUTE },
};

const FIGURES_MS = 5000;

export function FiguresView({ parameters }: ViewProperties) {
  const [range, of] = [parameters.get("range") ?? "hour", parameters.get("of") ?? ""];
  const { value: figures, error } = useLoaded<ServerFigures>(`figures${queryOf(of)}`, FIGURES_MS);
  if (error !== undefined && figures === undefined) return html`<p class="empty bad">${error.message}</p>`;
  if (figures === undefined) return html`<p class="empty">Loading…</p>`;
  const { all, since, models, rules, wires, keys, upstreams, timeline } = figures;
  const series = seriesOf(timeline, { ...RANGES[range] ?? RANGES["hour"]!, since });
  return html`
    <h1>Figures <span class="quiet">of the last ${age(
      (timeline.now - since) / 1000,
    )}, since the start</span></h1>
    <${Tiles} figures=${all} />
    <${Controls} range=${range} of=${of} figures=${figures} />
    <div class="charts">
      ${chartsOf(series.steps, { isRule: of.startsWith("rule ") }).map((chart) =>
        html`<${Chart} key=${chart.title} chart=${chart} times=${series.times} />`
      )}
    </div>
    <h2>Models</h2>
    <${FigureTable} kind="model" rows=${models} />
    <h2>Rules</h2>
    <${FigureTable} kind="rule" rows=${rules} />
    <h2>APIs</h2>
    <${FigureTable} kind="wire" rows=${wires} />
    <h2>Client keys</h2>
    <${FigureTable} kind="key" rows=${keys} />
    <h2>Upstreams</h2>
    <${FigureTable} kind="upstream" rows=${upstreams} />
  `;
}

/** `model NAME` → `?model=NAME`. */
function queryOf(of: string): string {
  const [, kind, name] = /^(model|rule|wire|key) (.*)$/s.exec(of) ?? [];
  return kind === undefined || name === undefined ? "" : `?${kind}=${encodeURIComponent(name)}`;
}

function Tiles({ figures: all }: { readonly figures: Figures }) {
  return html`
    <dl class="tiles">${tilesOf(all).map(({ name, value, note, mood = "" }) =>
      html`
        <div>
          <dt>${name}</dt>
          <dd class=${mood}>${value}</dd>
          <dd class="quiet">${note}</dd>
        </div>
      `
    )}</dl>
  `;
}

interface ControlsProperties {
  readonly range: string;
  readonly of: string;
  readonly figures: ServerFigures;
}

function Controls({ range, of, figures: { models, rules, wires, keys } }: ControlsProperties) {
  const go = (changes: Readonly<Record<string, string>>) =>
    location.replace(writeRoute("figures", { range, of, ...changes }));
  const change = (name: string) => (changed: { readonly target: EventTarget | null }) =>
    go({ [name]: (changed.target as HTMLSelectElement).value });
  const group = (title: string, kind: string, rows: readonly { readonly name: string }[]) =>
    html`
      <optgroup label=${title}>${rows.map(({ name }) =>
        html`<option value=${`${kind} ${name}`}>${name}</option>`
      )}</optgroup>
    `;
  return html`
    <div class="filter">
      <select aria-label="Time" value=${range} onChange=${change("range")}>
        ${Object.entries(RANGES).map(([value, { title }]) => html`<option value=${value}>${title}</option>`)}
      </select>
      <select aria-label="Of" value=${of} onChange=${change("of")}>
        <option value="">all requests</option>
        ${group("Model", "model", models)}
        ${group("Rule", "rule", rules)}
        ${group("API", "wire", wires)}
        ${group("Client key", "key", keys)}
      </select>
    </div>
  `;
}

interface ChartProperties {
  readonly chart: LineChart;
  /** The times, in seconds since the Unix epoch. */
  readonly times: readonly number[];
}

function Chart({ chart, times }: ChartProperties) {
  const [over, setOver] = useState<number>();
  const follow = ({ currentTarget, clientX }: PointerEvent) => {
    const place = (currentTarget as Element).querySelector(".plot")?.getBoundingClientRect();
    const at = place === undefined
      ? -1
      : Math.round((clientX - place.left) / place.width * (times.length - 1));
    setOver(times[at] === undefined ? undefined : at);
  };
  const drawn = drawChart(chart, { times, format: hourOf, over });
  return html`
    <figure class="chart" onPointerMove=${follow} onPointerLeave=${() => setOver(undefined)}
      dangerouslySetInnerHTML=${{ __html: drawn }} />
  `;
}

/** `09:05`. */
function hourOf(seconds: number): string {
  return clock(seconds * 1000).slice(0, -3);
}

export interface TimeRange {
  /** The length of the range, in milliseconds. */
  readonly rangeMs: number;
  /** The length of a step, in milliseconds. */
  readonly stepMs: number;
  /** When the server started, in milliseconds since 1970. */
  readonly since?: number;
}

/** Steps in the order of time, without gaps. */
interface Series {
  /** The beginning of each step, in seconds since the Unix epoch. */
  readonly times: readonly number[];
  /** The figures of each step; null before the start of the server, and for the step that isn't over. */
  readonly steps: readonly (Figures | null)[];
}

export function seriesOf(
  { columns, points, now }: TimelineFigures,
  { rangeMs, stepMs, since = 0 }: TimeRange,
): Series {
  const last = Math.floor(now / stepMs) * stepMs;
  const length = Math.ceil(rangeMs / stepMs);
  const first = last - (length - 1) * stepMs;
  const sums = Array.from({ length }, emptyTally);
  for (const [at = 0, ...values] of points) {
    const step = sums[Math.floor((at - first) / stepMs)];
    if (step === undefined) continue;
    columns.forEach((name, column) => step[name] += values[column] ?? 0);
  }
  const at = (index: number) => first + index * stepMs;
  // A server that has just started has nothing but the running step.
  const isFresh = since >= last;
  return {
    times: sums.map((_, index) => at(index) / 1000),
    steps: sums.map((step, index) =>
      at(index) + stepMs <= since || (index === length - 1 && !isFresh) ? null : figuresOf(step)
    ),
  };
}
