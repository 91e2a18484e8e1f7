/** The rules of a setup that can be opened in the editor. @module */
import type { PlaygroundSetup } from "../../routes/playground.ts";
import { ruleName } from "../../../engine/rule/rule_name.ts";

/** The name of a new rule, unless it is taken. */
export const NEW_NAME = "my_model";

interface ListedRule {
  readonly name: string;
  readonly text: string;
  /** Whether it is in the folder in which rules are saved. */
  readonly isOwn: boolean;
}

/** The rules by name, each as it is in force: a rule of a later folder replaces one of an earlier folder. */
export function listRules({ rules, folder }: PlaygroundSetup): ListedRule[] {
  const found = new Map<string, ListedRule>();
  for (const { file, text } of rules.flat()) {
    const name = ruleName(text);
    if (name !== "") found.set(name, { name, text, isOwn: isIn(folder, file) });
  }
  return [...found.values()].sort((a, b) => Number(b.isOwn) - Number(a.isOwn) || (a.name < b.name ? -1 : 1));
}

/** A name for a new rule: the given one, with a number if it is taken. */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 1;; number++) {
    const name = number === 1 ? wanted : `${wanted}_${number}`;
    if (!taken.has(name)) return name;
  }
}

function isIn(folder: string, file: string): boolean {
  return file.startsWith(`${folder}/`) && !file.slice(folder.length + 1).includes("/");
}
