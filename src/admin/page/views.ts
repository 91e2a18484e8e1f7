/** The views in the order of their links. A large or rarely opened one is a file of its own, loaded when opened. @module */
import type { ComponentType } from "preact";
import type { ViewProperties } from "./view_properties.ts";
import { LiveView } from "./views/live.ts";
import { Plugins } from "./views/plugins.ts";
import { Rules } from "./views/rules.ts";
import type { ServerFigures } from "../tally/timeline.ts";
import { share } from "../../engine/diagnostic/figures.ts";
import { html } from "./html.ts";
import { useLoaded } from "./loaded.ts";
import { FigureTable } from "./views/figure_table.ts";

interface View {
  readonly name: string;
  readonly title: string;
  readonly load: () => Promise<ComponentType<ViewProperties>>;
}

export const VIEWS: readonly View[] = [
  { name: "live", title: "Live", load: () => Promise.resolve(LiveView) },
  {
    name: "figures",
    title: "Figures",
    load: async () => (await import("./views/figures.ts")).FiguresView,
  },
  { name: "rules", title: "Rules", load: () => Promise.resolve(Rules) },
  {
    name: "playground",
    title: "Playground",
    load: async () => await (await import("./playground/lazy_view.ts")).loadPlayground(),
  },
  { name: "plugins", title: "Plugins", load: () => Promise.resolve(Plugins) },
  { name: "canary", title: "Canary", load: () => Promise.resolve(CanaryView) },
];

const MODES: Readonly<Record<string, string>> = {
  live: "live: converted",
  dry_run: "dry run: not converted",
  excluded: "canary: not converted",
};

function CanaryView() {
  const { value: figures, error } = useLoaded<ServerFigures>("figures", 5000);
  if (error !== undefined && figures === undefined) return html`<p class="empty bad">${error.message}</p>`;
  if (figures === undefined) return html`<p class="empty">Loading…</p>`;
  const { canary, modes } = figures;
  return html`
    <h1>Canary</h1>
    ${canary === null
      ? html`<p class="notice">One of the groups has no answers yet. With <code>policy.rollout_percent</code> below
          100, only this share of conversations is converted, and this page compares the groups.</p>`
      : html`<p class="notice"><strong>${canary.sentence}</strong> The live group has ${
        share(canary.share)
      } of the
          answers.</p>`}
    <${FigureTable} kind="mode" rows=${modes.map((row) => ({ ...row, name: MODES[row.name] ?? row.name }))} />
  `;
}
