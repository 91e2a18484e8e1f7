/**
 * Rules that were read and checked, as one JSON text: a server that starts again with the same rules and settings needs
 * neither the parsers nor the check. The text counts only for the exact texts, settings and program that it was made of.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { type CompiledRules, FORMAT } from "../compiled/format.ts";
import { rankRules } from "../compiled/rank.ts";
import { unpackRules } from "../compiled/unpack.ts";
import type { TextFile } from "../document/text_file.ts";
import { isRecord } from "../object/record.ts";
import { parseJson } from "../object/parse.ts";
import type { LoadedRules, RuleSettings } from "./read.ts";
import type { Rule } from "./schema.ts";

/** Where the text of the last rules is kept. */
export interface RuleCache {
  /** The program that reads and writes rules: another one may read the same rules in another way. */
  by(): string;
  /** The text, if it is as it was written; undefined if there is none. */
  read(): Promise<string | undefined>;
  /** Keeps the text that `write` returns; may call it later, or never. */
  keep(write: () => string): void;
}

/** What the text contains. Rules have no examples, because a server runs none. */
interface CheckedRules {
  /** The key of `checkedKey`. */
  readonly of: string;
  readonly rules: readonly Rule[];
  readonly files: Readonly<Record<string, string>>;
  readonly compiled: CompiledRules;
}

/** One hash of everything that reading rules depends on. */
export function checkedKey(
  folders: readonly (readonly TextFile[])[],
  { by, settings: { locate: _, ...settings } }: { readonly by: string; readonly settings: RuleSettings },
): string {
  const texts = folders.map((folder) => folder.map(({ file, text }) => [file, text]));
  return createHash("sha256").update(JSON.stringify([FORMAT, by, settings, texts])).digest("base64url");
}

/** Writes rules without a diagnostic. */
export function writeChecked(
  { rules, fileOf }: LoadedRules,
  { key, compiled }: { readonly key: string; readonly compiled: CompiledRules },
): string {
  const checked: CheckedRules = {
    of: key,
    rules: rules.map((rule) => ({ ...rule, examples: [], untouched: [] })),
    files: Object.fromEntries(rules.map(({ rule }) => [rule, fileOf(rule) ?? ""])),
    compiled,
  };
  return JSON.stringify(checked);
}

/** Reads rules; undefined if the text is about others. */
export async function readChecked(
  text: string,
  { key, settings }: { readonly key: string; readonly settings: RuleSettings },
): Promise<LoadedRules | undefined> {
  const parsed = parseJson(text);
  if (!isRecord(parsed) || parsed["of"] !== key) return undefined;
  const { rules, files, compiled } = parsed as unknown as CheckedRules;
  const entries = unpackRules(compiled);
  const on = new Set(rules.filter(({ enabled }) => enabled).map(({ rule }) => rule));
  const program = { ...rankRules(entries.filter(({ name }) => on.has(name))), entries };
  const hasCommands = entries.some(({ name, commands }) =>
    commands !== undefined && (on.has(name) || settings.chosen?.includes(name))
  );
  // Only rules that check commands need the parser of a shell.
  const { isAllowedCommand } = hasCommands ? await import("../tool/shell.ts") : {};
  return {
    rules,
    program: { ...program, isAllowedCommand },
    diagnostics: [],
    fileOf: (rule) => files[rule],
    locate: () => undefined,
  };
}
