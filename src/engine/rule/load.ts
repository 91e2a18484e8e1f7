/**
 * Loads rules from the disk: the built-in ones and those of further folders.
 *
 * @module
 */
import { readGuarded } from "../document/guard.ts";
import { type Folder, readYamlFolders } from "../document/load.ts";
import type { TextFile } from "../document/text_file.ts";
import { SHIPPED_RULES } from "./folder.ts";
import { type LoadedRules, readRules, type RuleSettings } from "./read.ts";

/** What to load. */
export interface LoadRulesOptions {
  /** Folders besides the built-in one; a later one's rule replaces an earlier one's of the same name. */
  readonly folders: readonly Folder[];
  /** Rule files that were read already; they replace rules of all folders. */
  readonly texts?: readonly TextFile[];
  /** The configuration's settings for rules. */
  readonly settings: RuleSettings;
  /** The absolute path of the working directory, from which paths are shown. */
  readonly workingDirectory: string;
}

/** Reads the built-in rules and those of the folders. */
export async function loadRules(options: LoadRulesOptions): Promise<LoadedRules> {
  const all = [SHIPPED_RULES, ...options.folders];
  const { folders, diagnostics } = await readYamlFolders(all, options);
  const known = new Set(folders.flat().map(({ file }) => file));
  const named = (options.texts ?? []).filter(({ file }) => !known.has(file));
  const { value: loaded, diagnostics: failed } = readGuarded(
    [...folders, named],
    (texts) => readRules(texts, options.settings),
  );
  return { ...loaded, diagnostics: [...diagnostics, ...failed, ...loaded.diagnostics] };
}
