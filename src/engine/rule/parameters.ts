/** Which groups of a pattern are the parameters of a `text` body. @module */
import type { SplitPattern } from "../pattern/split.ts";
import { isNumber } from "../pattern/unmarked_hole.ts";
import { BEFORE, RESIDUE } from "../scan/compiled_rule.ts";
import type { Rule } from "./schema.ts";

/** Whether the value of a parameter names where its text comes from. */
export function isSource(value: unknown): value is string {
  return typeof value === "string" && value.startsWith("$");
}

/** The names that the parameters of a `text` body can come from. */
export function sourcesOf({ groups, group }: Pick<SplitPattern, "groups" | "group">): string[] {
  const names = ["body", ...groups, ...group === undefined ? [] : [group]];
  return [...new Set(names)].filter((name) => ![BEFORE, RESIDUE].includes(name));
}

/** Each named group as the parameter of its name, where a rule without a marked hole states no parameters. */
export function implicitParameters(
  { body }: Pick<Rule, "body">,
  split: Pick<SplitPattern, "groups" | "group" | "isWhole">,
): Record<string, string> | undefined {
  if (body !== "text" || (split.group === undefined && split.isWhole !== true)) return undefined;
  const names = sourcesOf(split).filter((name) => !isNumber(name) && !["body", "tool"].includes(name));
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, `$${name}`]));
}
