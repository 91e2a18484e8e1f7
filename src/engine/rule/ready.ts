/**
 * The shipped rules as they are after reading and compiling, so that a server starts without the parsers of YAML and patterns
 * and without the schema of rules. They count only for the texts that they were made of. For settings that change a rule,
 * and next to other rules, those that stay as they are aren't read and compiled again.
 *
 * `deno task generate` writes the file; a test compares it.
 *
 * @module
 */
import type { CompiledRules } from "../compiled/format.ts";
import { rankRules } from "../compiled/rank.ts";
import { unpackRules } from "../compiled/unpack.ts";
import { hashOfAll, nameOf } from "../document/prepared.ts";
import type { TextFile } from "../document/text_file.ts";
import { isRecord } from "../object/record.ts";
import { parseJson } from "../object/parse.ts";
import type { Program } from "../scan/program.ts";
import { QUOTATIONS } from "./quotations.ts";
import type { ReadyRules, RuleSettings } from "./read.ts";
import type { Rule } from "./schema.ts";

/** The name of the file, which lies in the folder of the rules, next to the compiled ones. */
export const READY_FILE = "ready.json";

export const COMPILED_FILE = "compiled.json";

export function writeReady(
  files: readonly TextFile[],
  rules: readonly (readonly [file: string, rule: Rule])[],
): string {
  const lines = rules.map(([file, rule]) =>
    JSON.stringify([nameOf(file), { ...rule, examples: [], untouched: [] }])
  );
  return `{"of": "${hashOfAll(files)}", "rules": [\n${lines.join(",\n")}\n]}\n`;
}

/**
 * The rules of the shipped folder; undefined if their texts are others.
 *
 * @param files the folder's rule files
 * @param texts the texts of the ready file and of the compiled rules
 */
export function readReady(
  files: readonly TextFile[],
  { ready, compiled }: { readonly ready: string; readonly compiled: string },
): ReadyRules | undefined {
  const parsed = parseJson(ready);
  if (!isRecord(parsed) || parsed["of"] !== hashOfAll(files)) return undefined;
  const named = new Map(files.map((file) => [nameOf(file.file), file]));
  const entries = parsed["rules"] as readonly (readonly [string, Rule])[];
  return {
    files,
    rules: entries.map(([, rule]) => rule),
    compiled: unpackRules(parseJson(compiled) as CompiledRules),
    fileOf: new Map(entries.map(([name, { rule }]) => [rule, named.get(name)!])),
  };
}

/** The program of ready rules; undefined if settings change a rule, or need one that is off. */
export function readyProgram({ rules, compiled }: ReadyRules, settings: RuleSettings): Program | undefined {
  const isUnderThreshold = ({ enabled, body, confidence }: Rule) =>
    enabled && body !== "opaque" && confidence < settings.minimumConfidence;
  if (!isPlain(settings) || rules.some(isUnderThreshold)) return undefined;
  const isThere = (name: string) => compiled.some((rule) => rule.name === name);
  // Rules that are off aren't compiled, and the parser of a shell isn't loaded.
  const isMissing = settings.chosen?.some((name) => !isThere(name)) ||
    compiled.some(({ commands }) => commands !== undefined);
  return isMissing ? undefined : rankRules(compiled);
}

/** Whether settings leave every rule as its file has it. */
function isPlain(
  { enable, disable, confidence, fencedCalls, quotations = QUOTATIONS }: RuleSettings,
): boolean {
  return enable.length === 0 && disable.length === 0 && Object.keys(confidence).length === 0 &&
    (fencedCalls ?? "ending") === "ending" && QUOTATIONS.every((name) => quotations.includes(name));
}
