/** What recorded answers are read with on the command line: the rules and clients of a service, and its plugins. @module */
import { createService, type ServiceParts } from "../../proxy/exchange/service.ts";
import { needsWholeCalls } from "../../proxy/plugin/stage.ts";
import type { RecordedParts } from "./recorded_client.ts";

export function recordedParts(parts: ServiceParts): RecordedParts {
  const { config, rules, program, clients, plugins = [] } = parts;
  const reading = { config, rules, program, clients };
  if (plugins.length === 0) return reading;
  const { recognize } = createService(parts);
  return { ...reading, plugins: { recognize, wholeCalls: needsWholeCalls(plugins) } };
}
