/**
 * Installs the pinned agents with npm, each into a folder of its own, and says what it does and how long it took.
 * A registry that cannot be reached is a reason to skip; any other failure of npm is a mistake in the list.
 *
 * @module
 */
import { agentFolder, AGENTS, agentsFolder, isInstalled, markInstalled } from "./folder.ts";

/** What became of the list. */
export interface Installed {
  /** Agents that can run. */
  readonly ready: readonly string[];
  /** Why the others cannot; the first reason, for a person. */
  readonly missing?: string;
}

/** What every agent in the list runs on. */
const NODE_MAJOR_MIN = 20;

/** npm's codes for a registry that does not answer. */
const UNREACHABLE =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|E50[234])\b/;

/** Scripts of packages are not run: none of these agents needs one, and some would download. */
const FLAGS = [
  "--no-audit",
  "--no-fund",
  "--no-package-lock",
  "--ignore-scripts",
  "--loglevel=error",
  "--fetch-retries=1",
  "--fetch-retry-mintimeout=1000",
  "--fetch-timeout=60000",
];

/** Installs what is not there yet. Throws when npm fails for another reason than the network. */
export async function installAgents(): Promise<Installed> {
  const node = await findNode();
  if (node !== undefined) return { ready: [], missing: node };
  const ready: string[] = [];
  let missing: string | undefined;
  for (const name of Object.keys(AGENTS)) {
    missing ??= isInstalled(name) ? undefined : await install(name);
    if (isInstalled(name)) ready.push(name);
  }
  return missing === undefined ? { ready } : { ready, missing };
}

/** Installs one agent; gives the reason when the registry did not answer. */
async function install(name: string): Promise<string | undefined> {
  const folder = agentFolder(name);
  const packages = Object.entries(AGENTS[name] ?? {}).map(([name, version]) => `${name}@${version}`);
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
  if (UNREACHABLE.test(stderr)) return `npm cannot reach its registry to install ${name}`;
  throw new Error(`Cannot install ${packages.join(", ")}: npm says\n${stderr}`);
}

/** Why Node or npm cannot be used; undefined if they can. */
async function findNode(): Promise<string | undefined> {
  const [node, npm] = await Promise.all([run("node", ["--version"]), run("npm", ["--version"])]);
  if (!node.success || !npm.success) return `Node ${NODE_MAJOR_MIN} or newer with npm is not on PATH`;
  const major = Number(/^v(\d+)/.exec(node.stdout)?.[1]);
  if (major >= NODE_MAJOR_MIN) return undefined;
  return `Node ${node.stdout.trim()} is too old: the agents run on ${NODE_MAJOR_MIN} or newer`;
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
