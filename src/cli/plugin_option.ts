/**
 * The flag of verbs that read recorded answers as the proxy would: with the configured plugins, or without them.
 *
 * @module
 */
import type { ServiceParts } from "../proxy/exchange/service.ts";
import { serviceParts, type Setup } from "./service/setup.ts";
import { isSet, type VerbInput, type VerbOption } from "./verb.ts";

export const PLUGIN_OPTION: Readonly<Record<string, VerbOption>> = {
  "no-plugins": { type: "boolean", description: "Leave out the plugins of the configuration" },
};

/** The parts of a service, without plugins if the flag is set. */
export function chosenParts(setup: Setup, input: VerbInput): ServiceParts {
  const parts = serviceParts(setup);
  return isSet(input, "no-plugins") ? { ...parts, plugins: [] } : parts;
}
