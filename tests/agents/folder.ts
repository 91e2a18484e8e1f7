/**
 * Where the agents are installed: a cache outside the work tree, one folder for each list of pinned versions, so
 * a changed list is installed again and an unchanged one is installed once.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import agents from "./agents.json" with { type: "json" };

/** npm package → exact version. */
export type Packages = Readonly<Record<string, string>>;

export interface Pinned {
  /** The agent itself comes first. */
  readonly packages: Packages;
  /** A program that is built for each machine, such as `linux-x86_64`: the agent's own, or the Node it needs. */
  readonly platforms?: Readonly<Record<string, Packages>>;
  /** Where the program is in the package of its machine, if not in `bin` under its name; one part may be `*`. */
  readonly program?: string;
  /** The major version of Node it needs, if that is above `NODE_MAJOR_MIN`. */
  readonly node?: number;
}

/** The Node that every machine has to have. */
export const NODE_MAJOR_MIN = 20;

/** Agent → what it is installed from. */
export const AGENTS: Readonly<Record<string, Pinned>> = agents;

/** The folder of this list: DRAGOMAN_AGENTS_DIR, or one below the user's cache. */
export function agentsFolder(): string {
  const chosen = Deno.env.get("DRAGOMAN_AGENTS_DIR");
  if (chosen) return resolve(chosen);
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
  const all = { ...pinned(name).packages, ...platformPackages(name) };
  return Object.entries(all).map(([name, version]) => `${name}@${version}`);
}

/**
 * Why an agent cannot run on this machine; undefined if it can.
 *
 * @param nodeMajor the major version of the machine's Node
 */
export function unfitReason(name: string, nodeMajor: number): string | undefined {
  const { platforms, node } = pinned(name);
  const isBrought = platformPackages(name) !== undefined;
  if (platforms && !node && !isBrought) return `${name} has no program for ${platform()}`;
  const least = node && !isBrought ? node : NODE_MAJOR_MIN;
  return nodeMajor >= least ? undefined : `${name} needs Node ${least}, this is ${nodeMajor}`;
}

/** The program that came with an agent for this machine, else the machine's Node. */
export function programOf(name: string): string {
  const [brought] = Object.keys(platformPackages(name) ?? {});
  if (brought === undefined) return "node";
  const folder = join(agentFolder(name), "node_modules", brought);
  const { program = `bin/${brought.split("-")[0]}` } = pinned(name);
  const [before = "", after] = program.split("*");
  if (after === undefined) return join(folder, program);
  const [only] = [...Deno.readDirSync(join(folder, before))].filter((entry) => entry.isDirectory);
  return join(folder, before, only?.name ?? "", after);
}

/** Whether exactly these versions are there to the last file. */
export function isInstalled(name: string): boolean {
  try {
    return Deno.readTextFileSync(stamp(name)) === packagesOf(name).join("\n");
  } catch {
    return false;
  }
}

export async function markInstalled(name: string): Promise<void> {
  await Deno.writeTextFile(stamp(name), packagesOf(name).join("\n"));
}

/** The file that is written last. */
function stamp(name: string): string {
  return join(agentFolder(name), "installed");
}

function platform(): string {
  return `${Deno.build.os}-${Deno.build.arch}`;
}

function platformPackages(name: string): Packages | undefined {
  return pinned(name).platforms?.[platform()];
}

function pinned(name: string): Pinned {
  const agent = AGENTS[name];
  if (agent === undefined) throw new Error(`agents.json has no ${name}`);
  return agent;
}
