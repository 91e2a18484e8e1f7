/**
 * Loads rules from the disk: the built-in ones and those of further folders.
 *
 * @module
 */
import { join } from "node:path";
import { readGuarded } from "../document/guard.ts";
import { type Folder, readShipped, readYamlFolders } from "../document/load.ts";
import { nameOf } from "../document/prepared.ts";
import type { TextFile } from "../document/text_file.ts";
import { checkedKey, readChecked, type RuleCache, writeChecked } from "./checked.ts";
import { BUILT_IN_RULES, SHIPPED_RULES } from "./folder.ts";
import type { LoadedRules, RuleSettings } from "./read.ts";
import { COMPILED_FILE, readReady, READY_FILE } from "./ready.ts";

/** What to load. */
export interface LoadRulesOptions {
  /** Folders besides the built-in one; a later one's rule replaces an earlier one's of the same name. */
  readonly folders: readonly Folder[];
  /** Rule files that were read already; they replace rules of all folders. */
  readonly texts?: readonly TextFile[];
  /** The configuration's settings for rules. */
  readonly settings: RuleSettings;
  /** Whether no one needs the rules' examples, so that a start without the parsers of rules is possible. */
  readonly withoutExamples?: boolean;
  /** What keeps checked rules from one start to the next. It counts only without examples. */
  readonly cache?: RuleCache | undefined;
  /** The absolute path of the working directory, from which paths are shown. */
  readonly workingDirectory: string;
}

/** Reads the built-in rules and those of the folders. */
export async function loadRules(options: LoadRulesOptions): Promise<LoadedRules> {
  const { folders, diagnostics } = await readYamlFolders([SHIPPED_RULES, ...options.folders], options);
  const known = new Set(folders.flat().map(({ file }) => file));
  const named = (options.texts ?? []).filter(({ file }) => !known.has(file));
  const all = [...folders, named];
  const { settings } = options;
  const ready = options.withoutExamples ? readyRules(all, settings) : undefined;
  if (ready !== undefined) return { ...ready, diagnostics };
  const cache = options.withoutExamples ? options.cache : undefined;
  const key = cache && checkedKey(all, { by: cache.by, settings });
  const text = await cache?.read();
  const checked = key && text ? await readChecked(text, { key, settings }) : undefined;
  if (checked !== undefined) return { ...checked, diagnostics };
  // Only other rules need the schema and the parsers, which take long to load.
  const { readRules } = await import("./read.ts");
  const { value: loaded, diagnostics: failed } = readGuarded(all, (texts) => readRules(texts, settings));
  const found = [...diagnostics, ...failed, ...loaded.diagnostics];
  if (cache && key && found.length === 0) {
    const { packRules } = await import("./pack.ts");
    cache.keep(() => writeChecked(loaded, { key, compiled: packRules(loaded.rules, { by: cache.by }) }));
  }
  return { ...loaded, diagnostics: found };
}

/** The shipped rules as they are ready, if there are no others. */
function readyRules(
  folders: readonly (readonly TextFile[])[],
  settings: RuleSettings,
): LoadedRules | undefined {
  const [builtIn = [], ...others] = folders;
  if (others.some(({ length }) => length > 0)) return undefined;
  const [ready, compiled] = [READY_FILE, COMPILED_FILE].map((name) =>
    readShipped(join(BUILT_IN_RULES, name))
  );
  const found = ready === undefined || compiled === undefined
    ? undefined
    : readReady(builtIn, { ready, compiled, settings });
  if (found === undefined) return undefined;
  const shown = new Map(builtIn.map(({ file }) => [nameOf(file), file]));
  return {
    rules: found.rules,
    program: found.program,
    diagnostics: [],
    fileOf: (rule) => shown.get(found.fileOf.get(rule) ?? ""),
    locate: () => undefined,
  };
}
