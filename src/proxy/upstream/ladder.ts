/**
 * The plainest forms of a request, for servers that no one described. A request that is refused because of its form goes
 * once more, one step plainer each time. What was needed is learned for the server, one kind of message or field at a time:
 *
 *     refused ─▶ texts as content, known roles, parameters as objects ─▶ refused ─▶ known fields only ─▶ answered: learned
 *                                                             tools in the prompt (prompted.ts) ◀─ refused ╯
 *
 * @module
 */
import { healRequest } from "../../chat/compatibility/heal.ts";
import { type HealRules, mergeRules } from "../../chat/compatibility/refused_forms.ts";
import type { ChatRequest } from "../../chat/message/request.ts";
import type { HealEntry } from "./profiles/heals.ts";
import ladder from "./profiles/ladder.json" with { type: "json" };

const STEPS = ladder.steps as unknown as readonly (readonly HealEntry[])[];

/** Whether a server refuses the form of a request. Some answer 500, with the words of what checked it. */
export function refusesForm(status: number, message: string): boolean {
  const isAboutForm = status === 400 || status === 422 || isValidation(status, message);
  return isAboutForm && !ladder.others.some((words) => message.toLowerCase().includes(words));
}

/** Whether an error of the server is one about the request. */
export function isValidation(status: number, message: string): boolean {
  return status === 500 && ladder.words.some((word) => message.includes(word));
}

/** What changes in a request with each step, beginning with the first one that changes anything. */
export function plainer(request: ChatRequest, rules: HealRules): readonly (readonly HealEntry[])[] {
  const needed = STEPS.map((step) =>
    step.filter((entry) => {
      const changed = healRequest(request, mergeRules(rules, entry))?.request ?? request;
      const before = healRequest(request, rules)?.request ?? request;
      return JSON.stringify(changed) !== JSON.stringify(before);
    })
  );
  return needed.map((_, at) => needed.slice(0, at + 1).flat())
    .filter((entries, at, all) => entries.length > (all[at - 1]?.length ?? 0));
}
