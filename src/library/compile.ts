/**
 * Compiles rules: `dragoman-engine/compile`. It needs the parsers of YAML and of patterns; use it when you build, and load
 * what it writes with `loadRules`. `dragoman rules compile` does the same.
 *
 * @module
 */
import { noSettings, readRules } from "../engine/rule/read.ts";
import { packRules } from "../engine/rule/pack.ts";
import { isAllowedCommand as isAllowed } from "../engine/tool/shell.ts";
import type { CompiledRules } from "./types.ts";

/** A rule file. */
export interface RuleFile {
  /** Its name; a rule has the name of its file. */
  readonly file: string;
  /** Its YAML. */
  readonly text: string;
}

/** What is wrong with a rule file. */
export interface RuleDiagnostic {
  /** The code of the error or warning. */
  readonly code: string;
  /** An error makes the rule unusable. */
  readonly severity: "error" | "warning";
  /** What is wrong, for a person. */
  readonly message: string;
  /** Where. */
  readonly location?: { readonly file: string; readonly line: number; readonly column: number } | undefined;
  /** What was expected instead. */
  readonly expected?: string | undefined;
  /** How to fix it. */
  readonly help?: string | undefined;
}

/** Compiled rules, and what is wrong with others. */
export interface Compilation {
  /** The rules that are on and have no error, with how their dialects are spoken. */
  readonly compiled: CompiledRules;
  /** Every error and warning. */
  readonly diagnostics: readonly RuleDiagnostic[];
}

/** Compiles rule files. */
export function compileRules(
  files: readonly RuleFile[],
  { by = "dragoman-engine" }: { readonly by?: string | undefined } = {},
): Compilation {
  const { rules, diagnostics } = readRules([files], noSettings);
  const compiled = packRules(rules.filter(({ enabled }) => enabled), { by, withSpeech: true });
  return { compiled, diagnostics };
}

/**
 * Whether a shell text is one line of simple commands that all start with a listed word, for rules with
 * `call.allowed_commands`. Whatever a shell could expand fails the check.
 */
export function isAllowedCommand(text: string, words: readonly string[]): boolean {
  return isAllowed(text, words);
}
