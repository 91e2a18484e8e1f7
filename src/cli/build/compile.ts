/**
 * Compiles the binary with fixed permissions. `compile` in `deno.json` names what is inside besides the modules that load at
 * the start: those that load on demand, rules, clients and plugins. So `deno compile -A main.ts` makes a working binary, too.
 *
 *     deno task compile [--target x86_64-pc-windows-msvc] [--output FILE]
 *
 * @module
 */
import { ENGINE_FLAGS } from "../engine_flags.ts";

/**
 * The permissions of the binary: those of the task `start`, but the whole disk for the audit log. Nothing is denied,
 * because the sources and rules are inside the binary, and its working directory is any folder.
 */
const PERMISSIONS = ["--allow-net", "--allow-read", "--allow-env", "--allow-write"];

if (import.meta.main) Deno.exit(await build(Deno.args));

async function build(args: readonly string[]): Promise<number> {
  const output = args.includes("--output") ? [] : ["--output", "dragoman"];
  const command = ["compile", ENGINE_FLAGS, ...PERMISSIONS, ...output, ...args, "main.ts"];
  const { code } = await new Deno.Command(Deno.execPath(), { args: command }).spawn().status;
  return code;
}
