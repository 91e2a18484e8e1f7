/**
 * How long a model may think (`reasoning_budget`): in the server's own field where it has one, and watched.
 *
 *     reasoning_budget: 2000 ─▶ the server's field ─▶ the server ends the thoughts
 *                         ╰──▶ watched: past it, the stream is stopped, and the model is asked with its thoughts
 *
 * @module
 */
import { fieldAt, type PathField } from "../../chat/message/field_path.ts";
import type { ChatRequest } from "../../chat/message/request.ts";
import { modelSettings } from "../../chat/translator/rule_sets.ts";
import type { Config, UpstreamConfig } from "../config/schema.ts";
import { hostedBudget, type ServerProfile, type ThinkingBudget } from "../upstream/profiles/profiles.ts";
import { THOUGHTS_END } from "./remedies.ts";

/** The characters of a token of prose; the server counts tokens, the watch has only text. */
const TOKEN_CHARACTERS = 4;

/** How much longer than its budget thoughts may be where the server ends them itself, with words of its own. */
const SERVER_SLACK = 2;
const SERVER_SLACK_MIN = 400;

export interface BudgetedChat {
  readonly request: ChatRequest;
  readonly upstream: UpstreamConfig;
  readonly config: Config;
  readonly profile: ServerProfile | undefined;
}

/**
 * The most tokens of thoughts; undefined: any number. The request's own number can only make that of the model, or of the
 * upstream, smaller. Where that is a table, the effort that the client asks for chooses.
 */
function budgetOf({ request, upstream, config }: BudgetedChat): number | undefined {
  const { reasoning_budget: asked } = request;
  const effort = request.reasoning_effort ?? fieldAt(request, "reasoning.effort") ?? asked;
  const model = typeof request.model === "string" ? request.model : undefined;
  const set = modelSettings(config.models, { model, upstream })?.reasoning_budget ??
    upstream.reasoning_budget;
  const chosen = typeof set === "object"
    ? Object.entries(set).find(([word]) => word.toLowerCase() === wordOf(effort))?.[1]
    : set;
  const own = typeof asked === "number" && asked >= 0 ? asked : undefined;
  return own === undefined || chosen === undefined ? own ?? chosen : Math.min(own, chosen);
}

function wordOf(effort: unknown): string {
  return typeof effort === "string" ? effort.toLowerCase() : "";
}

/** The fields of the request that state the budget to the server; none if it has no field for it. */
export function budgetFields(chat: BudgetedChat): PathField[] {
  const budget = budgetOf(chat);
  const known = budgetPlace(chat);
  if (budget === undefined || known === undefined) return [];
  const { field: path, instead_of: insteadOf, message_field: words } = known;
  const message = words === undefined ? [] : [{ path: words, value: THOUGHTS_END }];
  return [{ path, value: budget, insteadOf }, ...message];
}

/** How long the thoughts of a stream may be, in characters; undefined: any length. */
export function thoughtsMax(chat: BudgetedChat): number | undefined {
  const budget = budgetOf(chat);
  if (budget === undefined) return undefined;
  // Without a field for it, a model that always thinks has to be allowed to close its thoughts.
  const length = budget * TOKEN_CHARACTERS || SERVER_SLACK_MIN;
  return budgetPlace(chat) === undefined ? length : length * SERVER_SLACK + SERVER_SLACK_MIN;
}

/** Whether there is a budget, and no server that keeps to it. */
export function isLimitedHere(chat: BudgetedChat): boolean {
  return budgetPlace(chat) === undefined && budgetOf(chat) !== undefined;
}

function budgetPlace({ profile, upstream }: BudgetedChat): ThinkingBudget | undefined {
  return profile?.thinking_budget ?? hostedBudget(upstream.url);
}
