/**
 * Rules that were read and checked, as one JSON text: a program that has it needs neither the parsers of YAML and patterns
 * nor the schema of rules. There are two: of the shipped rules (`ready.ts`), and the one that a server keeps from its last start
 * (`cli/service/rule_cache.ts`). A text counts only for the key that it was written with.
 *
 *     {"of": "KEY", "rules": [
 *     ["hermes.yaml", {"rule": "hermes", …}],
 *     …
 *     ], "compiled": {"v": 3, …}}
 *
 * The compiled rules that ship are in a file of their own, because the library has no others.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { type CompiledRules, FORMAT, type WeightedRule } from "../compiled/format.ts";
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

interface StoredRules {
  /** The rules without examples, which only a check of rules needs. */
  readonly rules: readonly Rule[];
  readonly compiled: readonly WeightedRule[];
  /** Rule → the name of its file. */
  readonly fileOf: ReadonlyMap<string, string>;
}

/** One hash of everything that reading rules depends on. */
export function checkedKey(
  folders: readonly (readonly TextFile[])[],
  { by, settings: { locate: _, ...settings } }: { readonly by: string; readonly settings: RuleSettings },
): string {
  const texts = folders.map((folder) => folder.map(({ file, text }) => [file, text]));
  return createHash("sha256").update(JSON.stringify([FORMAT, by, settings, texts])).digest("base64url");
}

/** Writes rules without a diagnostic, a line for each, and without the compiled ones. */
export function writeStored(key: string, rules: readonly (readonly [file: string, rule: Rule])[]): string {
  const plain = rules.map(([file, rule]) => [file, { ...rule, examples: [], untouched: [] }]);
  return `${headOf(key)}, "rules": [\n${linesOf(plain)}\n]}\n`;
}

export function writeCompiled({ nodes, rules, ...head }: CompiledRules): string {
  const start = JSON.stringify(head).slice(0, -1);
  return `${start},\n"nodes": [\n${linesOf(nodes)}\n],\n"rules": [\n${linesOf(rules)}\n]}\n`;
}

function linesOf(entries: readonly unknown[]): string {
  return entries.map((entry) => JSON.stringify(entry)).join(",\n");
}

/** The text of rules together with that of the compiled ones. */
export function withCompiled(rules: string, compiled: string): string {
  return `${rules.trimEnd().slice(0, -1)}, "compiled": ${compiled}}\n`;
}

/** Whether a text was written with a key. Its end may be missing. */
export function isStored(text: string, key: string): boolean {
  return text.startsWith(`${headOf(key)},`);
}

function headOf(key: string): string {
  return `{"of": "${key}"`;
}

/** The rules of a text; undefined if it was written with another key, or can't be read. */
export function readStored(text: string, key: string): StoredRules | undefined {
  const parsed = isStored(text, key) ? parseJson(text) : undefined;
  if (!isRecord(parsed)) return undefined;
  const rules = parsed["rules"] as readonly (readonly [file: string, rule: Rule])[];
  return {
    rules: rules.map(([, rule]) => rule),
    compiled: unpackRules(parsed["compiled"] as CompiledRules),
    fileOf: new Map(rules.map(([file, { rule }]) => [rule, file])),
  };
}

/** Stored rules of which every one is as the settings have it. */
export async function loadStored(
  { rules, compiled, fileOf }: StoredRules,
  settings: RuleSettings,
): Promise<LoadedRules> {
  const on = new Set(rules.filter(({ enabled }) => enabled).map(({ rule }) => rule));
  const program = { ...rankRules(compiled.filter(({ name }) => on.has(name))), entries: compiled };
  const hasCommands = compiled.some(({ name, commands }) =>
    commands !== undefined && (on.has(name) || settings.chosen?.includes(name))
  );
  // Only rules that check commands need the parser of a shell.
  const { isAllowedCommand } = hasCommands ? await import("../tool/shell.ts") : {};
  return {
    rules,
    program: { ...program, isAllowedCommand },
    diagnostics: [],
    fileOf: (rule) => fileOf.get(rule),
    locate: () => undefined,
  };
}
