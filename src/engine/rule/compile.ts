/** Compiles rules to the program that the matcher runs, or lists everything that is wrong with them. @module */
import type { WeightedRule } from "../compiled/format.ts";
import { rankRules } from "../compiled/rank.ts";
import { present } from "../object/present.ts";
import { choice, namesIn, NEVER, type Node } from "../pattern/node.ts";
import { parsePattern } from "../pattern/parse.ts";
import type { PatternProblem } from "../pattern/problem.ts";
import { type SplitPattern, splitPattern } from "../pattern/split.ts";
import { isAllowedCommand } from "../tool/shell.ts";
import { type Body, FORM, type Mapping } from "../scan/compiled_rule.ts";
import type { Program } from "../scan/program.ts";
import { commitPoint } from "./commit.ts";
import { checkFields, itemPath } from "./field_conflicts.ts";
import { implicitParameters, isSource } from "./parameters.ts";
import { yamlOf } from "./yaml_line.ts";
import { isRecord } from "../object/record.ts";
import { markdownOf } from "./markdown.ts";
import type { RuleProblem } from "./problem.ts";
import type { Rule } from "./schema.ts";

export type { Program } from "../scan/program.ts";

/** The result of `compileRules`; the program has no rules with problems. */
interface CompilationResult {
  readonly program: Program;
  readonly problems: readonly RuleProblem[];
}

/** The weight of an opaque rule, compared with the confidence of rules that make calls. */
const PRECEDENCE = { before_calls: 2, after_calls: -1 } as const;

/**
 * Compiles rules; those that are not on are only checked and kept as entries. Of two rules that match at the same position, the one with the higher confidence wins, then the one
 * with the longer match, then the one that comes first here. The `precedence` of an opaque rule puts it before or after
 * all calls.
 *
 * @example
 * ```ts
 * import { compileRules } from "./compile.ts";
 * import { ruleSchema } from "./schema.ts";
 * const rule = ruleSchema.parse({ rule: "demo", pattern: "<call {tool}>(?<body>…)</call>", body: "json" });
 * const { program, problems } = compileRules([rule]);
 * console.assert(problems.length === 0 && program.rules[0]?.name === "demo");
 * ```
 */
export function compileRules(
  rules: readonly Rule[],
  isOn: (rule: Rule) => boolean = () => true,
  known?: ReadonlyMap<Rule, WeightedRule>,
): CompilationResult {
  const { rules: entries, problems } = weighRules(rules, known);
  const on = new Set(rules.filter(isOn).map(({ rule }) => rule));
  const ranked = rankRules(entries.filter(({ name }) => on.has(name)));
  return { program: { ...ranked, entries, isAllowedCommand }, problems };
}

/** The compiled rules before they have an order; those with problems are left out. `known` ones aren't compiled again. */
export function weighRules(
  rules: readonly Rule[],
  known?: ReadonlyMap<Rule, WeightedRule>,
): { readonly rules: readonly WeightedRule[]; readonly problems: readonly RuleProblem[] } {
  const problems: RuleProblem[] = [];
  const weighted: WeightedRule[] = [];
  for (const rule of rules) {
    const compiled = known?.get(rule);
    if (compiled !== undefined) {
      weighted.push(compiled);
      continue;
    }
    const { parts, problems: found } = partsOf(rule);
    problems.push(...found);
    if (!parts || found.length > 0) continue;
    weighted.push(ruleFields(rule, parts));
  }
  return { rules: weighted, problems };
}

function weightOf(rule: Rule): number {
  return rule.body === "opaque" ? PRECEDENCE[rule.opaque.precedence] : rule.confidence;
}

/** The pattern of a rule that names a structure of Markdown: it matches nothing. */
const NOTHING: SplitPattern = {
  opener: NEVER,
  closer: NEVER,
  groups: [],
};

/** A rule that several programs share is parsed once: `check` compiles each rule alone, in pairs and with all others. */
const partsOfRules = new WeakMap<Rule, ParsedRule>();

function partsOf(rule: Rule): ParsedRule {
  let parsed = partsOfRules.get(rule);
  if (parsed === undefined) partsOfRules.set(rule, parsed = parseParts(rule));
  return parsed;
}

/** The parts are absent if a pattern cannot be parsed. */
interface ParsedRule {
  readonly parts?: Parts;
  readonly problems: readonly RuleProblem[];
}

interface Parts {
  readonly pattern: SplitPattern;
  readonly items: readonly SplitPattern[];
  readonly between: Node | undefined;
}

function parseParts(rule: Rule): ParsedRule {
  const located = (path: RuleProblem["path"]) => (problem: PatternProblem): RuleProblem => ({
    ...withLine(problem, path),
    rule: rule.rule,
    path,
  });
  if (markdownOf(rule)) {
    return { parts: { pattern: NOTHING, items: [], between: undefined }, problems: checkFields(rule) };
  }
  const pattern = splitPattern(rule.pattern, "body");
  const outer = pattern.split?.groups ?? [];
  const items = itemsOf(rule).map((item) => splitPattern(item, "value", outer));
  const home = rule.body === "call_list" ? "call_list" : "envelope";
  const between = rule[home].between === undefined ? undefined : parsePattern(rule[home].between);
  const problems = [
    ...pattern.problems.map(located(["pattern"])),
    ...items.flatMap((item, index) => item.problems.map(located(itemPath(rule, index)))),
    ...(between?.problems ?? []).map(located([home, "between"])),
  ];
  const splits = items.flatMap(({ split }) => split ?? []);
  if (!pattern.split || splits.length < items.length || (between && !between.node)) {
    return { problems: [...problems, ...checkFields(rule)] };
  }
  const parts: Parts = { pattern: pattern.split, items: splits, between: between?.node };
  return { parts, problems: [...problems, ...checkFields(rule, parts)] };
}

/** A problem whose help is the field's right line, where it is known. */
function withLine({ rewritten, ...problem }: PatternProblem, path: RuleProblem["path"]): PatternProblem {
  const field = path.findLast((step) => typeof step === "string");
  return rewritten === undefined ? problem : { ...problem, help: `write \`${field}: ${yamlOf(rewritten)}\`` };
}

/** The ways to write an item. */
function itemsOf({ tagged: { item = [] } }: Rule): readonly string[] {
  return [item].flat();
}

function ruleFields(rule: Rule, parts: Parts): WeightedRule {
  const { opener, closer, wrapperCloser } = parts.pattern;
  const inItems = parts.items.flatMap(({ closer, groups }) =>
    namesIn(closer, "reference").filter((name) => !groups.includes(name))
  );
  const references = [...namesIn(closer, "reference"), ...inItems];
  return {
    name: rule.rule,
    confidence: rule.confidence,
    weight: weightOf(rule),
    commit: commitPoint(rule).commit,
    begins: rule.begins,
    followedBy: rule.followed_by,
    inCode: rule.in_code,
    opener,
    // A result reaches to the end of the answer.
    closer: rule.opaque.region === "result" ? NOTHING.closer : closer,
    ...present({ wrapperCloser }),
    references: [...new Set(references)],
    body: compileBody(rule, parts),
    nameEscapes: rule.name_escapes,
    isQualified: rule.names === "qualified",
    needsDeclaredKeys: rule.keys === "declared",
    ...present({
      ...toolsOf(rule),
      mapping: compileMapping(rule.call.parameters ?? implicitParameters(rule, parts.pattern)),
      commands: rule.call.allowed_commands,
      allowedTools: rule.call.allowed_tools,
    }),
  };
}

/** The regions that the client doesn't get. */
const LEAVING: ReadonlySet<string> = new Set(["residue", "opener", "leak", "result"]);

function compileBody(rule: Rule, { pattern, items, between }: Parts): Body {
  switch (rule.body) {
    case "json":
      return { kind: "json", stringMark: rule.json.string_mark };
    case "call_list":
      return { kind: "call_list", between };
    case "envelope": {
      const { name, inline, ignore, ...envelope } = rule.envelope;
      return {
        kind: "envelope",
        isKeyed: envelope.keyed,
        name,
        arguments: envelope.arguments,
        inline,
        nested: envelope.nested,
        ignore,
        namePrefixes: envelope.name_prefixes,
        between,
        stringMark: envelope.string_mark,
      };
    }
    case "tagged":
      return {
        kind: "tagged",
        itemOpener: choice(...items.map(({ opener }, form) => formGroup(opener, form))),
        itemClosers: items.map(({ closer }) => closer),
        containers: rule.tagged.containers,
        extraKeys: rule.tagged.extra_keys,
        escapes: rule.tagged.escapes,
        isNested: rule.tagged.nested,
        unwrap: rule.tagged.unwrap,
      };
    case "opaque":
      return {
        kind: "opaque",
        region: rule.opaque.region ?? "quote",
        shows: LEAVING.has(rule.opaque.region ?? "quote") ? "nothing" : rule.opaque.shows,
        sendsAs: rule.opaque.sends_as,
        isPrefilled: rule.opaque.prefilled,
        unclosed: rule.opaque.unclosed,
        markdown: markdownOf(rule),
      };
    case "group":
      return { kind: "group", meta: rule.group.meta };
    case "text":
      return { kind: "text", ...present({ group: pattern.group, value: pattern.value }) };
    default:
      return { kind: rule.body };
  }
}

/** An item's opener in a group whose name is the form that matched. */
function formGroup(opener: Node, form: number): Node {
  return { type: "group", name: `${FORM}${form}`, item: opener };
}

/** The tools that a rule calls, or what the names in the text mean. */
function toolsOf({ call: { tool } }: Rule): Pick<WeightedRule, "tools" | "toolNames"> {
  if (tool === undefined) return {};
  return isRecord(tool) ? { toolNames: tool as Readonly<Record<string, string>> } : { tools: [tool].flat() };
}

function compileMapping(parameters: Rule["call"]["parameters"]): Mapping | undefined {
  if (parameters === undefined) return undefined;
  const entries = Object.entries(parameters);
  return {
    from: Object.fromEntries(entries.flatMap(([to, value]) => isSource(value) ? [[to, value.slice(1)]] : [])),
    constants: Object.fromEntries(entries.filter(([, value]) => !isSource(value))),
  };
}
