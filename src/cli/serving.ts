/**
 * From a loaded setup to what the server and every verb that translates work with.
 *
 * @module
 */
import type { ServingParts } from "../http/serving.ts";
import type { Setup } from "./setup.ts";

/** The parts of a serving: the rules that are on, compiled, with configuration, clients and plugins. */
export function servingParts({ config, rules, clients, plugins }: Setup): ServingParts {
  return {
    config: config.config,
    keys: config.keys,
    rules: rules.rules.filter((rule) => rule.enabled),
    program: rules.program,
    clients: clients.clients,
    plugins: plugins.plugins,
  };
}

/** Whether a setup has a mistake with which nothing may start. */
export function hasErrors({ diagnostics }: Pick<Setup, "diagnostics">): boolean {
  return diagnostics.some(({ severity }) => severity === "error");
}
