/** Changes a request so that its server doesn't refuse or misread it, always alike, so that its prompt stays cached. @module */
import { isRecord } from "../../engine/object/record.ts";
import { present } from "../../engine/object/present.ts";
import type { Reason } from "../../engine/event/reason.ts";
import type { ChatRequest } from "../message/request.ts";
import { asDecimal } from "../message/number_spelling.ts";
import { termsInWords } from "../prompt/announcement.ts";
import { withSystemText } from "../prompt/conversation.ts";
import { termsOf } from "../prompt/request.ts";
import { renameIds } from "./ids.ts";
import { changeMessages, endsInAssistant } from "./messages.ts";
import { withoutNulls } from "./nulls.ts";
import { type ChoiceRules, type HealRules, MESSAGE_RULES, type SchemaRules } from "./refused_forms.ts";
import { type ThoughtRules, withThoughts } from "./thoughts.ts";
import { simplifyingBudget, simplifySchema } from "./schema.ts";

export interface HealChange {
  readonly reason: Extract<Reason, `healed_${string}`>;
  readonly detail: string;
  readonly tool?: string;
}

interface HealedRequest {
  readonly request: ChatRequest;
  readonly changes: readonly HealChange[];
}

/**
 * Changes a request; undefined if nothing changes.
 *
 * @example
 * ```ts
 * import { healRequest } from "./heal.ts";
 * const messages = [{ role: "developer", content: "a" }];
 * const { changes = [] } = healRequest({ messages }, { messages: ["no_developer"] }) ?? {};
 * console.assert(changes[0]?.detail === "no_developer: the developer role became system");
 * ```
 */
export function healRequest(
  request: ChatRequest,
  rules: HealRules,
  thoughts?: ThoughtRules,
): HealedRequest | undefined {
  const changes: HealChange[] = [];
  let healed = request;
  for (
    const step of [
      healThoughts(thoughts),
      healNulls,
      healFields,
      healTools,
      healDecimals,
      healFormat,
      healSchemas,
      healChoice,
      healMessages,
      healIds,
    ]
  ) {
    const next = step(healed, rules);
    if (next === undefined) continue;
    healed = next.request;
    changes.push(...next.changes);
  }
  return changes.length === 0 ? undefined : { request: healed, changes };
}

type Step = (request: ChatRequest, rules: HealRules) => HealedRequest | undefined;

function healThoughts(thoughts: ThoughtRules | undefined): Step {
  return (request) => {
    const { messages } = request;
    if (thoughts === undefined || !Array.isArray(messages)) return undefined;
    const whole = withThoughts(messages, thoughts);
    if (whole.every((message, index) => message === messages[index])) return undefined;
    return {
      request: { ...request, messages: whole } as ChatRequest,
      changes: [{ reason: "healed_thoughts", detail: thoughts.field }],
    };
  };
}

/** Fields that demand nothing without tools. */
const TOOL_FIELDS: readonly string[] = ["tools", "tool_choice", "parallel_tool_calls"];

const healFields: Step = (request, { fields: rules }) => {
  if (rules === undefined) return undefined;
  const hasTools = Array.isArray(request.tools) && request.tools.length > 0;
  const { stop, logit_bias: bias } = request;
  const idle = [
    ...hasTools ? [] : TOOL_FIELDS,
    ...request.stream === true ? [] : ["stream_options"],
    ...Array.isArray(stop) && stop.length === 0 ? ["stop"] : [],
    ...isRecord(bias) && Object.keys(bias).length === 0 ? ["logit_bias"] : [],
  ];
  const { only } = rules;
  const unknown = only === undefined ? [] : Object.keys(request).filter((field) => !only.includes(field));
  const left = [
    ...rules.idle ? idle : [],
    ...hasTools ? rules.with_tools ?? [] : [],
    ...rules.drop ?? [],
    ...unknown,
  ];
  const others = [...new Set(left)].filter((field) => request[field] != null);
  if (others.length === 0) return undefined;
  const kept = Object.entries(request).filter(([field]) => !others.includes(field));
  return {
    request: Object.fromEntries(kept) as ChatRequest,
    changes: [{ reason: "healed_fields", detail: others.join(", ") }],
  };
};

const healTools: Step = (request, { fields: rules }) => {
  if (!rules?.empty_tools || request.tools != null) return undefined;
  return {
    request: { ...request, tools: [] } as ChatRequest,
    changes: [{ reason: "healed_fields", detail: "tools: []" }],
  };
};

/** `{"logit_bias": {"5": 1}}` ─▶ `{"logit_bias": {"5": 1.0}}` */
const healDecimals: Step = (request, { fields: rules }) => {
  const changed = (rules?.decimals ?? []).flatMap((field): [string, unknown][] => {
    const values = request[field];
    if (!isRecord(values)) return [];
    const decimals = Object.entries(values).map(([key, value]) => [key, asDecimal(value)]);
    return decimals.every(([key, value]) => value === values[String(key)])
      ? []
      : [[field, Object.fromEntries(decimals)]];
  });
  if (changed.length === 0) return undefined;
  const detail = `${changed.map(([field]) => field).join(", ")}: decimals`;
  return {
    request: { ...request, ...Object.fromEntries(changed) } as ChatRequest,
    changes: [{ reason: "healed_fields", detail }],
  };
};

/** `{"type": "json_schema", "json_schema": {"schema": S}}` ─▶ `{"type": "json_object", "schema": S}` */
const healFormat: Step = (request, { fields: rules }) => {
  const { response_format: format } = request;
  if (rules?.answer_schema === undefined || !isRecord(format) || format.type !== "json_schema") {
    return undefined;
  }
  const { schema } = isRecord(format.json_schema)
    ? format.json_schema
    : {} as Readonly<Record<string, unknown>>;
  return {
    request: { ...request, response_format: present({ type: rules.answer_schema, schema }) } as ChatRequest,
    changes: [{ reason: "healed_fields", detail: "response_format: json_object with a schema" }],
  };
};

const healNulls: Step = (given, { fields: rules }) => {
  if (!rules?.nulls) return undefined;
  const request = withoutEmptyStops(given);
  const { kept, left } = withoutNulls(request);
  const names = request === given || left.includes("stop") ? left : ["stop", ...left];
  if (names.length === 0) return undefined;
  return { request: kept, changes: [{ reason: "healed_fields", detail: `null: ${names.join(", ")}` }] };
};

/** Some servers end an answer at once for an empty stop. */
function withoutEmptyStops(request: ChatRequest): ChatRequest {
  const { stop } = request;
  const stops: readonly unknown[] = Array.isArray(stop) ? stop : [stop];
  if (!stops.includes("")) return request;
  const kept = stops.filter((text) => text !== "");
  return { ...request, stop: kept.length === 0 ? null : kept } as ChatRequest;
}

const healSchemas: Step = (request, { schemas: rules }) => {
  if (rules === undefined || !Array.isArray(request.tools)) return undefined;
  const changes: HealChange[] = [];
  const budget = simplifyingBudget();
  const tools = request.tools.map((given: unknown) => {
    const tool = rules.objects ? withObject(given, changes) : given;
    const made = isRecord(tool) && isRecord(tool.function) ? tool.function : undefined;
    if (!isRecord(tool) || made === undefined || !isRecord(made.parameters)) return tool;
    if (rules.only === "constrained" && !isConstrained(request, made)) return tool;
    const { schema, changed } = simplifySchema(made.parameters, rules satisfies SchemaRules, budget);
    if (changed.length === 0) return tool;
    const name = typeof made.name === "string" ? made.name : undefined;
    changes.push({ reason: "healed_schema", detail: changed.join(", "), ...present({ tool: name }) });
    return { ...tool, function: { ...made, parameters: schema } };
  });
  return changes.length === 0 ? undefined : { request: { ...request, tools } as ChatRequest, changes };
};

/** A tool whose parameters are an object. */
function withObject(tool: unknown, changes: HealChange[]): unknown {
  if (!isRecord(tool) || !isRecord(tool.function)) return tool;
  const { parameters, name } = tool.function;
  if (isRecord(parameters) && parameters.type === "object") return tool;
  if (isRecord(parameters) && Object.keys(parameters).length > 0) return tool;
  const named = typeof name === "string" ? { tool: name } : {};
  changes.push({ reason: "healed_schema", detail: "parameters", ...named });
  return { ...tool, function: { ...tool.function, parameters: NO_PARAMETERS } };
}

const NO_PARAMETERS = { type: "object", properties: {} };

/** Whether a server makes a constraint of a function's schema. */
function isConstrained(request: ChatRequest, made: Readonly<Record<string, unknown>>): boolean {
  const { choice } = termsOf(request);
  return made.strict === true || (choice !== undefined && choice !== "none");
}

const healChoice: Step = (request, { tool_choice: rules }) => {
  const chosen = rules && chosenBy(request, rules);
  if (rules === undefined || chosen === undefined || !Array.isArray(request.tools)) return undefined;
  const { choice, only, becomes } = chosen;
  const tools = only === undefined
    ? request.tools
    : request.tools.filter((tool) => only.some((name) => name === tool?.function?.name));
  if (tools.length === 0) return undefined;
  const sentence = rules.sentence && choice !== undefined ? termsInWords(termsOf(request)).join("\n") : "";
  const messages = sentence === "" || !Array.isArray(request.messages)
    ? request.messages
    : withSystemText(request.messages, sentence);
  const detail = only === undefined
    ? `${request.tool_choice} became ${becomes}`
    : `an object became ${becomes}, and only ${only.join(", ")} is offered`;
  return {
    request: { ...request, tools, tool_choice: becomes, ...present({ messages }) } as ChatRequest,
    changes: [{ reason: "healed_choice", detail }],
  };
};

/** What a request's `tool_choice` becomes; undefined if it stays. */
function chosenBy(request: ChatRequest, { named, required, synonym, allowed }: ChoiceRules) {
  const { choice, only = Array.isArray(choice) ? choice : undefined } = termsOf(request);
  const { tool_choice: given } = request;
  if (isRecord(given) && only !== undefined) {
    const isMode = isRecord(given.allowed_tools);
    const demanded = named ?? (isMode && allowed ? "required" : undefined);
    return demanded && { choice, only, becomes: choice === undefined ? "auto" : demanded };
  }
  const becomes = required ?? (given === "any" && synonym ? "required" : undefined);
  return choice === "any" && becomes !== undefined ? { choice, only: undefined, becomes } : undefined;
}

/** Whether Dragoman has to check that an answer has the call that the request demands, because the server doesn't. */
export function checksChoice(request: ChatRequest, { tool_choice: rules }: HealRules): boolean {
  const { named, required } = rules ?? {};
  return chosenBy(request, present({ named, required }))?.choice !== undefined;
}

const healMessages: Step = (request, { messages: rules }) => {
  if (rules === undefined || !Array.isArray(request.messages)) return undefined;
  const { messages, changed } = changeMessages(request.messages, rules);
  const continues = rules.includes("continue_last") && endsInAssistant(messages) &&
    request.continue_final_message === undefined;
  const all = continues ? [...changed, "continue_last" as const] : changed;
  if (all.length === 0) return undefined;
  const healed = { ...request, messages, ...continues ? { continue_final_message: true } : {} };
  return {
    request: healed as ChatRequest,
    changes: all.map((rule) => ({
      reason: "healed_messages",
      detail: `${rule}: ${MESSAGE_RULES[rule]}`,
    })),
  };
};

const healIds: Step = (request, { ids }) => {
  const { messages } = request;
  if (ids === undefined || !Array.isArray(messages)) return undefined;
  const renamed = renameIds(messages, ids);
  return renamed === messages ? undefined : {
    request: { ...request, messages: renamed } as ChatRequest,
    changes: [{ reason: "healed_ids", detail: ids }],
  };
};
