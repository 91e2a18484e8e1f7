/**
 * How long a model may think (`reasoning_budget`): in the server's own field where it has one, and watched.
 *
 *     reasoning_budget: 2000 ─▶ the server's field ─▶ the server ends the thoughts
 *                         ╰──▶ watched: past it, the stream is stopped, and the model is asked with its thoughts
 *
 * @module
 */
import type { ChatRequest } from "../../chat/message/request.ts";
import { modelSettings } from "../../chat/translator/rule_sets.ts";
import type { Config, UpstreamConfig } from "../config/schema.ts";
import type { ServerProfile } from "../upstream/profiles/profiles.ts";
import { THOUGHTS_END } from "./remedies.ts";

/** The characters of a token of prose; the server counts tokens, the watch has only text. */
const TOKEN_CHARACTERS = 4;

/** How much longer than its budget thoughts may be where the server ends them itself. */
const SERVER_SLACK = 2;

interface BudgetedChat {
  readonly request: ChatRequest;
  readonly upstream: UpstreamConfig;
  readonly config: Config;
  readonly profile: ServerProfile | undefined;
}

/** The most tokens of thoughts: the request's own field, the model's, or the upstream's; undefined: any number. */
function budgetOf({ request, upstream, config }: BudgetedChat): number | undefined {
  const { reasoning_budget: asked } = request;
  if (typeof asked === "number" && asked >= 0) return asked;
  const model = typeof request.model === "string" ? request.model : undefined;
  return modelSettings(config.models, { model, upstream })?.reasoning_budget ?? upstream.reasoning_budget;
}

/** The fields of the request that state the budget to the server; none if it has no field for it. */
export function budgetFields(chat: BudgetedChat): Readonly<Record<string, unknown>> {
  const budget = budgetOf(chat);
  const { thinking_budget: fields } = chat.profile ?? {};
  if (budget === undefined || fields === undefined) return {};
  return {
    [fields.field]: budget,
    ...fields.message_field === undefined ? {} : { [fields.message_field]: THOUGHTS_END },
  };
}

/** How long the thoughts of a stream may be, in characters; undefined: any length. */
export function thoughtsMax(chat: BudgetedChat): number | undefined {
  const budget = budgetOf(chat);
  if (budget === undefined) return undefined;
  return budget * TOKEN_CHARACTERS * (chat.profile?.thinking_budget === undefined ? 1 : SERVER_SLACK);
}
