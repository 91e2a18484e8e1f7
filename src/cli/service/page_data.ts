/** What the page shows of the setup: state, rules, plugins and their memory. Secrets are removed. @module */
import type { AdminSection } from "../../admin/routes/pages.ts";
import type { Recent } from "../../admin/routes/recent.ts";
import { decisionsOf, type RuleDetail } from "../../admin/routes/rule_detail.ts";
import { readYamlFolders } from "../../engine/document/load.ts";
import { SHIPPED_RULES } from "../../engine/rule/folder.ts";
import { ruleName } from "../../engine/rule/rule_name.ts";
import type { CliContext } from "./context.ts";
import { scrubArguments } from "../../admin/audit/scrub.ts";
import { present } from "../../engine/object/present.ts";
import type { Sessions } from "../../proxy/store/session.ts";
import { mannerOf } from "../../proxy/upstream/manner.ts";
import type { Servers } from "../../proxy/upstream/servers.ts";
import { bareUrl } from "./upstream_lines.ts";
import type { Setup } from "./setup.ts";

const STARTED = Date.now();

/** The state of the server, without secrets. */
export function statusOf({ config }: Setup, recent: Recent): object {
  const upstreams = config.config.upstreams.map((upstream) => ({ ...upstream, url: bareUrl(upstream.url) }));
  return {
    deno: Deno.version.deno,
    uptimeSeconds: Math.round((Date.now() - STARTED) / 1000),
    requests: recent.requests,
    configFile: config.path,
    auditLog: config.auditPath ?? null,
    config: JSON.parse(
      scrubArguments(JSON.stringify({ ...config.config, upstreams }), [...config.keys.values()]),
    ),
  };
}

export function serversOf({ config }: Setup, servers: Servers | undefined): object[] {
  return (servers?.entries() ?? []).map(({ upstream, server, version }) => {
    const own = config.config.upstreams.find(({ name }) => name === upstream);
    const manner = own && mannerOf(own, servers?.of(own));
    const context = own && servers?.contextOf(own);
    return { upstream, server, ...present({ version, context }), ...manner };
  });
}

/** The rules with their hits, and why one is off. */
export function rulesOf({ config, rules }: Setup, recent: Recent): unknown {
  const { minimum_confidence: minimum } = config.config.policy;
  return rules.rules.map(({ rule, description, enabled, confidence }) => ({
    rule,
    description,
    enabled,
    confidence,
    whyOff: !enabled
      ? "`enabled: false`, in its file or in dragoman.yaml"
      : confidence < minimum
      ? `its confidence is below \`policy.minimum_confidence\`, which is ${minimum}`
      : null,
    hits: recent.hitsOf(rule),
  }));
}

/** One rule with its file; undefined for an unknown one. */
export async function ruleOf(
  { config, rules }: Setup,
  { name, recent, context }: { readonly name: string; readonly recent: Recent; readonly context: CliContext },
): Promise<RuleDetail | undefined> {
  const { folders } = await readYamlFolders([SHIPPED_RULES, ...config.ruleFolders], context);
  const found = folders.flat().findLast(({ file }) => file === rules.fileOf(name));
  if (found === undefined) return undefined;
  const file = found.file.split("/").slice(-2).join("/");
  return {
    file,
    text: found.text,
    name: ruleName(found.text),
    decisions: decisionsOf(name, recent.decisions),
  };
}

/** The plugins in the order in which they run, with their options. */
export function pluginsOf({ config, plugins }: Setup): unknown {
  const secrets = [...config.keys.values()];
  return plugins.plugins.map(({ plugin, options, refusesOnFailure = false }) => ({
    name: plugin.name,
    description: plugin.description ?? null,
    options: JSON.parse(scrubArguments(JSON.stringify(options ?? {}), secrets)),
    onFailure: refusesOnFailure ? "refuse" : "pass",
  }));
}

/** What plugins remember about conversations: the value of a counter, otherwise only its type. */
export function storeSection(sessions: Sessions): AdminSection {
  return {
    read: async () =>
      (await sessions.entries()).map(({ key, value, leftMs }) => ({
        key,
        leftSeconds: Math.round(leftMs / 1000),
        value: shownValue(value),
      })),
    reset: (key) => sessions.remove(key),
  };
}

function shownValue(value: unknown): number | boolean | string {
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
