/**
 * Installs the pinned agents with npm, each into a folder of its own, and prints what it does and how long it took.
 * A registry that cannot be reached is a reason to skip; any other failure of npm is an error in the list.
 *
 * @module
 */
import {
  agentFolder,
  AGENTS,
  agentsFolder,
  isInstalled,
  markInstalled,
  packagesOf,
  unfitReason,
} from "./folder.ts";

/** What became of the list. */
export interface Installed {
  /** Agents that can run. */
  readonly ready: readonly string[];
  /** Why others cannot, for a person → these. */
  readonly missing: ReadonlyMap<string, readonly string[]>;
}

/** npm's codes for a registry that does not answer. */
const UNREACHABLE =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|E50[234])\b/;

const OFFLINE = "npm cannot reach its registry";

/**
 * Scripts of packages are not run and optional packages are left out: none of these agents needs one, and some
 * would download more.
 */
const FLAGS = [
  "--no-audit",
  "--no-fund",
  "--no-package-lock",
  "--ignore-scripts",
  "--omit=optional",
  "--loglevel=error",
  "--fetch-retries=1",
  "--fetch-retry-mintimeout=1000",
  "--fetch-timeout=60000",
];

/** Installs what is not there yet. Throws when npm fails for another reason than the network. */
export async function installAgents(): Promise<Installed> {
  const [node, npm] = await Promise.all([run("node", ["--version"]), run("npm", ["--version"])]);
  const nodeMajor = npm.success ? parseInt(node.stdout.slice("v".length)) : NaN;
  const ready: string[] = [];
  const missing = new Map<string, string[]>();
  for (const name of Object.keys(AGENTS)) {
    const reason = await provide(name, { nodeMajor, isOffline: missing.has(OFFLINE) });
    if (reason === undefined) ready.push(name);
    else missing.set(reason, [...missing.get(reason) ?? [], name]);
  }
  return { ready, missing };
}

interface Machine {
  /** NaN: it has none, or no npm. */
  readonly nodeMajor: number;
  /** Whoever could not reach the registry once need not wait for it again. */
  readonly isOffline: boolean;
}

/** Sees to it that an agent can run; gives the reason if it cannot. */
async function provide(name: string, { nodeMajor, isOffline }: Machine): Promise<string | undefined> {
  if (Number.isNaN(nodeMajor)) return "Node and npm are not on PATH";
  const unfit = unfitReason(name, nodeMajor);
  if (unfit !== undefined || isInstalled(name)) return unfit;
  return isOffline ? OFFLINE : await install(name);
}

/** Installs one agent; gives the reason when the registry did not answer. */
async function install(name: string): Promise<string | undefined> {
  const folder = agentFolder(name);
  const packages = packagesOf(name);
  console.log(`Installing ${packages.join(", ")} below ${agentsFolder()} …`);
  const began = performance.now();
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  await Deno.mkdir(folder, { recursive: true });
  const { success, stderr } = await run("npm", ["install", "--prefix", folder, ...FLAGS, ...packages]);
  if (success) {
    await markInstalled(name);
    console.log(`  done in ${((performance.now() - began) / 1000).toFixed(1)} s`);
    return undefined;
  }
  if (UNREACHABLE.test(stderr)) return OFFLINE;
  throw new Error(`Cannot install ${packages.join(", ")}: npm prints\n${stderr}`);
}

async function run(command: string, args: string[]) {
  try {
    const { success, stdout, stderr } = await new Deno.Command(command, { args, stdin: "null" }).output();
    const decoder = new TextDecoder();
    return { success, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { success: false, stdout: "", stderr: error.message };
    throw error;
  }
}

if (import.meta.main) await installAgents();
