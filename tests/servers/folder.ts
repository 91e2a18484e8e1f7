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

/** The folder of all environments: DRAGOMAN_SERVERS_DIR, or one below the user's cache. */
export function serversFolder(): string {
  const chosen = Deno.env.get("DRAGOMAN_SERVERS_DIR");
  if (chosen) return resolve(chosen);
  const cache = Deno.env.get("XDG_CACHE_HOME") || join(Deno.env.get("HOME") ?? "/tmp", ".cache");
  return join(cache, "dragoman", "servers");
}

export function environmentFolder(environment: string): string {
  return join(serversFolder(), environment);
}

/** A program of an environment. */
export function programIn(environment: string, program: string): string {
  return join(environmentFolder(environment), "bin", program);
}

/** The folder with an environment's packages. */
export function packagesIn(environment: string): string {
  const library = join(environmentFolder(environment), "lib");
  const [python] = [...Deno.readDirSync(library)].filter(({ name }) => name.startsWith("python"));
  return join(library, python?.name ?? "", "site-packages");
}

/** Whether exactly these versions are there. */
export function isInstalled(environment: string): boolean {
  const file = stampOf(environment);
  return existsSync(file) && Deno.readTextFileSync(file) === stamp(environment);
}

export async function markInstalled(environment: string): Promise<void> {
  await Deno.writeTextFile(stampOf(environment), stamp(environment));
}

/** The file that is written last. */
function stampOf(environment: string): string {
  return join(environmentFolder(environment), "installed");
}

function stamp(environment: string): string {
  return createHash("sha256").update(JSON.stringify(PINS[environment])).digest("hex");
}
