/**
 * The shipped rules as they are after reading and compiling (`stored.ts`). They count only for the texts that they were made
 * of. For settings that change a rule, and next to other rules, those that stay as they are aren't read and compiled again.
 *
 * `deno task generate` writes the file; a test compares it.
 *
 * @module
 */
import { rankRules } from "../compiled/rank.ts";
import { hashOfAll, nameOf } from "../document/hash.ts";
import type { TextFile } from "../document/text_file.ts";
import type { Program } from "../scan/program.ts";
import { QUOTATIONS } from "./quotations.ts";
import type { ReadyRules, RuleSettings } from "./read.ts";
import type { Rule } from "./schema.ts";
import { isStored, readStored, withCompiled } from "./stored.ts";

/** The name of the file, which lies in the folder of the rules, next to the compiled ones. */
export const READY_FILE = "ready.json";

export const COMPILED_FILE = "compiled.json";

/** The texts of the ready file and of the compiled rules. */
interface ReadyTexts {
  readonly ready: string;
  readonly compiled: string;
}

/** Whether the folder's rule files are those of which the texts were made. */
export function isReady(files: readonly TextFile[], { ready }: Pick<ReadyTexts, "ready">): boolean {
  return isStored(ready, hashOfAll(files));
}

/** The rules of the shipped folder; undefined if its files are others. */
export function readReady(
  files: readonly TextFile[],
  { ready, compiled }: ReadyTexts,
): ReadyRules | undefined {
  const stored = readStored(withCompiled(ready, compiled), hashOfAll(files));
  if (stored === undefined) return undefined;
  const named = new Map(files.map((file) => [nameOf(file.file), file]));
  const fileOf = new Map([...stored.fileOf].map(([rule, name]) => [rule, named.get(name)!]));
  return { ...stored, files, fileOf };
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
