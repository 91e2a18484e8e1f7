/** Puts rules into their order and makes a program of them. @module */
import { createProgram, type Program } from "../scan/program.ts";
import type { CompiledRule } from "../scan/compiled_rule.ts";
import type { WeightedRule } from "./format.ts";

/**
 * The program of some rules. Of two rules that match at the same position, the one with the higher weight wins, then the
 * one with the longer match, then the one that comes first here.
 */
export function rankRules(rules: readonly WeightedRule[]): Program {
  const ordered = [...rules].sort((a, b) => b.weight - a.weight);
  const steps = [...new Set(ordered.map(({ weight }) => weight))];
  return createProgram(
    ordered.map((rule, rank): CompiledRule =>
      Object.assign({}, rule, { rank, priority: steps.indexOf(rule.weight) })
    ),
    rules,
  );
}

/** The rules of a program with these names, on or off, as a program. */
export function selectRules(program: Program, names: ReadonlySet<string>): Program {
  return { ...program, ...rankRules(program.entries.filter(({ name }) => names.has(name))) };
}

/**
 * The rules with these names, and those that make no calls themselves: opaque regions and groups of calls.
 *
 * @throws RangeError if there is no rule of a name
 */
export function chooseRules(rules: readonly WeightedRule[], names: readonly string[]): WeightedRule[] {
  const unknown = names.find((name) => !rules.some((rule) => rule.name === name));
  if (unknown !== undefined) throw new RangeError(`There is no rule "${unknown}"`);
  return rules.filter(({ name, body }) =>
    names.includes(name) || body.kind === "opaque" || body.kind === "group"
  );
}

/** Several sets of rules as one: a later set's rule replaces an earlier one's of the same name. */
export function joinRules(sets: readonly (readonly WeightedRule[])[]): WeightedRule[] {
  return [...new Map(sets.flat().map((rule) => [rule.name, rule])).values()];
}
