/**
 * The figures: since the start as numbers, over time as charts, and by model and rule as tables.
 *
 * @module
 */
/// <reference lib="dom" />
import { age, count, duration, share } from "../../../engine/diagnostic/figures.ts";
import type { Figures } from "../../tally/tally.ts";
import type { ServerFigures } from "../figures.ts";
import { html } from "../html.ts";
import { useLoaded } from "../loaded.ts";
import { writeRoute } from "../route.ts";
import { ratio, type Series, seriesOf, type Step, type TimeRange } from "../series.ts";
import type { ViewProperties } from "../view_properties.ts";
import { Chart, type Line } from "./chart.ts";
import { FigureTable } from "./figure_table.ts";

const MINUTE = 60_000;

/** The ranges that someone can choose. */
const RANGES: Readonly<Record<string, TimeRange & { readonly title: string }>> = {
  hour: { title: "last hour", rangeMs: 60 * MINUTE, stepMs: MINUTE },
  hours: { title: "last 6 hours", rangeMs: 360 * MINUTE, stepMs: 5 * MINUTE },
  day: { title: "last 24 hours", rangeMs: 1440 * MINUTE, stepMs: 15 * MINUTE },
};

/** How often the figures are read. */
const FIGURES_MS = 5000;

/** The view. */
export function FiguresView({ parameters }: ViewProperties) {
  const [range, of] = [parameters.get("range") ?? "hour", parameters.get("of") ?? ""];
  const { value: figures, error } = useLoaded<ServerFigures>(`figures${queryOf(of)}`, FIGURES_MS);
  if (error !== undefined && figures === undefined) return html`<p class="empty bad">${error.message}</p>`;
  if (figures === undefined) return html`<p class="empty">Loading…</p>`;
  const { all, since, models, rules, timeline } = figures;
  const series = seriesOf(timeline, RANGES[range] ?? RANGES["hour"]!);
  return html`
    <h1>Figures <span class="quiet">of the last ${age(
      (timeline.now - since) / 1000,
    )}, since the start</span></h1>
    <${Tiles} figures=${all} />
    <${Controls} range=${range} of=${of} models=${models} rules=${rules} />
    <${Charts} series=${series} isRule=${of.startsWith("rule ")} />
    <h2>Models</h2>
    <${FigureTable} kind="model" rows=${models} />
    <h2>Rules</h2>
    <${FigureTable} kind="rule" rows=${rules} />
  `;
}

/** `model NAME` → `?model=NAME`. */
function queryOf(of: string): string {
  const [, kind, name] = /^(model|rule) (.*)$/s.exec(of) ?? [];
  return kind === undefined || name === undefined ? "" : `?${kind}=${encodeURIComponent(name)}`;
}

function Tiles({ figures: all }: { readonly figures: Figures }) {
  const tiles: readonly (readonly [string, string, string])[] = [
    ["Requests", count(all.requests), `${count(all.errors)} with an error`],
    [
      "Leak rate",
      share(all.leakRate),
      `${count(all.leaked)} of ${count(all.answers)} answers had a call as text`,
    ],
    [
      "Success",
      share(all.successRate),
      `${count(all.transformed + all.wouldTransform)} of ${count(all.attempts)} attempts`,
    ],
    [
      "Accepted",
      share(all.acceptanceRate),
      `${count(all.accepted)} of ${count(all.accepted + all.rejected)} results`,
    ],
    ["Near misses", count(all.nearMisses), "texts that no rule reads"],
    ["First token", duration(all.firstMsMean), "mean time"],
    ["Total", duration(all.durationMsMean), "mean time"],
    ["Dragoman’s share", duration(all.addedMsMean), `mean; at most ${duration(all.addedMsMax)}`],
  ];
  return html`
    <dl class="tiles">${tiles.map(([name, value, note]) =>
      html`
        <div>
          <dt>${name}</dt>
          <dd>${value}</dd>
          <dd class="quiet">${note}</dd>
        </div>
      `
    )}</dl>
  `;
}

interface ControlsProperties {
  readonly range: string;
  readonly of: string;
  readonly models: ServerFigures["models"];
  readonly rules: ServerFigures["rules"];
}

function Controls({ range, of, models, rules }: ControlsProperties) {
  const go = (changes: Readonly<Record<string, string>>) =>
    location.replace(writeRoute("figures", { range, of, ...changes }));
  const change = (name: string) => (changed: { readonly target: EventTarget | null }) =>
    go({ [name]: (changed.target as HTMLSelectElement).value });
  const options = (kind: string, rows: readonly { readonly name: string }[]) =>
    rows.map(({ name }) => html`<option value=${`${kind} ${name}`}>${name}</option>`);
  return html`
    <div class="filter">
      <select aria-label="Time" value=${range} onChange=${change("range")}>
        ${Object.entries(RANGES).map(([value, { title }]) => html`<option value=${value}>${title}</option>`)}
      </select>
      <select aria-label="Of" value=${of} onChange=${change("of")}>
        <option value="">all requests</option>
        <optgroup label="Model">${options("model", models)}</optgroup>
        <optgroup label="Rule">${options("rule", rules)}</optgroup>
      </select>
    </div>
  `;
}

const percent = (value: number) => `${Math.round(value * 10) / 10} %`;
const whole = (value: number) => Number.isInteger(value) ? count(value) : "";

function Charts({ series: { times, steps }, isRule }: { readonly series: Series; readonly isRule: boolean }) {
  const line = (name: string, color: string, of: (step: Step) => number | null): Line => ({
    ...{ name, color },
    values: steps.map(of),
  });
  const made = ({ transformed = 0, wouldTransform = 0 }: Step) => transformed + wouldTransform;
  const rates = [
    // A rule has attempts, but no requests.
    ...(isRule ? [] : [line("Leak rate", "warn", ({ leaked, answers }) => ratio(leaked, answers, 100))]),
    line("Success", "good", (step) => ratio(made(step), step["attempts"], 100)),
    line(
      "Accepted",
      "accent",
      ({ accepted, rejected = 0 }) => ratio(accepted, (accepted ?? 0) + rejected, 100),
    ),
  ];
  const calls = [
    line("Calls", "good", made),
    line("Attempts", "accent", ({ attempts = 0 }) => attempts),
    ...(isRule ? [] : [line("Near misses", "warn", ({ nearMisses = 0 }) => nearMisses)]),
  ];
  const requests = [
    line("Requests", "accent", ({ requests = 0 }) => requests),
    line("Errors", "bad", ({ errors = 0 }) => errors),
  ];
  const latency = [
    line("First token", "accent", ({ firstMs, begun }) => ratio(firstMs, begun)),
    line("Total", "quiet", ({ durationMs, requests }) => ratio(durationMs, requests)),
  ];
  return html`
    <div class="charts">
      <${Chart} title="Leak, success and accepted" format=${percent} times=${times} lines=${rates} atLeast=${100} />
      <${Chart} title="Calls and near misses" format=${whole} times=${times} lines=${calls} atLeast=${4} />
      ${!isRule && html`
        <${Chart} title="Requests and errors" format=${whole} times=${times} lines=${requests}
          atLeast=${4} />
        <${Chart} title="Mean time" format=${duration} times=${times} lines=${latency} atLeast=${10} />
      `}
    </div>
  `;
}
