/** Reads the texts of rule files with the configuration's settings: rules, program, and every error with its place. @module */
import type { Diagnostic, Location } from "../diagnostic/diagnostic.ts";
import { didYouMean } from "../diagnostic/suggest.ts";
import type { Document } from "../document/document.ts";
import type { TextFile } from "../document/text_file.ts";
import { type NamedDocument, readNamed } from "../document/named.ts";
import { present } from "../object/present.ts";
import type { WeightedRule } from "../compiled/format.ts";
import type { Program } from "../scan/program.ts";
import { compileRules } from "./compile.ts";
import type { RuleProblem } from "./problem.ts";
import { isQuotation, type Quotation, QUOTATIONS } from "./quotations.ts";
import { newWords } from "./old_words.ts";
import { type Rule, type RuleFile, ruleFileSchema } from "./schema.ts";
import type { Path } from "../document/field.ts";
import { BODIES_OF, DEFAULTS } from "./field_conflicts.ts";

export type RuleSetting = "enable" | "disable" | "confidence";

export interface RuleSettings {
  readonly enable: readonly string[];
  readonly disable: readonly string[];
  /** The quotations of Markdown in which a call is text; all by default. */
  readonly quotations?: readonly Quotation[];
  /** Rule → confidence, instead of its own. */
  readonly confidence: Readonly<Record<string, number>>;
  /** Rules that models or upstreams have, on or off. */
  readonly chosen?: readonly string[];
  /** Where fenced calls count: at the end of an answer, anywhere or never. By default, their rules decide. */
  readonly fencedCalls?: "ending" | "anywhere" | "never";
  /** The threshold under which no rule makes a call, 0 to 1. */
  readonly minimumConfidence: number;
  /** The location of a rule's name in a setting; undefined if the setting is a flag. */
  readonly locate?: (setting: RuleSetting, rule: string) => Location | undefined;
}

export const noSettings: RuleSettings = { enable: [], disable: [], confidence: {}, minimumConfidence: 0 };

export interface LoadedRules {
  /** Every rule that could be read, on or off, with the settings applied. */
  readonly rules: readonly Rule[];
  readonly program: Program;
  /** Every error in the rules and in the settings. */
  readonly diagnostics: readonly Diagnostic[];
  /** The file of a rule; undefined for an unknown rule. Unlike a location, it needs no parsed YAML. */
  fileOf(rule: string): string | undefined;
  /** The location of a rule's field or of a part of its text; undefined if unknown, or if rules were read as ready ones. */
  locate(
    rule: string,
    path: readonly (string | number)[],
    part?: { readonly offset?: number; readonly length?: number },
  ): Location | undefined;
}

/** Rules of a folder that were read and compiled before (`ready.ts`). They have no examples: a server runs none. */
export interface ReadyRules {
  readonly files: readonly TextFile[];
  readonly rules: readonly Rule[];
  readonly compiled: readonly WeightedRule[];
  readonly fileOf: ReadonlyMap<string, TextFile>;
}

interface RuleEntry {
  readonly value: Rule;
  readonly file: string;
  readonly locate: Document<RuleFile>["locate"];
}

/**
 * Reads rules. A rule of a later folder replaces one of the same name of an earlier folder; two of the same name
 * in one folder are an error.
 *
 * @param folders each folder's rule files, the built-in rules first
 * @param settings the configuration's settings for rules
 * @param ready the rules of one of the folders, which aren't read again
 */
export function readRules(
  folders: readonly (readonly TextFile[])[],
  settings: RuleSettings,
  ready?: ReadyRules,
): LoadedRules {
  const diagnostics: Diagnostic[] = [];
  const entries = new Map<string, RuleEntry>();
  const partials = new Map<string, RuleEntry>();
  for (const folder of folders) {
    if (folder === ready?.files) {
      for (const entry of readyEntries(ready)) entries.set(entry.value.rule, applySettings(entry, settings));
      continue;
    }
    const { found, partial, diagnostics: errors } = readNamed(folder, NAMED);
    diagnostics.push(...errors);
    const own = [...found.values()].flatMap(entriesOf).sort(byName);
    diagnostics.push(...repeatedNames(own));
    for (const entry of own) entries.set(entry.value.rule, applySettings(entry, settings));
    for (const entry of partial.flatMap(entriesOf)) partials.set(entry.value.rule, entry);
  }
  const rules = [...entries.values()].map(({ value }) => value);
  const { program, problems } = compileRules(rules, ({ enabled }) => enabled, compiledOf(ready));
  const wrong = compileRules([...partials.values()].map(({ value }) => value));
  diagnostics.push(
    ...problems.map((problem) => problemDiagnostic(problem, entries)),
    // What the part that can't be read may state isn't an error of its own.
    ...wrong.problems.filter(({ path, code }) => path[0] !== "body" && code !== "pattern_group_missing").map((
      problem,
    ) => problemDiagnostic(problem, partials)),
    ...unknownRules(new Set([...entries.keys(), ...partials.keys()]), settings),
    ...disabledQuotations(settings),
    ...rulesUnderThreshold(entries, settings),
  );
  return {
    rules,
    program,
    diagnostics,
    fileOf: (rule) => entries.get(rule)?.file,
    locate: (rule, path, part) => entries.get(rule)?.locate(path, part?.offset, part?.length),
  };
}

const MAPPING = "write `call: { parameters: { PARAMETER: $GROUP } }`";
const TARGET = "write `call: { tool: TOOL }`";

/** Fields that people try first → what to write. */
const FOREIGN: Readonly<Record<string, string>> = {
  whitelist:
    "write `call: { allowed_commands: [npm, git] }` for the first words of commands, or `call: { allowed_tools: [read_file] }` for tools",
  mapping: MAPPING,
  args: MAPPING,
  arguments: MAPPING,
  params: MAPPING,
  target: TARGET,
  target_tool: TARGET,
  tool_name: TARGET,
  name: "write `rule: NAME`, the same as the file's name",
  id: "write `rule: NAME`, the same as the file's name",
  regex: "write `pattern: '…'`",
  type:
    "write `body: json`, `body: tagged` or another kind of body; without one, the groups of the pattern are the parameters",
  priority: "write `confidence: 0.95`; if two rules match at one place, the higher confidence wins",
  flags: "patterns have no flags: write classes such as [Aa] to match both cases",
};

const NAMED = { kind: "rule", schema: ruleFileSchema, rewrite: newWords, foreign: FOREIGN } as const;

/** Ready rules; their files are read only for a location. */
function readyEntries({ rules, fileOf }: ReadyRules): RuleEntry[] {
  return rules.map((value) => {
    const file = fileOf.get(value.rule)!;
    const read = () => [...readNamed([file], NAMED).found.values()].flatMap(entriesOf);
    return {
      value,
      file: file.file,
      locate: (...place) => read().find((entry) => entry.value.rule === value.rule)!.locate(...place),
    };
  });
}

function compiledOf({ rules, compiled }: Pick<ReadyRules, "rules" | "compiled"> = NO_RULES) {
  const named = new Map(compiled.map((entry) => [entry.name, entry]));
  return new Map(rules.flatMap((rule) => {
    const entry = named.get(rule.rule);
    return entry === undefined ? [] : [[rule, entry]];
  }));
}

const NO_RULES = { rules: [], compiled: [] };

function entriesOf({ value: file, document }: NamedDocument<RuleFile>): RuleEntry[] {
  return rulesOf(file).map(({ rule, place }) => ({
    value: rule,
    file: document.file,
    locate: (path, ...part) => {
      const inForm = path[0] === "rule" ? [...place, "name"] : [...place, ...path];
      const isShared = place.length > 0 && !document.has(inForm.slice(0, place.length + 1)) &&
        document.has(path.slice(0, 1));
      return document.locate(place.length === 0 || isShared ? path : inForm, ...part);
    },
  }));
}

/** The order of rules doesn't depend on the files that they are in. */
function byName({ value: { rule: one } }: RuleEntry, { value: { rule: other } }: RuleEntry): number {
  return one < other ? -1 : Number(one > other);
}

/** The names that a form shares with another rule of its folder. */
function repeatedNames(entries: readonly RuleEntry[]): Diagnostic[] {
  return entries.filter((entry, index) => entries[index - 1]?.value.rule === entry.value.rule).map((
    entry,
  ) => ({
    code: "duplicate_rule",
    severity: "error",
    message: `Rule "${entry.value.rule}" is defined twice`,
    location: entry.locate(["rule"]),
    expected: "a name that no other rule or form in the folder has",
  }));
}

/** A rule that the settings leave as it is stays the same object. */
function applySettings(entry: RuleEntry, settings: RuleSettings): RuleEntry {
  const { value: rule } = entry;
  const confidence =
    (Object.hasOwn(settings.confidence, rule.rule) ? settings.confidence[rule.rule] : undefined) ??
      rule.confidence;
  const { fencedCalls, quotations = QUOTATIONS } = settings;
  const isLeftOut = isQuotation(rule.rule) && !quotations.includes(rule.rule);
  const isFenced = rule.body !== "opaque" && rule.pattern.includes(FENCE);
  const enabled = settings.enable.includes(rule.rule) ||
    (rule.enabled && !isLeftOut && !settings.disable.includes(rule.rule) &&
      !(isFenced && fencedCalls === "never"));
  const followed_by = isFenced && rule.followed_by === "calls" && fencedCalls === "anywhere"
    ? "anything"
    : rule.followed_by;
  const isSame = enabled === rule.enabled && followed_by === rule.followed_by &&
    confidence === rule.confidence;
  return isSame ? entry : { ...entry, value: { ...rule, enabled, followed_by, confidence } };
}

/** The group of a pattern that opens a fence. */
const FENCE = "(?<fence>";

function problemDiagnostic(problem: RuleProblem, entries: ReadonlyMap<string, RuleEntry>): Diagnostic {
  const { code, rule, path, offset, length, message, expected, help } = problem;
  const location = entries.get(rule)?.locate(path, offset, length);
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

/** Quotations used to be switched off like rules; that still works. */
function disabledQuotations({ disable, quotations = QUOTATIONS, locate }: RuleSettings): Diagnostic[] {
  const rest = quotations.filter((name) => !disable.includes(name)).join(", ");
  return disable.filter(isQuotation).map((name) => ({
    code: "old_word",
    severity: "warning",
    message: `\`${name}\` is a Markdown quotation, not a dialect`,
    ...present({ location: locate?.("disable", name) }),
    help: `write \`policy: { quotations: [${rest}] }\``,
  }));
}

function rulesUnderThreshold(entries: ReadonlyMap<string, RuleEntry>, settings: RuleSettings): Diagnostic[] {
  const { minimumConfidence } = settings;
  const weak = [...entries.values()].filter(({ value: rule }) =>
    rule.enabled && rule.body !== "opaque" && rule.confidence < minimumConfidence
  );
  return weak.map(({ value: rule, locate }) => ({
    code: "confidence_under_threshold",
    severity: "warning",
    message: `Rule "${rule.rule}" is on but can never make a call: its confidence is ${rule.confidence}`,
    location: settings.locate?.("confidence", rule.rule) ?? locate(["confidence"]),
    expected: `at least ${minimumConfidence}, which is \`policy.minimum_confidence\``,
    help: "raise the rule's confidence, lower the threshold, or switch the rule off",
  }));
}

/** A rule, and where its fields are in its file. */
interface PlacedRule {
  readonly rule: Rule;
  /** The form's place in the file; empty for the rule itself. */
  readonly place: Path;
}

/** The rules of a file. A form has the file's fields unless it states others or its body can't have them. */
function rulesOf({ forms, ...rule }: RuleFile): PlacedRule[] {
  return [
    { rule, place: [] },
    ...forms.map((form, index) => ({ rule: formOf(rule, form), place: ["forms", index] })),
  ];
}

function formOf(rule: Rule, { name, ...form }: RuleFile["forms"][number]): Rule {
  const { speak: _, ...shared } = rule;
  const body = form.body ?? rule.body;
  const others = Object.entries(BODIES_OF).filter(([, bodies]) => !bodies.includes(body)).map(([field]) =>
    field
  );
  const inherited = Object.fromEntries(
    Object.entries(shared).filter(([field]) => !others.includes(field)),
  );
  return {
    ...DEFAULTS,
    ...inherited,
    examples: [],
    untouched: [],
    ...present(form),
    rule: name,
  } as Rule;
}
