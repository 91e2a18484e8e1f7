/**
 * The shipped rules as they are after reading and compiling, so that a server starts without the parsers of YAML and patterns
 * and without the schema of rules. They count only for the texts that they were made of and for settings that leave the
 * rules as they are; otherwise the rules are read.
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
import type { RuleSettings } from "./read.ts";
import type { Rule } from "./schema.ts";

/** The name of the file, which lies in the folder of the rules, next to the compiled ones. */
export const READY_FILE = "ready.json";

/** The name of the file with the compiled rules. */
export const COMPILED_FILE = "compiled.json";

/** The rules of a folder. They have no examples: a server runs none. */
export interface ReadyRules {
  readonly rules: readonly Rule[];
  readonly program: Program;
  /** Rule → the name of its file, without a folder. */
  readonly fileOf: ReadonlyMap<string, string>;
}

/** Writes the file. */
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
 * The rules of the shipped folder, if nothing changes them.
 *
 * @param files the folder's rule files
 * @param texts the texts of the ready file and of the compiled rules
 */
export function readReady(
  files: readonly TextFile[],
  { ready, compiled, settings }: {
    readonly ready: string;
    readonly compiled: string;
    readonly settings: RuleSettings;
  },
): ReadyRules | undefined {
  if (!isPlain(settings)) return undefined;
  const parsed = parseJson(ready);
  if (!isRecord(parsed) || parsed["of"] !== hashOfAll(files)) return undefined;
  const entries = parsed["rules"] as readonly (readonly [string, Rule])[];
  const rules = entries.map(([, rule]) => rule);
  const isUnderThreshold = ({ enabled, body, confidence }: Rule) =>
    enabled && body !== "opaque" && confidence < settings.minimumConfidence;
  if (rules.some(isUnderThreshold)) return undefined;
  const program = rankRules(unpackRules(parseJson(compiled) as CompiledRules, { isShipped: true }));
  const isThere = (name: string) => program.rules.some((rule) => rule.name === name);
  // Rules that are off aren't compiled, and the parser of a shell isn't loaded.
  const isMissing = settings.chosen?.some((name) => !isThere(name)) ||
    program.rules.some(({ commands }) => commands !== undefined);
  if (isMissing) return undefined;
  return {
    rules,
    program,
    fileOf: new Map(entries.map(([file, { rule }]) => [rule, file])),
  };
}

/** Whether settings leave every rule as its file has it. */
function isPlain(
  { enable, disable, confidence, fencedCalls, quotations = QUOTATIONS }: RuleSettings,
): boolean {
  return enable.length === 0 && disable.length === 0 && Object.keys(confidence).length === 0 &&
    (fencedCalls ?? "ending") === "ending" && QUOTATIONS.every((name) => quotations.includes(name));
}
