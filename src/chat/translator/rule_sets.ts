/**
 * The rules for one answer: those that are on, or the ones that the configuration names for its model or its upstream.
 *
 * @module
 */
import { own } from "../../engine/object/own.ts";
import { matchesGlob } from "../../engine/pattern/glob.ts";
import defer * as compiling from "../../engine/rule/compile.ts";
import type { Rule } from "../../engine/rule/schema.ts";
import type { Program } from "../../engine/scan/program.ts";

/** Compiled rules. */
export interface RuleSet {
  readonly program: Program;
  /** The rules that make calls: all but those on trial. */
  readonly live: Program;
}

/** What the configuration has for a model. */
export interface ModelRules {
  /** The names of the rules that read its answers. */
  readonly rules?: readonly string[] | undefined;
}

/** What the configuration has for an upstream. */
export interface UpstreamRules extends ModelRules {
  /** Model, as the client calls it → the upstream's name for it. */
  readonly model_names: Readonly<Record<string, string>>;
}

/** The part of the configuration that chooses rules. */
export interface RuleSettings {
  readonly policy: { readonly dry_run_rules: readonly string[] };
  /** Pattern of models → what it has for them. */
  readonly models: Readonly<Record<string, ModelRules>>;
  readonly upstreams: readonly UpstreamRules[];
}

/** An answer whose rules are looked for. */
export interface AnswerOrigin {
  /** The model, as the client calls it. */
  readonly model: string | undefined;
  /** The upstream; undefined if it is unknown. */
  readonly upstream?: UpstreamRules | undefined;
}

/** What the sets are made of. */
export interface RuleSetParts {
  /** The configuration. */
  readonly config: RuleSettings;
  /** Every rule, on or off. */
  readonly rules: readonly Rule[];
  /** The rules that are on, compiled. */
  readonly program: Program;
}

/** The names of a model: the client's and the upstream's. */
export function modelNames({ model, upstream }: AnswerOrigin): string[] {
  return model === undefined ? [] : [model, own(upstream?.model_names ?? {}, model) ?? model];
}

/** The settings that the configuration has for a model. */
export function modelSettings<Settings>(
  models: Readonly<Record<string, Settings>>,
  asked: AnswerOrigin,
): Settings | undefined {
  const names = modelNames(asked);
  return Object.entries(models).find(([pattern]) => names.some((name) => matchesGlob(pattern, name)))
    ?.[1];
}

/** The names of the rules that the configuration has for an answer; undefined: all rules that are on. */
export function chosenRules(
  { models }: Pick<RuleSettings, "models">,
  asked: AnswerOrigin,
): readonly string[] | undefined {
  return modelSettings(models, asked)?.rules ?? asked.upstream?.rules;
}

/**
 * A function that gives the rules for an answer. The sets that the configuration names are compiled at once.
 *
 * @param parts what they are made of
 */
export function createRuleSets({ config, rules, program }: RuleSetParts): (asked: AnswerOrigin) => RuleSet {
  const trial = new Set(config.policy.dry_run_rules);
  const withoutTrial = (set: readonly Rule[]) =>
    compiling.compileRules(set.filter(({ rule }) => !trial.has(rule))).program;
  const all: RuleSet = {
    program,
    live: trial.size === 0 ? program : withoutTrial(rules.filter(({ enabled }) => enabled)),
  };
  const sets = new Map<string, RuleSet>();
  const setOf = (names: readonly string[]): RuleSet => {
    const key = names.join(" ");
    const known = sets.get(key);
    if (known !== undefined) return known;
    const chosen = rulesNamed(rules, names);
    const made = { program: compiling.compileRules(chosen).program };
    const set = { ...made, live: trial.size === 0 ? made.program : withoutTrial(chosen) };
    sets.set(key, set);
    return set;
  };
  const named = [...Object.values(config.models), ...config.upstreams].flatMap((one) =>
    one.rules ? [one.rules] : []
  );
  for (const names of named) setOf(names);
  return (asked) => {
    const names = chosenRules(config, asked);
    return names === undefined ? all : setOf(names);
  };
}

/** The rules of these names, on, and those that make no calls themselves: opaque regions and groups of calls. */
function rulesNamed(rules: readonly Rule[], names: readonly string[]): Rule[] {
  return rules.filter(({ rule, body, enabled }) =>
    names.includes(rule) || (enabled && (body === "opaque" || body === "group"))
  ).map((rule) => ({ ...rule, enabled: true }));
}
