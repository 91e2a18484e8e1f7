/**
 * Describes the difference between two setups in short phrases, for one line.
 *
 * @module
 */
import { isJsonEqual } from "../../engine/json/equal.ts";
import type { Setup } from "./setup.ts";

/** Phrases such as `rule mine added`, `client roo changed`, `listen`; empty if nothing differs. */
export function describeChange(before: Setup, after: Setup): string[] {
  const named = <T>(entries: readonly T[], nameOf: (entry: T) => string) =>
    new Map(entries.map((entry) => [nameOf(entry), entry]));
  // Examples don't run in a server, and it may have loaded the rules without them.
  const rules = ({ rules: { rules } }: Setup) =>
    named(rules.map(({ examples: _, untouched: __, ...rule }) => rule), ({ rule }) => rule);
  const clients = (setup: Setup) => named(setup.clients.clients, ({ client }) => client);
  return [
    ...compare("rule", rules(before), rules(after)),
    ...compare("client", clients(before), clients(after)),
    ...settings(before, after),
  ];
}

function compare(
  thing: string,
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): string[] {
  const kinds: Record<string, string[]> = { added: [], changed: [], removed: [] };
  for (const [name, value] of after) {
    if (!before.has(name)) kinds.added?.push(name);
    else if (!isJsonEqual(before.get(name), value)) kinds.changed?.push(name);
  }
  for (const name of before.keys()) if (!after.has(name)) kinds.removed?.push(name);
  return Object.entries(kinds).filter(([, names]) => names.length > 0)
    .map(([kind, names]) => `${thing}${names.length === 1 ? "" : "s"} ${names.join(" and ")} ${kind}`);
}

/** The top-level keys of the configuration that differ; those of rules show in the rules. */
function settings(before: Setup, after: Setup): string[] {
  const changed = Object.entries(after.config.config)
    .filter(([key, value]) =>
      key !== "rules" && key !== "clients" &&
      !isJsonEqual(Object.entries(before.config.config).find(([name]) => name === key)?.[1], value)
    )
    .map(([key]) => key);
  const hasNewKeys = !isJsonEqual([...before.config.keys], [...after.config.keys]);
  // An edited plugin is another module, even if the configuration is the same.
  const isOther = before.plugins.plugins.length !== after.plugins.plugins.length ||
    before.plugins.plugins.some(({ plugin }, index) => plugin !== after.plugins.plugins[index]?.plugin);
  return [
    ...changed,
    ...(isOther && !changed.includes("plugins") ? ["plugins"] : []),
    ...(hasNewKeys && !changed.includes("upstreams") ? ["keys"] : []),
  ];
}
