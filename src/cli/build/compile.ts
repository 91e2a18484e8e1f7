/**
 * Compiles the binary, with rules, clients and plugins inside and fixed permissions.
 *
 *     deno task compile [--target x86_64-pc-windows-msvc] [--output FILE]
 *
 * This is a script and not one line in `deno.json`, because Deno 2.9.6 overflows its stack on the test data of a package
 * (a two-megabyte file in `bintrees`, a dependency of the metrics library). The script leaves that file out.
 *
 * @module
 */
import { join } from "node:path";
import { ENGINE_FLAGS } from "../engine_flags.ts";

/**
 * The permissions of the binary: those of the task `start`, but the whole disk for the audit log. Nothing is denied,
 * because the sources and rules are inside the binary, and its working directory is any folder.
 */
const PERMISSIONS = ["--allow-net", "--allow-read", "--allow-env", "--allow-write"];

/** Modules that load when they are needed, and files that the code reads from its own folder, even in the binary. */
const INCLUDED = ["src", "rules", "plugins", "deno.json"];

/** Modules that load on demand, which Deno does not find by itself. */
const ENTRIES = ["main.ts", "src/admin/metrics/metrics.ts", "src/cli/service/tracing.ts"];

/** Package → its folder that stays outside. */
const LEFT_OUT: Readonly<Record<string, string>> = { bintrees: "test" };

if (import.meta.main) Deno.exit(await build(Deno.args));

/** Fetches what the binary needs, then compiles; returns Deno's exit code. */
async function build(args: readonly string[]): Promise<number> {
  const fetched = await run(["cache", ...ENTRIES]);
  if (fetched !== 0) return fetched;
  const excluded = (await leftOut()).flatMap((folder) => ["--exclude", folder]);
  const output = args.includes("--output") ? [] : ["--output", "dragoman"];
  const included = INCLUDED.flatMap((path) => ["--include", path]);
  return await run([
    "compile",
    ENGINE_FLAGS,
    ...PERMISSIONS,
    ...included,
    ...excluded,
    ...output,
    ...args,
    "main.ts",
  ]);
}

/** The folders in Deno's cache that stay outside, in every installed version. */
async function leftOut(): Promise<string[]> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  const { npmCache } = JSON.parse(new TextDecoder().decode(stdout)) as { npmCache: string };
  const folders: string[] = [];
  for await (const registry of Deno.readDir(npmCache)) {
    for (const [name, folder] of Object.entries(LEFT_OUT)) {
      const versions = join(npmCache, registry.name, name);
      for (const version of await namesIn(versions)) folders.push(join(versions, version, folder));
    }
  }
  return folders;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder))).filter((entry) => entry.isDirectory).map((
      { name },
    ) => name);
  } catch {
    return [];
  }
}

async function run(args: readonly string[]): Promise<number> {
  const { code } = await new Deno.Command(Deno.execPath(), { args: [...args] }).spawn().status;
  return code;
}
