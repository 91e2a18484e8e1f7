/** Checks what hooks return, because a plugin can return anything. @module */
import { didYouMean } from "../../engine/diagnostic/suggest.ts";
import { visible } from "../../engine/diagnostic/visible.ts";
import type { ContentEvent } from "../../engine/event/event.ts";
import { isRecord } from "../../engine/object/record.ts";
import type {
  CallDecision,
  GroupDecision,
  NewCall,
  Remedy,
  RemedyDecision,
  RequestDecision,
  Stop,
} from "./mod.ts";

const EVENT_FIELDS: Readonly<Record<ContentEvent["kind"], Readonly<Record<string, string>>>> = {
  text: { text: "string" },
  call_start: { call: "number", tool: "string", rule: "string", confidence: "number" },
  arguments: { call: "number", json: "string" },
  call_end: { call: "number" },
  call_abort: { call: "number", reason: "string" },
  group_start: { rule: "string" },
  group_end: {},
  note: { reason: "string", rule: "string", start: "number", end: "number" },
};

/** Hook → the fields of what it may return. */
const RESULT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  onCall: ["arguments", "refuse", "reason", "replace", "verdict"],
  onGroup: ["order"],
  onEvent: ["verdict"],
  onAnswerEnd: ["verdict", "events"],
  onAnswerJudged: ["remedy"],
  onRequest: ["body", "calls"],
};

/** A field of a result that its hook doesn't have, and the one that it looks like; undefined if there is none. */
export function unknownField(hook: string, result: unknown): string | undefined {
  const fields = RESULT_FIELDS[hook] ?? [];
  if (!isRecord(result) || Array.isArray(result)) return undefined;
  const unknown = Object.keys(result).find((field) => !fields.includes(field));
  if (unknown === undefined) return undefined;
  const help = didYouMean(unknown, fields) ?? `it can have ${fields.join(", ")}`;
  return `\`${visible(unknown)}\`: ${help}`;
}

/** What `onEvent` may return. */
export function isEventsOrStop(value: unknown): value is readonly ContentEvent[] | Stop {
  return isEvents(value) || hasVerdict(value);
}

/** What `onAnswerEnd` may return. */
export function isEnding(value: unknown): value is Stop | { readonly events: readonly ContentEvent[] } {
  return hasVerdict(value) || (isRecord(value) && isEvents(value["events"]));
}

function isEvents(value: unknown): value is readonly ContentEvent[] {
  return Array.isArray(value) && value.every((event) => {
    if (!isRecord(event) || typeof event["kind"] !== "string") return false;
    if (!Object.hasOwn(EVENT_FIELDS, event["kind"])) return false;
    const fields = EVENT_FIELDS[event["kind"] as ContentEvent["kind"]];
    return Object.entries(fields).every(([field, type]) => typeof event[field] === type);
  });
}

/** What `onCall` may return. */
export function isCallDecision(value: unknown): value is CallDecision {
  if (!isRecord(value)) return false;
  if ("arguments" in value) return isPlain(value["arguments"]);
  if ("refuse" in value) return typeof value["refuse"] === "string";
  if ("replace" in value) return isCalls(value["replace"]);
  return hasVerdict(value);
}

/** What `onGroup` may return for a group of this many calls: each position at most once. */
export function isGroupDecision(count: number): (value: unknown) => value is GroupDecision {
  return (value): value is GroupDecision => {
    const order = isRecord(value) ? value["order"] : undefined;
    return Array.isArray(order) && new Set(order).size === order.length &&
      order.every((index) => Number.isInteger(index) && index >= 0 && index < count);
  };
}

/** What `onAnswerJudged` may return: one of these remedies. */
export function isRemedyDecision(possible: readonly Remedy[]): (value: unknown) => value is RemedyDecision {
  return (value): value is RemedyDecision =>
    isRecord(value) && possible.some((remedy) => remedy === value["remedy"]);
}

/** What `onRequest` may return. */
export function isRequestDecision(value: unknown): value is RequestDecision {
  if (!isRecord(value)) return false;
  return "body" in value ? isPlain(value["body"]) : isCalls(value["calls"]);
}

function hasVerdict(value: unknown): value is Stop {
  const verdict = isRecord(value) ? value["verdict"] : undefined;
  return isRecord(verdict) && (verdict["kind"] === "reject" || verdict["kind"] === "retry") &&
    typeof verdict["code"] === "string" && typeof verdict["message"] === "string";
}

function isCalls(value: unknown): value is readonly NewCall[] {
  return Array.isArray(value) &&
    value.every((call) => isRecord(call) && typeof call["tool"] === "string" && isPlain(call["arguments"]));
}

/** An object that has a JSON text. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && JSON.stringify(value) !== undefined;
}
