/**
 * Where the tests meet a mutant: in a copy of the sources, or in the packed library that is built of them.
 *
 * @module
 */
import { join } from "node:path";
import { bundleLibrary, copySources } from "../../src/cli/build/library.ts";
import { scriptsIn, takePackedModules } from "../library/packed/modules.ts";

const ROOT = join(import.meta.dirname!, "..", "..");

/** What a test run needs of the project. */
const COPIED = [
  "src",
  "tests",
  "rules",
  "plugins",
  "main.ts",
  "deno.json",
  "deno.lock",
];

/** Reloads rules for most of a minute; the folders of the mutants don't matter to it. */
const RELOADS = "property/reload_storm_test.ts";

/** Counts steps by the files of the sources. */
const COUNTS_STEPS = "property/hostile_text_test.ts";

/** One place for one mutant at a time. */
export interface Ground extends AsyncDisposable {
  readonly folder: string;
  /** The settings with which they run. */
  readonly config: string;
  /** Puts a text in the place of a source; false if what the tests read stays the same. */
  put(path: string, text: string): Promise<boolean>;
  /** Puts the source back. */
  restore(path: string, source: string): Promise<void>;
}

/** A copy of the project. */
export async function sourceGround(): Promise<Ground> {
  const folder = await Deno.makeTempDir({ prefix: "dragoman-mutants-" });
  const copy = new Deno.Command("cp", {
    args: ["-r", ...COPIED.map((name) => join(ROOT, name)), folder],
  });
  await copy.output();
  const write = (path: string, text: string) => Deno.writeTextFile(join(folder, path), text);
  const config = join(folder, "tests", "deno.json");
  await leaveOut([RELOADS], { config, tests: join(folder, "tests") });
  return {
    folder,
    config,
    put: (path, text) => write(path, text).then(() => true),
    restore: write,
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

/**
 * The project with the modules of the packed library in the place of its sources. A mutant is in the sources of which the library
 * is built, and not in those that the tests import.
 */
export async function packedGround(): Promise<Ground> {
  const folder = await Deno.makeTempDir({ prefix: "dragoman-packed-mutants-" });
  const [sources, dist, modules] = ["sources", "dist", "modules"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const write = (path: string, text: string) => Deno.writeTextFile(join(sources, path), text);
  const build = async () => {
    for (const path of [dist, modules]) await Deno.remove(path, { recursive: true }).catch(() => {});
    await bundleLibrary(dist, sources);
    return scriptsIn(dist).sort().map((path) => Deno.readTextFileSync(join(dist, path))).join("");
  };
  await copySources(sources);
  const unchanged = await build();
  const take = async () => {
    const config = await takePackedModules(dist, modules);
    await leaveOut([RELOADS, COUNTS_STEPS], { config, tests: join(ROOT, "tests") });
    return config;
  };
  return {
    folder: ROOT,
    config: await take(),
    async put(path, text) {
      await write(path, text);
      if (await build() === unchanged) return false;
      await take();
      return true;
    },
    restore: write,
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

/** Writes into the settings which tests don't run. `deno test --ignore` counts only for the first of several folders. */
async function leaveOut(
  names: readonly string[],
  { config, tests }: { readonly config: string; readonly tests: string },
): Promise<void> {
  const settings = JSON.parse(await Deno.readTextFile(config));
  settings.test = { ...settings.test, exclude: names.map((name) => join(tests, name)) };
  await Deno.writeTextFile(config, JSON.stringify(settings));
}
