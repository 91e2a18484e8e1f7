/**
 * Where the agents are installed: a cache outside the work tree, one folder for each list of pinned versions, so
 * a changed list is installed anew and an unchanged one is installed once.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import agents from "./agents.json" with { type: "json" };

/** Agent → npm package → exact version. */
export const AGENTS: Readonly<Record<string, Readonly<Record<string, string>>>> = agents;

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

/** The file that is written once everything is installed; it holds the versions. */
function stamp(name: string): string {
  return join(agentFolder(name), "installed.json");
}

/** Whether exactly these versions are there to the last file. */
export function isInstalled(name: string): boolean {
  try {
    return Deno.readTextFileSync(stamp(name)) === JSON.stringify(AGENTS[name]);
  } catch {
    return false;
  }
}

/** Says that everything is there. */
export async function markInstalled(name: string): Promise<void> {
  await Deno.writeTextFile(stamp(name), JSON.stringify(AGENTS[name]));
}
