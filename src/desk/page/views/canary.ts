/**
 * The sides of the canary: answers that were converted next to those that were not, and whether their difference can be
 * chance.
 *
 * @module
 */
import type { ServerFigures } from "../../tally/timeline.ts";
import { share } from "../../../engine/diagnostic/figures.ts";
import { html } from "../html.ts";
import { useLoaded } from "../loaded.ts";
import { FigureTable } from "./figure_table.ts";

const MODES: Readonly<Record<string, string>> = {
  live: "live: converted",
  dry_run: "dry run: not converted",
  excluded: "excluded by the canary: not converted",
};

export function CanaryView() {
  const { value: figures, error } = useLoaded<ServerFigures>("figures", 5000);
  if (error !== undefined && figures === undefined) return html`<p class="empty bad">${error.message}</p>`;
  if (figures === undefined) return html`<p class="empty">Loading…</p>`;
  const { canary, modes } = figures;
  return html`
    <h1>Canary</h1>
    ${canary === null
      ? html`<p class="notice">There are no answers on both sides yet. With <code>policy.rollout_percent</code> below
          100, only this share of conversations is converted, and this page compares the sides.</p>`
      : html`<p class="notice"><strong>${canary.sentence}</strong> The live side has ${
        share(canary.share)
      } of the
          answers.</p>`}
    <${FigureTable} kind="mode" rows=${modes.map((row) => ({ ...row, name: MODES[row.name] ?? row.name }))} />
  `;
}
