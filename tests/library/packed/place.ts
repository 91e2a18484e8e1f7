/**
 * Folders with the packed library in them, as a user has it, and programs that run in them.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { buildLibrary, ENTRIES } from "../../../src/cli/build/library.ts";
import { folderOf, runtimes, type SetName } from "./install.ts";

const SCRIPTS = import.meta.dirname!;

/** Source → what a user imports. */
const SUBPATHS = new Map(
  Object.entries(ENTRIES).map(([subpath, source]) => [source, `dragoman-engine${subpath.slice(1)}`]),
);

let built: Promise<string> | undefined;

export function packedFile(): Promise<string> {
  return built ??= Deno.makeTempDir({ prefix: "dragoman-packed-" }).then(buildLibrary);
}

/** The result of a program. */
export interface Ran {
  readonly code: number;
  readonly output: string;
}

const LIMIT_MS = 300_000;

/** Runs a program for a limited time. */
export async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    cwd,
    env,
    stdin: "null",
    signal: AbortSignal.timeout(LIMIT_MS),
  }).output();
  const decoder = new TextDecoder();
  return { code, output: decoder.decode(stdout) + decoder.decode(stderr) };
}

/** An empty folder into which npm installs the packed file, with the scripts next to it. */
export async function emptyPlace(): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "dragoman-place-" });
  await Deno.writeTextFile(join(folder, "package.json"), '{"private":true,"type":"module"}');
  const { code, output } = await run(
    "npm",
    ["install", "--no-audit", "--no-fund", "--offline", "--ignore-scripts", await packedFile()],
    folder,
  );
  assert.equal(code, 0, output);
  await addScripts(folder);
  return folder;
}

/** A folder with the packages of a set and the packed file. */
export async function sdkPlace(set: SetName): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "dragoman-place-" });
  await Deno.writeTextFile(join(folder, "package.json"), '{"private":true,"type":"module"}');
  const modules = join(folder, "node_modules");
  await Deno.mkdir(modules);
  const installed = join(folderOf(set), "node_modules");
  for await (const { name } of Deno.readDir(installed)) {
    await Deno.symlink(join(installed, name), join(modules, name));
  }
  const { code, output } = await run("tar", ["-xzf", await packedFile(), "-C", modules], folder);
  assert.equal(code, 0, output);
  await Deno.rename(join(modules, "package"), join(modules, "dragoman-engine"));
  await addScripts(folder);
  return folder;
}

async function addScripts(folder: string): Promise<void> {
  for await (const { name } of Deno.readDir(join(SCRIPTS, "scripts"))) {
    await Deno.copyFile(join(SCRIPTS, "scripts", name), join(folder, name));
  }
  for (const name of ["consumer.ts", "sdk_types.ts"]) {
    // In the project, the type check reads these with the sources.
    const text = (await Deno.readTextFile(join(SCRIPTS, name))).replace(
      /"\.\.\/\.\.\/\.\.\/src\/library\/([^"]+)"/g,
      (_, source) => `"${SUBPATHS.get(source)}"`,
    );
    await Deno.writeTextFile(join(folder, name), text);
  }
  const checks = join(SCRIPTS, "..", "checks.ts");
  const { code, output } = await run(
    Deno.execPath(),
    ["bundle", "--quiet", "--no-config", "--platform", "browser", "-o", join(folder, "checks.js"), checks],
    folder,
  );
  assert.equal(code, 0, output);
}

/** Runs a script and fails with what it prints. */
export async function runScript(
  runtime: keyof ReturnType<typeof runtimes>,
  script: string,
  folder: string,
): Promise<string> {
  const args = runtime === "deno"
    ? ["run", "--no-lock", "--allow-all", "--node-modules-dir=manual", script]
    : [script];
  const { code, output } = await run(runtimes()[runtime], args, folder);
  assert.equal(code, 0, `${runtime} ${script}:\n${output}`);
  return output;
}
