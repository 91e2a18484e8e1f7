/**
 * The views in the order of their links. A view that few people open, or that is large, is a file of its own, loaded when
 * it is opened.
 *
 * @module
 */
import type { ComponentType } from "preact";
import type { ViewProperties } from "./view_properties.ts";
import { CanaryView } from "./views/canary.ts";
import { LiveView } from "./views/live.ts";
import { Plugins } from "./views/plugins.ts";
import { Rules } from "./views/rules.ts";

export interface View {
  /** Its name in the address. */
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
    load: async () => await (await import("./playground/load.ts")).loadPlayground(),
  },
  { name: "plugins", title: "Plugins", load: () => Promise.resolve(Plugins) },
  { name: "canary", title: "Canary", load: () => Promise.resolve(CanaryView) },
];
