/** The rules for one answer: those that are on, or those that the configuration names for model or upstream. @module */
import { own } from "../../engine/object/own.ts";
import { matchesGlob } from "../../engine/pattern/glob.ts";
import { type Program, selectRules } from "../../engine/mod.ts";

export interface RuleSet {
  /** Whether the configuration names the rules that may read the answer; then nothing else does. */
  readonly isChosen: boolean;
  readonly program: Program;
  /** The rules that make calls: all but those on trial. */
  readonly live: Program;
}

interface ModelRules {
  readonly rules?: readonly string[] | undefined;
}

interface UpstreamRules extends ModelRules {
  /** Model, as the client calls it → the upstream's name for it. */
  readonly model_names: Readonly<Record<string, string>>;
}

export interface RuleSettings {
  readonly policy: { readonly dry_run_rules: readonly string[] };
  /** Pattern of models → what it has for them. */
  readonly models: Readonly<Record<string, ModelRules>>;
  readonly upstreams: readonly UpstreamRules[];
}

export interface AnswerOrigin {
  readonly model: string | undefined;
  /** The upstream; undefined if it is unknown. */
  readonly upstream?: UpstreamRules | undefined;
}

interface RuleSetParts {
  readonly config: RuleSettings;
  /** The rules that are on, compiled, with the others as entries. */
  readonly program: Program;
}

/** The names of a model: the client's and the upstream's. */
export function modelNames({ model, upstream }: AnswerOrigin): string[] {
  return model === undefined ? [] : [model, own(upstream?.model_names ?? {}, model) ?? model];
}

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

export function createRuleSets({ config, program }: RuleSetParts): (asked: AnswerOrigin) => RuleSet {
  const trial = new Set(config.policy.dry_run_rules);
  const on = namesOf(program);
  const setOf = (all: Program, isChosen = false): RuleSet => ({
    isChosen,
    program: all,
    live: trial.size === 0
      ? all
      : selectRules(all, new Set([...namesOf(all)].filter((name) => !trial.has(name)))),
  });
  // Opaque regions and groups of calls make no calls themselves, so every set has those that are on.
  const always = program.entries.filter(({ name, body }) =>
    on.has(name) && (body.kind === "opaque" || body.kind === "group")
  );
  const sets = new Map<string, RuleSet>();
  const chosenSet = (names: readonly string[]): RuleSet => {
    const key = names.join(" ");
    const known = sets.get(key);
    if (known !== undefined) return known;
    const set = setOf(selectRules(program, new Set([...names, ...always.map(({ name }) => name)])), true);
    sets.set(key, set);
    return set;
  };
  const all = setOf(program);
  return (asked) => {
    const names = chosenRules(config, asked);
    return names === undefined ? all : chosenSet(names);
  };
}

function namesOf({ rules }: Program): Set<string> {
  return new Set(rules.map(({ name }) => name));
}
