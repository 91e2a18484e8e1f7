/**
 * Reads the texts of rule files and applies the configuration's settings: the rules, the compiled program of those that
 * are on, and every error with its location. It reads no files.
 *
 * @module
 */
import type { Diagnostic, Location } from "../diagnostic/diagnostic.ts";
import { didYouMean } from "../diagnostic/suggest.ts";
import { type Document, readDocument } from "../document/document.ts";
import { present } from "../object/present.ts";
import type { Program } from "../scan/program.ts";
import { compileRules } from "./compile.ts";
import type { RuleProblem } from "./problem.ts";
import { type Rule, ruleSchema } from "./schema.ts";

/** A rule file's text. */
export interface RuleText {
  /** The file as diagnostics show it; its name without the ending is the rule's name. */
  readonly file: string;
  /** Its text. */
  readonly text: string;
  /** The text's plain value, if it is known without parsing the text. */
  readonly known?: unknown;
}

/** The settings of a configuration that name rules. */
export type RuleSetting = "enable" | "disable" | "confidence";

/** A configuration's settings for rules. */
export interface RuleSettings {
  /** Rules to enable. */
  readonly enable: readonly string[];
  /** Rules to disable. */
  readonly disable: readonly string[];
  /** Rule → confidence, instead of its own. */
  readonly confidence: Readonly<Record<string, number>>;
  /** The threshold under which no rule makes a call, 0 to 1. */
  readonly minimumConfidence: number;
  /** The location of a rule's name in a setting; undefined if the setting is a flag. */
  readonly locate?: (setting: RuleSetting, rule: string) => Location | undefined;
}

/** No settings, and no threshold. */
export const noSettings: RuleSettings = { enable: [], disable: [], confidence: {}, minimumConfidence: 0 };

/** The rules of all folders. */
export interface LoadedRules {
  /** Every rule that could be read, on or off, with the settings applied. */
  readonly rules: readonly Rule[];
  /** The rules that are on, compiled. */
  readonly program: Program;
  /** Every error in the rules and in the settings. */
  readonly diagnostics: readonly Diagnostic[];
  /** The file of a rule; undefined for an unknown rule. Unlike a location, it needs no parsed YAML. */
  fileOf(rule: string): string | undefined;
  /** The location of a rule's field, or of a part of its text; undefined for an unknown rule. */
  locate(
    rule: string,
    path: readonly (string | number)[],
    part?: { readonly offset?: number; readonly length?: number },
  ): Location | undefined;
}

interface RuleEntry {
  readonly rule: Rule;
  readonly document: Document<Rule>;
}

/**
 * Reads rules. A rule of a later folder replaces one of the same name of an earlier folder; two of the same name
 * in one folder are an error.
 *
 * @param folders each folder's rule files, the built-in rules first
 * @param settings the configuration's settings for rules
 */
export function readRules(folders: readonly (readonly RuleText[])[], settings: RuleSettings): LoadedRules {
  const diagnostics: Diagnostic[] = [];
  const entries = new Map<string, RuleEntry>();
  const partials = new Map<string, RuleEntry>();
  for (const folder of folders) {
    const { found, partial, errors } = readFolder(folder);
    diagnostics.push(...errors);
    for (const [name, entry] of found) entries.set(name, applySettings(entry, settings));
    for (const entry of partial) partials.set(entry.rule.rule, entry);
  }
  const rules = [...entries.values()].map(({ rule }) => rule);
  const { program, problems } = compileRules(rules.filter((rule) => rule.enabled));
  const off = compileRules(rules.filter((rule) => !rule.enabled));
  const wrong = compileRules([...partials.values()].map(({ rule }) => rule));
  diagnostics.push(
    ...[...problems, ...off.problems].map((problem) => problemDiagnostic(problem, entries)),
    ...wrong.problems.map((problem) => problemDiagnostic(problem, partials)),
    ...unknownRules(new Set([...entries.keys(), ...partials.keys()]), settings),
    ...rulesUnderThreshold(entries, settings),
  );
  return {
    rules,
    program,
    diagnostics,
    fileOf: (rule) => entries.get(rule)?.document.file,
    locate: (rule, path, part) => entries.get(rule)?.document.locate(path, part?.offset, part?.length),
  };
}

interface ReadFolder {
  readonly found: ReadonlyMap<string, RuleEntry>;
  /** The valid parts of rules with errors: checked further, never used. */
  readonly partial: readonly RuleEntry[];
  readonly errors: readonly Diagnostic[];
}

function readFolder(folder: readonly RuleText[]): ReadFolder {
  const errors: Diagnostic[] = [];
  const partial: RuleEntry[] = [];
  const found = new Map<string, RuleEntry>();
  for (const entry of folder) {
    const { file } = entry;
    const document = readDocument({ ...entry, schema: ruleSchema });
    errors.push(...document.diagnostics);
    const rule = document.value;
    if (document.partial !== undefined) partial.push({ rule: document.partial, document });
    if (rule === undefined) continue;
    const previous = found.get(rule.rule);
    if (previous !== undefined) errors.push(duplicateRule(document, previous));
    else if (rule.rule !== stemOf(file)) errors.push(nameDiffers(document, { rule, file }));
    if (previous === undefined) found.set(rule.rule, { rule, document });
  }
  return { found, partial, errors };
}

/** `rules/mine.yaml` → `mine`. */
function stemOf(file: string): string {
  return file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1).replace(/\.ya?ml$/, "");
}

function duplicateRule(document: Document<Rule>, previous: RuleEntry): Diagnostic {
  const other = previous.document.locate(["rule"]);
  return {
    code: "duplicate_rule",
    severity: "error",
    message: `Rule "${previous.rule.rule}" is defined twice`,
    location: document.locate(["rule"]),
    expected: "a name that no other rule of the folder has",
    help: `rename this rule or the one at ${other.file}:${other.line}`,
  };
}

function nameDiffers(document: Document<Rule>, { rule, file }: { rule: Rule; file: string }): Diagnostic {
  return {
    code: "rule_name",
    severity: "error",
    message: `Rule "${rule.rule}" is in a file with another name`,
    location: document.locate(["rule"]),
    expected: `\`${stemOf(file)}\`, as the file is named`,
    help: `rename the file to ${rule.rule}.yaml, or the rule`,
  };
}

function applySettings({ rule, document }: RuleEntry, settings: RuleSettings): RuleEntry {
  const confidence = Object.hasOwn(settings.confidence, rule.rule)
    ? settings.confidence[rule.rule]
    : undefined;
  const enabled = settings.enable.includes(rule.rule) ||
    (rule.enabled && !settings.disable.includes(rule.rule));
  return { rule: { ...rule, enabled, confidence: confidence ?? rule.confidence }, document };
}

function problemDiagnostic(problem: RuleProblem, entries: ReadonlyMap<string, RuleEntry>): Diagnostic {
  const { code, rule, path, offset, length, message, expected, help } = problem;
  const location = entries.get(rule)?.document.locate(path, offset, length);
  return {
    code,
    severity: "error",
    message,
    ...present({ location, expected, help }),
  };
}

function unknownRules(known: ReadonlySet<string>, settings: RuleSettings): Diagnostic[] {
  const named: [RuleSetting, readonly string[]][] = [
    ["enable", settings.enable],
    ["disable", settings.disable],
    ["confidence", Object.keys(settings.confidence)],
  ];
  return named.flatMap(([setting, names]) =>
    names.filter((name) => !known.has(name)).map((name) => {
      const location = settings.locate?.(setting, name);
      const help = didYouMean(name, known);
      return {
        code: "unknown_rule",
        severity: "error",
        message: `Cannot ${
          setting === "confidence" ? "set the confidence of" : setting
        } rule "${name}": it does not exist`,
        ...present({ location }),
        expected: "the name of a rule",
        ...present({ help }),
      };
    })
  );
}

function rulesUnderThreshold(entries: ReadonlyMap<string, RuleEntry>, settings: RuleSettings): Diagnostic[] {
  const { minimumConfidence } = settings;
  const weak = [...entries.values()].filter(({ rule }) =>
    rule.enabled && rule.body !== "opaque" && rule.confidence < minimumConfidence
  );
  return weak.map(({ rule, document }) => ({
    code: "confidence_under_threshold",
    severity: "warning",
    message: `Rule "${rule.rule}" is on but can never make a call: its confidence is ${rule.confidence}`,
    location: settings.locate?.("confidence", rule.rule) ?? document.locate(["confidence"]),
    expected: `at least ${minimumConfidence}, which is \`policy.minimum_confidence\``,
    help: "raise the rule's confidence, lower the threshold, or switch the rule off",
  }));
}
