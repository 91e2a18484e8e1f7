/** What was learned about an upstream's models, in words. @module */
import { MESSAGE_RULES } from "../../chat/compatibility/refused_forms.ts";
import type { LearnedReason, LearnedTools } from "./learned_tools.ts";
import type { HealEntry } from "./profiles/heals.ts";
import type { LearnedChanges } from "./servers.ts";

/** What is done about the requests for a model from now on. */
export interface LearnedForm {
  readonly model: string;
  /** Why its tools are in the prompt, or why it is read raw. */
  readonly tools?: LearnedReason;
  /** What is changed in its requests. */
  readonly changes?: readonly string[];
}

export function changeWords(changes: readonly HealEntry[]): readonly string[] {
  return changes.flatMap(({ messages = [], fields, schemas, ids, tool_choice: choice }) => [
    ...messages.map((rule) => MESSAGE_RULES[rule]),
    ...fields === undefined ? [] : ["fields were changed"],
    ...schemas === undefined ? [] : ["schemas became simpler"],
    ...ids === undefined ? [] : ["call ids were changed"],
    ...choice === undefined ? [] : ["tool_choice was changed"],
  ]);
}

/** What was learned about one upstream; undefined if nothing was. */
export function learnedForms(name: string, { changes, tools }: {
  readonly changes: readonly LearnedChanges[];
  readonly tools: readonly LearnedTools[];
}): readonly LearnedForm[] | undefined {
  const own = <Learned extends { readonly upstream: string }>(all: readonly Learned[]) =>
    all.filter(({ upstream }) => upstream === name);
  const forms = new Map<string, LearnedForm>();
  for (const { model, reason } of own(tools)) forms.set(model, { model, tools: reason });
  for (const { model, changes: needed } of own(changes)) {
    forms.set(model, { ...forms.get(model), model, changes: changeWords(needed) });
  }
  return forms.size === 0 ? undefined : [...forms.values()];
}
