/** Loads rules from the disk: the built-in ones and those of further folders. @module */
import { join } from "node:path";
import { readGuarded } from "../document/guard.ts";
import { type Folder, readShipped, readYamlFolders } from "../document/load.ts";
import type { TextFile } from "../document/text_file.ts";
import { BUILT_IN_RULES, SHIPPED_RULES } from "./folder.ts";
import type { LoadedRules, ReadyRules, RuleSettings } from "./read.ts";
import { COMPILED_FILE, isReady, readReady, READY_FILE, readyProgram } from "./ready.ts";
import {
  checkedKey,
  loadStored,
  readStored,
  type RuleCache,
  withCompiled,
  writeCompiled,
  writeStored,
} from "./stored.ts";
import type { Program } from "../scan/program.ts";

interface LoadRulesOptions {
  /** Folders besides the built-in one; a later one's rule replaces an earlier one's of the same name. */
  readonly folders: readonly Folder[];
  /** Rule files that were read already; they replace rules of all folders. */
  readonly texts?: readonly TextFile[];
  readonly settings: RuleSettings;
  /** Whether the rules' examples are needed. Without them, the parsers of rules may not be. */
  readonly withExamples?: boolean;
  readonly cache?: RuleCache | undefined;
  readonly workingDirectory: string;
}

/** Reads the built-in rules and those of the folders. */
export async function loadRules(options: LoadRulesOptions): Promise<LoadedRules> {
  const { folders, diagnostics } = await readYamlFolders([SHIPPED_RULES, ...options.folders], options);
  const known = new Set(folders.flat().map(({ file }) => file));
  const named = (options.texts ?? []).filter(({ file }) => !known.has(file));
  const all = [...folders, named];
  const { settings } = options;
  const ready = options.withExamples ? undefined : readyRules(folders[0] ?? []);
  const hasOthers = all.slice(1).some(({ length }) => length > 0);
  const program = ready && !hasOthers ? readyProgram(ready, settings) : undefined;
  if (ready && program) return { ...readyLoaded(ready, program), diagnostics };
  const read = () => readTexts(all, { settings, ready });
  const { cache } = options;
  const loaded = cache ? await readCached(all, { cache, settings, read }) : await read();
  return { ...loaded, diagnostics: [...diagnostics, ...loaded.diagnostics] };
}

/** Reads and checks the texts of rules. Only this needs the schema and the parsers, which take long to load. */
async function readTexts(
  folders: readonly (readonly TextFile[])[],
  { settings, ready }: { readonly settings: RuleSettings; readonly ready: ReadyRules | undefined },
): Promise<LoadedRules> {
  const { readRules } = await import("./read.ts");
  const { value, diagnostics } = readGuarded(folders, (texts) => readRules(texts, settings, ready));
  return { ...value, diagnostics: [...diagnostics, ...value.diagnostics] };
}

interface CachedReading {
  readonly cache: RuleCache;
  readonly settings: RuleSettings;
  readonly read: () => Promise<LoadedRules>;
}

/** The rules that the cache has; if it has others, these are read, and kept there unless something is wrong with them. */
async function readCached(
  folders: readonly (readonly TextFile[])[],
  { cache, settings, read }: CachedReading,
): Promise<LoadedRules> {
  const by = cache.by();
  const key = checkedKey(folders, { by, settings });
  const text = await cache.read();
  const stored = text === undefined ? undefined : readStored(text, key);
  if (stored !== undefined) return await loadStored(stored, settings);
  const loaded = await read();
  if (loaded.diagnostics.length === 0) {
    const { packWeighted } = await import("./pack.ts");
    const { rules, program, fileOf } = loaded;
    const named = rules.map((rule) => [fileOf(rule.rule) ?? "", rule] as const);
    const compiled = () => writeCompiled(packWeighted(program.entries, { by }));
    cache.keep(() => withCompiled(writeStored(key, named), compiled()));
  }
  return loaded;
}

/** The built-in rules, if their files are those that were shipped. */
export function readyRules(builtIn: readonly TextFile[]): ReadyRules | undefined {
  return readReady(builtIn, { ready: readFile(READY_FILE), compiled: readFile(COMPILED_FILE) });
}

/** Whether the files of the built-in rules are those that were shipped. */
export function areShipped(builtIn: readonly TextFile[]): boolean {
  return isReady(builtIn, { ready: readFile(READY_FILE) });
}

function readFile(name: string): string {
  return readShipped(join(BUILT_IN_RULES, name)) ?? "";
}

function readyLoaded({ rules, fileOf }: ReadyRules, program: Program): LoadedRules {
  return {
    rules,
    program,
    diagnostics: [],
    fileOf: (rule) => fileOf.get(rule)?.file,
    locate: () => undefined,
  };
}
