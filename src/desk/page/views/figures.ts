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
  const { all, since, models, rules, wires, keys, upstreams, timeline } = figures;
  const series = seriesOf(timeline, { ...RANGES[range] ?? RANGES["hour"]!, since });
  return html`
    <h1>Figures <span class="quiet">of the last ${age(
      (timeline.now - since) / 1000,
    )}, since the start</span></h1>
    <${Tiles} figures=${all} />
    <${Controls} range=${range} of=${of} figures=${figures} />
    <${Charts} series=${series} isRule=${of.startsWith("rule ")} />
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

/** A figure with its name, and which way is better. */
interface Tile {
  readonly name: string;
  readonly value: string;
  readonly note: string;
  /** `good` or `bad`; absent where neither is. */
  readonly mood?: "good" | "bad" | undefined;
  readonly better?: "lower" | "higher";
}

/** The mood of a count of which none is best. */
function moodOfCount(number: number, whole: number): Tile["mood"] {
  return whole === 0 ? undefined : number === 0 ? "good" : "bad";
}

/** The mood of a share of which all is best. */
function moodOfShare(share: number | null): Tile["mood"] {
  return share === null ? undefined : share >= GOOD_SHARE ? "good" : "bad";
}

/** A share from which on a figure is good. */
const GOOD_SHARE = 0.95;

/** The tiles of some figures. */
export function tilesOf(all: Figures): readonly Tile[] {
  const made = all.transformed + all.wouldTransform;
  return [
    {
      name: "Requests",
      value: count(all.requests),
      note: `${count(all.errors)} with an error`,
      mood: all.errors > 0 ? "bad" : undefined,
    },
    {
      name: "Answers that printed calls as text",
      value: share(all.printedAsTextRate),
      note: `${count(all.printedAsText)} of ${count(all.answers)} answers: the model’s habit, not an error`,
    },
    {
      name: "Calls that reached the agent as text",
      value: count(all.reachedAsText),
      note: `of ${count(all.printedCalls)} calls that were printed as text`,
      mood: moodOfCount(all.reachedAsText, all.printedCalls),
      better: "lower",
    },
    {
      name: "Success",
      value: share(all.successRate),
      note: `${count(made)} of ${count(all.attempts)} calls that a rule recognized`,
      mood: moodOfShare(all.successRate),
      better: "higher",
    },
    {
      name: "Accepted",
      value: share(all.acceptanceRate),
      note: `the agent ran ${count(all.accepted)} of ${count(all.accepted + all.rejected)} calls`,
      mood: moodOfShare(all.acceptanceRate),
      better: "higher",
    },
    {
      name: "Near misses",
      value: count(all.nearMisses),
      note: "texts like a call that no rule reads",
      mood: moodOfCount(all.nearMisses, all.answers),
      better: "lower",
    },
    { name: "First token", value: duration(all.firstMsMean), note: "mean time", better: "lower" },
    { name: "Total", value: duration(all.durationMsMean), note: "mean time", better: "lower" },
    {
      name: "Dragoman’s share",
      value: duration(all.addedMsMean),
      note: `mean; at most ${duration(all.addedMsMax)}`,
      better: "lower",
    },
  ];
}

function Tiles({ figures: all }: { readonly figures: Figures }) {
  return html`
    <dl class="tiles">${tilesOf(all).map(({ name, value, note, mood = "", better }) =>
      html`
        <div>
          <dt>${name}</dt>
          <dd class=${mood}>${value}</dd>
          <dd class="quiet">${note}${better === undefined ? "" : `; ${better} is better`}</dd>
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

const percent = (value: number) => `${Math.round(value * 10) / 10} %`;
const whole = (value: number) => Number.isInteger(value) ? count(value) : "";

function Charts({ series: { times, steps }, isRule }: { readonly series: Series; readonly isRule: boolean }) {
  const line = (name: string, color: string, of: (step: Step) => number | null): Line => ({
    ...{ name, color },
    // Nothing is known before the start, and of a step that isn't over.
    values: steps.map((step) => step === null ? null : of(step)),
  });
  const made = ({ transformed = 0, wouldTransform = 0 }: Step) => transformed + wouldTransform;
  const rates = [
    // A rule has attempts, but no requests.
    ...(isRule ? [] : [
      line(
        "Printed calls as text",
        "warn",
        ({ printedAsText, answers }) => ratio(printedAsText, answers, 100),
      ),
    ]),
    line("Success", "good", (step) => ratio(made(step), step["attempts"], 100)),
    line(
      "Accepted",
      "accent",
      ({ accepted, rejected = 0 }) => ratio(accepted, (accepted ?? 0) + rejected, 100),
    ),
  ];
  const calls = [
    line("Calls", "good", made),
    line("Reached the agent as text", "bad", ({ reachedAsText = 0 }) => reachedAsText),
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
      <${Chart} title="Printed as text, success and accepted" format=${percent} times=${times} lines=${rates} atLeast=${100} />
      <${Chart} title="Calls, converted and not" format=${whole} times=${times} lines=${calls} atLeast=${4} />
      ${!isRule && html`
        <${Chart} title="Requests and errors" format=${whole} times=${times} lines=${requests}
          atLeast=${4} />
        <${Chart} title="Mean time" format=${duration} times=${times} lines=${latency} atLeast=${10} />
      `}
    </div>
  `;
}
