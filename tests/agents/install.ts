/**
 * Installs the pinned agents with npm, each into a folder of its own, and says what it does and how long it took.
 * A registry that cannot be reached is a reason to skip; any other failure of npm is a mistake in the list.
 *
 * @module
 */
import {
  agentFolder,
  AGENTS,
  agentsFolder,
  isInstalled,
  markInstalled,
  nodeMajorMin,
  packagesOf,
} from "./folder.ts";

/** What became of the list. */
export interface Installed {
  /** Agents that can run. */
  readonly ready: readonly string[];
  /** Why others cannot, one reason for each, for a person. */
  readonly missing: readonly string[];
}

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
  const [node, npm] = await Promise.all([run("node", ["--version"]), run("npm", ["--version"])]);
  if (!node.success || !npm.success) return { ready: [], missing: ["Node and npm are not on PATH"] };
  const ready: string[] = [];
  const missing: string[] = [];
  for (const name of Object.keys(AGENTS)) {
    const reason = lacksNode(name, node.stdout.trim()) ?? await install(name);
    if (reason === undefined) ready.push(name);
    else missing.push(reason);
  }
  return { ready, missing };
}

/** Why this machine's Node cannot run an agent; undefined if it can. */
function lacksNode(name: string, version: string): string | undefined {
  const least = nodeMajorMin(name);
  return parseInt(version.slice(1)) >= least ? undefined : `${name} needs Node ${least}, this is ${version}`;
}

/** Installs one agent, if it is not there; gives the reason when the registry did not answer. */
async function install(name: string): Promise<string | undefined> {
  if (isInstalled(name)) return undefined;
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
  if (UNREACHABLE.test(stderr)) return `npm cannot reach its registry to install ${name}`;
  throw new Error(`Cannot install ${packages.join(", ")}: npm says\n${stderr}`);
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
