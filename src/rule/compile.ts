/**
 * Rules → the program that the matcher runs, or everything that is wrong with them.
 *
 * @module
 */
import { present } from "../object/present.ts";
import { namesIn } from "../pattern/node.ts";
import type { PatternProblem } from "../pattern/problem.ts";
import { type SplitPattern, splitPattern } from "../pattern/split.ts";
import { Automata } from "../scan/automata.ts";
import type { Body, Commit, CompiledRule, Mapping, Program } from "../scan/program.ts";
import type { RuleProblem } from "./problem.ts";
import { checkFields } from "./fields.ts";
import type { Rule } from "./schema.ts";

export type { Program } from "../scan/program.ts";

/** What `compileRules` gives; rules with problems are left out of the program. */
export interface Compiled {
  /** The compiled rules. */
  readonly program: Program;
  /** What is wrong. */
  readonly problems: readonly RuleProblem[];
}

/** Under this confidence a rule says nothing before its call is whole. */
const STREAMING_CONFIDENCE = 0.85;

/**
 * Compiles rules. Of two rules that match at the same place the more confident wins, then the longer match, then
 * the one that comes first here.
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
export function compileRules(rules: readonly Rule[]): Compiled {
  const problems: RuleProblem[] = [];
  const ordered = [...rules].sort((a, b) => b.confidence - a.confidence);
  const steps = [...new Set(ordered.map((rule) => rule.confidence))];
  const compiled: CompiledRule[] = [];
  for (const rule of ordered) {
    const { parts, problems: found } = compileParts(rule);
    problems.push(...found);
    if (!parts || found.length > 0) continue;
    const rank = compiled.length;
    compiled.push({ ...ruleFields(rule, parts), rank, priority: steps.indexOf(rule.confidence) });
  }
  return { program: { rules: compiled, automata: new Automata(compiled) }, problems };
}

interface Parts {
  readonly pattern: SplitPattern;
  readonly item?: SplitPattern;
}

function compileParts(rule: Rule): { parts?: Parts; problems: RuleProblem[] } {
  const located = (field: "pattern" | "item") => (problem: PatternProblem): RuleProblem => ({
    ...problem,
    rule: rule.rule,
    path: [field],
  });
  const pattern = splitPattern(rule.pattern, "body");
  const item = rule.item === undefined
    ? undefined
    : splitPattern(rule.item, "value", pattern.split?.groups ?? []);
  const problems = [
    ...pattern.problems.map(located("pattern")),
    ...(item?.problems ?? []).map(located("item")),
  ];
  if (!pattern.split || (item && !item.split)) return { problems: [...problems, ...checkFields(rule)] };
  const parts: Parts = { pattern: pattern.split, ...present({ item: item?.split }) };
  return { parts, problems: [...problems, ...checkFields(rule, parts)] };
}

function ruleFields(rule: Rule, parts: Parts): Omit<CompiledRule, "rank" | "priority"> {
  const { opener, closer, wrapperCloser } = parts.pattern;
  const references = [
    ...namesIn(closer, "reference"),
    ...(parts.item ? namesIn(parts.item.closer, "reference") : [])
      .filter((name) => !parts.item!.groups.includes(name)),
  ];
  return {
    name: rule.rule,
    confidence: rule.confidence,
    commit: rule.commit ?? defaultCommit(rule),
    at: rule.at,
    where: rule.where,
    inside: rule.inside,
    opener,
    closer,
    references: [...new Set(references)],
    body: compileBody(rule, parts),
    needsDeclaredKeys: rule.keys === "declared",
    ...present({
      wrapperCloser,
      tools: rule.tool === undefined ? undefined : [rule.tool].flat(),
      mapping: rule.parameters && compileMapping(rule.parameters),
      commands: rule.whitelist?.commands,
      allowedTools: rule.whitelist?.tools,
    }),
  };
}

/** Dialects of tags and tokens stream from their first item; fences, bare JSON and doubtful rules wait. */
function defaultCommit(rule: Rule): Commit {
  const waits = rule.confidence < STREAMING_CONFIDENCE || rule.body === "text" || rule.body === "xml" ||
    rule.at !== "anywhere" || rule.where === "last" || rule.pattern.startsWith("^");
  return waits ? "close" : "first_item";
}

function compileBody(rule: Rule, parts: Parts): Body {
  switch (rule.body) {
    case "envelope":
      return {
        kind: "envelope",
        name: rule.envelope?.name ?? ["name"],
        arguments: rule.envelope?.arguments ?? ["arguments", "parameters"],
        inline: rule.envelope?.inline ?? [],
        ignore: rule.envelope?.ignore ?? ["id", "type", "tool_call_id"],
        namePrefixes: rule.envelope?.name_prefixes ?? [],
      };
    case "tagged":
      return {
        kind: "tagged",
        itemOpener: parts.item!.opener,
        itemCloser: parts.item!.closer,
        containers: rule.containers,
        extraKeys: rule.extra_keys,
      };
    case "opaque":
      return { kind: "opaque", region: rule.region ?? "quote" };
    case "group":
      return { kind: "group", meta: rule.meta };
    default:
      return { kind: rule.body };
  }
}

function compileMapping(parameters: Readonly<Record<string, string>>): Mapping {
  const entries = Object.entries(parameters);
  return {
    from: Object.fromEntries(
      entries.filter(([, value]) => value.startsWith("$")).map(([to, value]) => [to, value.slice(1)]),
    ),
    constants: Object.fromEntries(entries.filter(([, value]) => !value.startsWith("$"))),
  };
}
