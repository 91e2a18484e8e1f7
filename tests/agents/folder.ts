/**
 * Where the agents are installed: a cache outside the work tree, one folder for each list of pinned versions, so
 * a changed list is installed anew and an unchanged one is installed once.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import agents from "./agents.json" with { type: "json" };

/** What an agent is installed from. */
export interface Pinned {
  /** npm package → exact version; the agent itself comes first. */
  readonly packages: Readonly<Record<string, string>>;
  /** The Node it needs, if that is newer than `NODE_MAJOR_MIN`; on Linux npm brings it. */
  readonly node?: string;
}

/** The Node that every machine has to have. */
export const NODE_MAJOR_MIN = 20;

/** Agent → what it is installed from. */
export const AGENTS: Readonly<Record<string, Pinned>> = agents;

/** The npm package of Node for this machine; there is none but for Linux. */
const NODE_PACKAGE = Deno.build.os === "linux"
  ? `node-linux-${Deno.build.arch === "aarch64" ? "arm64" : "x64"}`
  : undefined;

/** The folder of this list: DRAGOMAN_AGENTS_DIR, or one below the user's cache. */
export function agentsFolder(): string {
  const chosen = Deno.env.get("DRAGOMAN_AGENTS_DIR");
  if (chosen) return chosen;
  const cache = Deno.env.get("XDG_CACHE_HOME") || join(Deno.env.get("HOME") ?? "/tmp", ".cache");
  const hash = createHash("sha256").update(JSON.stringify(agents)).digest("hex").slice(0, 12);
  return join(cache, "dragoman", "agents", hash);
}

/** The folder of one agent: its node_modules is in there. */
export function agentFolder(name: string): string {
  return join(agentsFolder(), name);
}

/** What npm has to install for an agent, as `name@version`. */
export function packagesOf(name: string): string[] {
  const { packages, node } = pinned(name);
  const all = { ...packages, ...(node && NODE_PACKAGE ? { [NODE_PACKAGE]: node } : {}) };
  return Object.entries(all).map(([name, version]) => `${name}@${version}`);
}

/** The Node that must be on PATH for an agent, by its major version. */
export function nodeMajorMin(name: string): number {
  const { node } = pinned(name);
  return node && NODE_PACKAGE === undefined ? parseInt(node) : NODE_MAJOR_MIN;
}

/** The Node that an agent is run with. */
export function nodeOf(name: string): string {
  const own = join(agentFolder(name), "node_modules", NODE_PACKAGE ?? "node", "bin", "node");
  return existsSync(own) ? own : "node";
}

/** Whether exactly these versions are there to the last file. */
export function isInstalled(name: string): boolean {
  try {
    return Deno.readTextFileSync(stamp(name)) === packagesOf(name).join("\n");
  } catch {
    return false;
  }
}

/** Says that everything is there. */
export async function markInstalled(name: string): Promise<void> {
  await Deno.writeTextFile(stamp(name), packagesOf(name).join("\n"));
}

/** The file that is written last. */
function stamp(name: string): string {
  return join(agentFolder(name), "installed");
}

function pinned(name: string): Pinned {
  const agent = AGENTS[name];
  if (agent === undefined) throw new Error(`agents.json has no ${name}`);
  return agent;
}
