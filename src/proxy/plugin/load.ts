/** Loads the plugins that the configuration names, in the order in which they run, with every error. @module */
import { inTime } from "../transport/wait.ts";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Config } from "../config/schema.ts";
import type { Diagnostic, Location } from "../../engine/diagnostic/diagnostic.ts";
import { didYouMean } from "../../engine/diagnostic/suggest.ts";
import { shownPath } from "../../engine/document/load.ts";
import { present } from "../../engine/object/present.ts";
import { BUILT_IN_PLUGINS } from "./built_in.ts";
import { findDeepNesting, findForeignImport } from "./imports.ts";
import { readOptions } from "./options.ts";
import { orderPlugins, type OrderProblem } from "./order.ts";
import { readPlugin } from "./read.ts";
import { placeOf } from "./thrown.ts";
import type { LoadedPlugin } from "./hooks.ts";

interface LoadPluginsOptions {
  readonly entries: Config["plugins"];
  /** The base folder of paths: that of the configuration file. */
  readonly folder: string;
  /** The absolute path of the working directory; shown paths are relative to it. */
  readonly workingDirectory: string;
  readonly locate?: (path: readonly (string | number)[]) => Location | undefined;
  readonly locateKey?: (path: readonly (string | number)[]) => Location | undefined;
}

export interface LoadedPlugins {
  /** In the order in which they run. */
  readonly plugins: readonly LoadedPlugin[];
  /** The files that were or would be read; absolute, for watching. */
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

interface PluginEntry {
  readonly index: number;
  /** A built-in name or a path. */
  readonly use: string;
  readonly given: Readonly<Record<string, unknown>>;
  readonly refusesOnFailure: boolean;
  readonly location: Location | undefined;
}

interface Found extends LoadedPlugin {
  readonly name: string;
  readonly requires: readonly string[];
  readonly entry: PluginEntry;
}

/** Loads and checks the plugins. If a diagnostic is an error, none of them may run. */
export async function loadPlugins(options: LoadPluginsOptions): Promise<LoadedPlugins> {
  const entries = options.entries.map((entry, index) => readEntry(entry, { index, options }));
  const files = entries.filter(({ use }) => isPath(use)).map(({ use }) => resolve(options.folder, use));
  const read = await Promise.all(entries.map((entry) => loadEntry(entry, options)));
  const found = read.flatMap(({ plugin }) => plugin ?? []);
  const diagnostics = [...read.flatMap((one) => one.diagnostics), ...repeated(found)];
  const { ordered, problems } = orderPlugins(found);
  // If a plugin is missing for another reason, requiring it isn't a second error.
  const isComplete = found.length === entries.length;
  diagnostics.push(
    ...problems.filter(({ kind }) => isComplete || kind === "cycle").map((problem) =>
      describe(problem, found)
    ),
  );
  const plugins = ordered.map(({ plugin, options, refusesOnFailure = false, file }) => ({
    plugin,
    options,
    refusesOnFailure,
    ...present({ file }),
  }));
  return { plugins, files, diagnostics };
}

function readEntry(
  entry: Config["plugins"][number],
  { index, options }: { index: number; options: LoadPluginsOptions },
): PluginEntry {
  if (typeof entry === "string") {
    const location = options.locate?.(["plugins", index]);
    return { index, use: entry, given: {}, refusesOnFailure: false, location };
  }
  const { use, on_failure, ...given } = entry;
  const refusesOnFailure = on_failure === "refuse";
  return { index, use, given, refusesOnFailure, location: options.locate?.(["plugins", index, "use"]) };
}

function isPath(use: string): boolean {
  return /[\\/]|\.[cm]?[jt]s$/.test(use);
}

async function loadEntry(
  entry: PluginEntry,
  options: LoadPluginsOptions,
): Promise<{ plugin?: Found; diagnostics: readonly Diagnostic[] }> {
  const exported = await (isPath(entry.use) ? importFile(entry, options) : importBuiltIn(entry));
  if ("code" in exported) return { diagnostics: [exported] };
  const read = readPlugin(exported.value);
  if ("wrong" in read) {
    const problem = invalid(entry, `Plugin ${entry.use} ${read.wrong}`);
    return { diagnostics: [{ ...problem, ...present({ help: read.help ?? problem.help }) }] };
  }
  const { plugin } = read;
  const file = isPath(entry.use) ? resolve(options.folder, entry.use) : undefined;
  const { value, diagnostics } = readOptions({
    plugin: plugin.name,
    fields: plugin.options ?? {},
    given: entry.given,
    locate: (option, part) => {
      if (option === undefined) return entry.location;
      const path = ["plugins", entry.index, option];
      return part === "key" ? options.locateKey?.(path) : options.locate?.(path);
    },
  });
  const found = {
    name: plugin.name,
    requires: plugin.requires ?? [],
    plugin,
    options: value,
    refusesOnFailure: entry.refusesOnFailure,
    file,
    entry,
  };
  return { plugin: found, diagnostics };
}

async function importBuiltIn(entry: PluginEntry): Promise<{ value: unknown } | Diagnostic> {
  const load = Object.hasOwn(BUILT_IN_PLUGINS, entry.use) ? BUILT_IN_PLUGINS[entry.use] : undefined;
  if (load !== undefined) return { value: (await load()).default };
  const help = didYouMean(entry.use, Object.keys(BUILT_IN_PLUGINS));
  return {
    code: "unknown_plugin",
    severity: "error",
    message: `Unknown built-in plugin "${entry.use}"`,
    ...present({ location: entry.location }),
    expected: "a built-in plugin's name, or a path such as ./my_plugin.ts",
    ...present({ help }),
  };
}

async function importFile(
  entry: PluginEntry,
  { folder, workingDirectory }: LoadPluginsOptions,
): Promise<{ value: unknown } | Diagnostic> {
  const path = resolve(folder, entry.use);
  const shown = shownPath(path, { workingDirectory });
  try {
    const { mtime, isFile } = await Deno.stat(path);
    if (!isFile) return invalid(entry, `Cannot load plugin ${shown}: it is not a file`);
    const source = await Deno.readTextFile(path);
    const deep = findDeepNesting(source);
    if (deep !== undefined) {
      return invalid(
        entry,
        `Cannot load plugin ${shown}: its brackets are nested too deeply on line ${deep}`,
      );
    }
    const foreign = findForeignImport(source);
    if (foreign !== undefined) return foreignImport(entry, { ...foreign, shown });
    // A URL is imported only once. The time of the last change makes an edit another URL.
    const url = `${pathToFileURL(path)}?changed=${mtime?.getTime() ?? 0}`;
    // A module that never finishes would block every later edit.
    const module: { readonly default?: unknown } | undefined = await inTime(import(url), IMPORT_MS);
    if (module === undefined) throw new Error(`its top level did not finish within ${IMPORT_MS} ms`);
    return { value: module.default };
  } catch (cause) {
    const why = cause instanceof Deno.errors.NotFound
      ? "the file does not exist"
      : cause instanceof Error
      ? cause.message.split("\n")[0]
      : String(cause);
    const problem = invalid(entry, `Cannot load plugin ${shown}: ${why}`);
    // From now on, the loader refuses every import, until the process restarts.
    if (why?.includes("lockfile is out of date")) {
      return { ...problem, help: "remove the imports of packages from your plugins and restart Dragoman" };
    }
    const place = cause instanceof Error ? placeOf(cause) : undefined;
    const isOwn = place?.startsWith(`${basename(path)}:`) === true;
    return isOwn ? { ...problem, help: `look at ${place}` } : problem;
  }
}

/** How long the top level of a plugin may take. */
const IMPORT_MS = 5000;

function foreignImport(
  entry: PluginEntry,
  { specifier, line, shown }: { specifier: string; line: number; shown: string },
): Diagnostic {
  return {
    ...invalid(entry, `Cannot load plugin ${shown}: line ${line} imports \`${specifier}\``),
    expected: "only imports of files (./name.ts) and of the runtime (node:…)",
    help:
      "bundle the plugin with its packages (`deno bundle --platform deno my_plugin.ts -o my_plugin.js`) and load the bundle",
  };
}

function invalid(entry: PluginEntry, message: string): Diagnostic {
  return {
    code: "plugin_invalid",
    severity: "error",
    message,
    ...present({ location: entry.location }),
    expected: "a module whose default export is a plugin: a `name` and at least one hook",
    help: "paths are relative to the folder of dragoman.yaml; plugins/README.md shows an example",
  };
}

function repeated(found: readonly Found[]): Diagnostic[] {
  return found.filter(({ name }, index) => found.findIndex((other) => other.name === name) < index)
    .map(({ name, entry }) => ({
      ...invalid(entry, `Two plugins are named "${name}"`),
      expected: "every plugin once",
      help: "remove one of them from `plugins`, or rename yours",
    }));
}

function describe(problem: OrderProblem, found: readonly Found[]): Diagnostic {
  const first = problem.kind === "missing" ? problem.plugin : problem.names[0];
  const location = found.find(({ name }) => name === first)?.entry.location;
  const place = present({ location });
  if (problem.kind === "cycle") {
    return {
      code: "plugin_cycle",
      severity: "error",
      message: `These plugins require each other: ${problem.names.join(" → ")}`,
      ...place,
      expected: "an order in which each plugin runs after its requirements",
      help: "remove a name from the `requires` of one of the plugins",
    };
  }
  const known = Object.hasOwn(BUILT_IN_PLUGINS, problem.requires);
  return {
    code: "plugin_requires",
    severity: "error",
    message: `Plugin "${problem.plugin}" requires "${problem.requires}", which is not in the configuration`,
    ...place,
    expected: `"${problem.requires}" among the \`plugins\``,
    help: known
      ? `add \`- ${problem.requires}\` to \`plugins\``
      : "add the file that defines it to `plugins`",
  };
}
