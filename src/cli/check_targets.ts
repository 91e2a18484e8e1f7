/** Loads what `check` looks at: all that `serve` would load, or what is named, with the built-in rules. @module */
import { dirname, resolve } from "node:path";
import { loadClients } from "../chat/client/load.ts";
import { configSchema } from "../proxy/config/schema.ts";
import type { Diagnostic } from "../engine/diagnostic/diagnostic.ts";
import { suggest } from "../engine/diagnostic/suggest.ts";
import { readNamed } from "../engine/document/named.ts";
import { foldersOf, readTextFile, readYamlFolder, shownPath } from "../engine/document/load.ts";
import type { TextFile } from "../engine/document/text_file.ts";
import { SHIPPED_RULES } from "../engine/rule/folder.ts";
import { areShipped, loadRules } from "../engine/rule/load.ts";
import type { LoadedRules } from "../engine/rule/read.ts";
import { newWords } from "../engine/rule/old_words.ts";
import { type Rule, ruleFileSchema } from "../engine/rule/schema.ts";
import { loadSetup, loadSetupConfig, ruleSettings } from "./service/setup.ts";
import type { WatchedPaths } from "./service/file_snapshot.ts";
import type { CliContext } from "./service/context.ts";
import { setupFlags } from "./setup_options.ts";
import { isSet, type VerbInput } from "./verb.ts";

export interface CheckTargets {
  /** The rules, including the built-in ones. */
  readonly rules: LoadedRules;
  readonly isTarget: (rule: Rule) => boolean;
  readonly isBuiltIn: (rule: Rule) => boolean;
  readonly clientCount: number;
  /** Whether only what the server needs to start was read. */
  readonly isConfigOnly: boolean;
  /** How many built-in rules are as they were shipped and so aren't targets. */
  readonly unchangedCount: number;
  /** Every error except those of examples. */
  readonly diagnostics: readonly Diagnostic[];
}

export async function readTargets(input: VerbInput, context: CliContext): Promise<CheckTargets> {
  if (input.positionals.length > 0) return await readPaths(input, context);
  const isConfigOnly = isSet(input, "config-only");
  const { rules, clients, diagnostics } = await loadSetup(setupFlags(input), context, {
    withExamples: !isConfigOnly,
  });
  const unchanged = isSet(input, "shipped") ? new Set<string>() : await unchangedFiles(context);
  const isUnchanged = ({ rule }: Rule) => unchanged.has(rules.fileOf(rule) ?? "");
  return {
    rules,
    isTarget: (rule) => !isConfigOnly && !isUnchanged(rule),
    isBuiltIn: builtIn(rules, context),
    clientCount: clients.clients.length,
    isConfigOnly,
    unchangedCount: isConfigOnly ? 0 : rules.rules.filter(isUnchanged).length,
    diagnostics,
  };
}

/** The files of built-in rules, if they are as they were shipped: the tests of the release ran their examples. */
async function unchangedFiles(context: CliContext): Promise<ReadonlySet<string>> {
  const { files } = await readYamlFolder(SHIPPED_RULES, context);
  return new Set(areShipped(files) ? files.map(({ file }) => file) : []);
}

/** Where the files are that `readTargets` reads; files that are named by a folder are found by it. */
export async function pathsToCheck(input: VerbInput, context: CliContext): Promise<WatchedPaths> {
  const paths = input.positionals.map((path) => resolve(context.workingDirectory, path));
  const config = await loadSetupConfig(setupFlags(input), context);
  const configured = [...config.ruleFolders, ...config.clientFolders].map(({ path }) => path);
  const named = await Promise.all(paths.map(async (path) => ({ path, isFolder: await isFolder(path) })));
  return {
    folders: [...named.filter((one) => one.isFolder).map(({ path }) => path), ...configured],
    files: named.filter((one) => !one.isFolder).map(({ path }) => path),
  };
}

function builtIn(rules: LoadedRules, context: CliContext): (rule: Rule) => boolean {
  const folders = foldersOf(SHIPPED_RULES).map((path) => shownPath(path, context));
  return ({ rule }) => folders.includes(dirname(rules.fileOf(rule) ?? ""));
}

async function readPaths(input: VerbInput, context: CliContext): Promise<CheckTargets> {
  const paths = input.positionals.map((path) => resolve(context.workingDirectory, path));
  const read = await Promise.all(paths.map((path) => readPath(path, context)));
  const files = read.flatMap((part) => part.files);
  const texts = Object.groupBy(files, kindOf);
  const config = await loadSetupConfig(setupFlags(input), context);
  const { workingDirectory } = context;
  const folders = config.ruleFolders;
  const settings = ruleSettings(config);
  const rules = await loadRules({
    folders,
    texts: texts.rule ?? [],
    settings,
    workingDirectory,
    withExamples: true,
  });
  const clients = await loadClients({
    folders: config.clientFolders,
    texts: texts.client ?? [],
    workingDirectory,
  });
  const shown = new Set(files.map(({ file }) => file));
  const found = [...rules.diagnostics, ...clients.diagnostics].filter(({ location }) =>
    location === undefined || shown.has(location.file)
  );
  return {
    rules,
    isBuiltIn: builtIn(rules, context),
    isTarget: (rule) => shown.has(rules.fileOf(rule.rule) ?? ""),
    clientCount: texts.client?.length ?? 0,
    isConfigOnly: false,
    unchangedCount: 0,
    diagnostics: [
      ...read.flatMap((part) => part.diagnostics),
      ...repeatedRules(texts.rule ?? []).filter((one) =>
        !found.some(({ location }) =>
          location?.file === one.location?.file && location?.line === one.location?.line
        )
      ),
      ...await checkConfigs(texts.config ?? [], context),
      ...found,
    ],
  };
}

/** What the server would refuse at its start with each of these configurations: its keys, and the plugins and rules that it names. */
async function checkConfigs(files: readonly TextFile[], context: CliContext): Promise<Diagnostic[]> {
  const setups = files.map(({ file }) =>
    loadSetup({ config: resolve(context.workingDirectory, file) }, context)
  );
  return (await Promise.all(setups)).flatMap(({ diagnostics }) => [...diagnostics]);
}

async function readPath(path: string, context: CliContext): ReturnType<typeof readTextFile> {
  return await isFolder(path)
    ? await readYamlFolder({ path, isRequired: true }, context)
    : await readTextFile(path, context);
}

async function isFolder(path: string): Promise<boolean> {
  return await Deno.stat(path).then((info) => info.isDirectory, () => false);
}

const KEYS_OF = {
  rule: ["rule", "pattern", "body", "examples", "untouched"],
  client: ["client", "recognize", "results"],
  config: [...Object.keys(configSchema.shape), "upstream", "port", "hostname", "host"],
};

/** What a file defines: by its keys, right or misspelled, else by its name; a rule if nothing shows it. */
function kindOf({ file, text }: TextFile): keyof typeof KEYS_OF {
  const keys = [...text.matchAll(/^(\w+):/gm)].map(([, key]) => key!);
  const kinds = Object.entries(KEYS_OF) as [keyof typeof KEYS_OF, readonly string[]][];
  const exact = kinds.find(([, known]) => keys.some((key) => known.includes(key)));
  if (exact !== undefined) return exact[0];
  if (/(?:^|[/\\])dragoman\.ya?ml$/.test(file)) return "config";
  return kinds.find(([, known]) => keys.some((key) => suggest(key, known) !== undefined))?.[0] ?? "rule";
}

/** Rules that two of the named files define: the later one would silently replace the other. */
function repeatedRules(files: readonly TextFile[]): Diagnostic[] {
  return readNamed(files, { kind: "rule", schema: ruleFileSchema, rewrite: newWords }).diagnostics
    .filter(({ code }) => code === "duplicate_rule");
}
