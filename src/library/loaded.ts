/** What is in `Rules`. @module */
import type { Program, WeightedRule } from "../engine/mod.ts";
import { rankRules } from "../engine/mod.ts";
import type { Rules } from "./types.ts";

export interface LoadedRules {
  readonly entries: readonly WeightedRule[];
  readonly program: Program;
}

const loaded = new WeakMap<Rules, LoadedRules>();

/** Makes rules of what was loaded. */
export function makeRules(entries: readonly WeightedRule[]): Rules {
  const rules = Object.freeze({}) as Rules;
  loaded.set(rules, { entries, program: rankRules(entries) });
  return rules;
}

/**
 * What is in rules.
 *
 * @throws TypeError if they weren't made by `loadRules`, `selectRules` or `dragoman-engine/rules` of the same copy
 */
export function openRules(rules: Rules): LoadedRules {
  const found = loaded.get(rules);
  if (found !== undefined) return found;
  throw new TypeError(
    "These rules are not from this copy of dragoman-engine. Use `loadRules`",
  );
}
