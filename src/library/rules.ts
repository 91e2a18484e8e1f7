/** Loads and selects rules. @module */
import {
  chooseRules,
  type CompiledRules as Packed,
  CompiledRulesError as UnreadableRules,
  joinRules,
  loadCompiled,
} from "../engine/mod.ts";
import { makeRules, openRules } from "./loaded.ts";
import type { CompiledRules, Rules } from "./types.ts";

/** Compiled rules that can't be loaded. */
export interface CompiledRulesError extends Error {
  /** `format`: they have another format; `damaged`: they aren't compiled rules. */
  readonly code: "format" | "damaged";
}

/** The class of these errors. The package's declarations name nothing outside this folder, so its type is here. */
export const CompiledRulesError: {
  new (code: CompiledRulesError["code"], message: string): CompiledRulesError;
  readonly prototype: CompiledRulesError;
} = UnreadableRules;

/**
 * Loads compiled rules. Several sets become one: a rule replaces one of the same name in an earlier set, and confidence
 * decides between rules that match the same text.
 *
 * @param sets compiled rules, or rules that were loaded before, such as the shipped ones
 * @throws CompiledRulesError if compiled rules have another format, which it names
 *
 * @example
 * ```ts
 * import { loadRules } from "./rules.ts";
 * const rules = loadRules({ v: 3, by: "dragoman", nodes: [], rules: [] });
 * console.assert(rules !== undefined);
 * ```
 */
export function loadRules(...sets: readonly (CompiledRules | Rules)[]): Rules {
  return makeRules(
    joinRules(sets.map((set) => isCompiled(set) ? loadCompiled(set as Packed) : openRules(set).entries)),
  );
}

function isCompiled(set: CompiledRules | Rules): set is CompiledRules {
  return typeof set !== "object" || set === null || Object.keys(set).length > 0;
}

/**
 * The rules with these names, and those that make no calls: quotations, reasoning and groups. Fewer rules make fewer
 * wrong calls, if you know the model.
 *
 * @throws RangeError if there is no rule of a name
 */
export function selectRules(rules: Rules, names: readonly string[]): Rules {
  return makeRules(chooseRules(openRules(rules).entries, names));
}
