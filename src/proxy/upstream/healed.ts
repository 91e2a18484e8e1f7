/**
 * Sends a request in the form that its server accepts. Known changes are made from the first request on. Others are
 * learned from the text of a refusal: the request is changed, sent again, and the change is remembered.
 *
 *     request ─▶ changed by what is known ─▶ server ─▶ answer
 *                        ▲                     │ refused, with a known text
 *                        └──── remembered ◀────┘
 *
 * @module
 */
import { bodyText, type RequestBody } from "./request_body.ts";
import { type HealChange, healRequest } from "../../chat/compatibility/heal.ts";
import { type HealRules, mergeRules } from "../../chat/compatibility/rules.ts";
import type { NoteEvent } from "../../engine/event/event.ts";
import { parseExact } from "../../chat/message/spelling.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { ReadLimits } from "../exchange/deadline.ts";
import { type HttpError, isError } from "../transport/respond.ts";
import { drop, readError } from "./error_text.ts";
import { type Refusal, refusalsIn } from "./profiles/heals.ts";
import type { UpstreamAnswer } from "./upstream.ts";

/** The most refusals of one request that lead to another change; each can hide the next one. */
const REFUSALS_MAX = 4;

export interface Healing {
  /** The name of the server's profile, or `refused` if the server is unknown. */
  readonly name: string;
  readonly rules: HealRules;
  /** Remembers refusals after which the server accepted the changed request. */
  learn(refusals: readonly Refusal[]): void;
}

interface HealedSending {
  readonly healing: Healing;
  readonly send: (body: RequestBody) => Promise<UpstreamAnswer | HttpError>;
  readonly limits: ReadLimits;
  /** Receives each change of the request once, however often it is sent. */
  readonly note: (note: NoteEvent) => void;
}

/** Returns what sends the bodies of one request, with the changes that its server needs. */
export function createHealedSending(
  sending: HealedSending,
): (body: RequestBody) => Promise<UpstreamAnswer | HttpError> {
  const noted = new Set<string>();
  return async (body) => {
    const { answered, changes } = await sendHealed(body, sending);
    for (const change of changes) {
      const key = JSON.stringify(change);
      if (noted.has(key)) continue;
      noted.add(key);
      sending.note({ kind: "note", rule: sending.healing.name, start: 0, end: 0, ...change });
    }
    return answered;
  };
}

async function sendHealed(
  body: RequestBody,
  { healing, send, limits }: HealedSending,
): Promise<{ readonly answered: UpstreamAnswer | HttpError; readonly changes: readonly HealChange[] }> {
  let { rules } = healing;
  let healed = healBody(body, rules);
  let answered = await send(healed?.body ?? body);
  const seen: Refusal[] = [];
  while (!isError(answered) && !answered.response.ok && body !== null && seen.length < REFUSALS_MAX) {
    const { message, same } = await readError(answered, limits);
    answered = same;
    const refusals = refusalsIn(message).filter((refusal) => !seen.includes(refusal));
    const more = refusals.reduce<HealRules>(mergeRules, rules);
    const next = refusals.length === 0 ? undefined : healBody(body, more);
    if (next === undefined || next.body === healed?.body) break;
    const second = await send(next.body);
    if (isError(second)) break;
    await drop(same);
    answered = second;
    [rules, healed] = [more, next];
    seen.push(...refusals);
  }
  if (!isError(answered) && answered.response.ok && seen.length > 0) healing.learn(seen);
  return { answered, changes: healed?.changes ?? [] };
}

/** A body after its changes; undefined if nothing changes. Numbers keep their spelling. */
function healBody(
  body: RequestBody,
  rules: HealRules,
): { readonly body: string; readonly changes: readonly HealChange[] } | undefined {
  if (body === null || Object.keys(rules).length === 0) return undefined;
  const text = bodyText(body);
  const request = parseJson(text);
  // Only a body that changes is parsed again, because keeping the spelling of its numbers is slow.
  if (!isRecord(request) || healRequest(request, rules) === undefined) return undefined;
  const exact = parseExact(text);
  const healed = isRecord(exact) ? healRequest(exact, rules) : undefined;
  return healed && { body: JSON.stringify(healed.request), changes: healed.changes };
}
