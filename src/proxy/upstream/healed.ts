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
import everyServer from "./profiles/every_server.json" with { type: "json" };
import { type HealChange, healRequest } from "../../chat/compatibility/heal.ts";
import { type HealRules, mergeRules } from "../../chat/compatibility/refused_forms.ts";
import {
  callsWithoutThoughts,
  type FirstCall,
  type ThoughtRules,
} from "../../chat/compatibility/thoughts.ts";
import type { ApiError } from "../../chat/message/error.ts";
import { parseExact } from "../../chat/message/number_spelling.ts";
import { SseDecoder } from "../../chat/sse/decode.ts";
import type { NoteEvent } from "../../engine/event/event.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { ReadLimits } from "../exchange/deadline.ts";
import { type HttpError, isError } from "../transport/respond.ts";
import { drop, errorAnswer, readError } from "./error_text.ts";
import { isValidation, plainer, refusesForm } from "./ladder.ts";
import { overflowError } from "./overflow.ts";
import { type HealEntry, type Refusal, refusalsIn } from "./profiles/heals.ts";
import type { UnexplainedError } from "./profiles/profiles.ts";
import { refusesTools } from "./refused_tools.ts";
import { bodyText, type RequestBody } from "./request_body.ts";
import type { RequestRefusals } from "./staying_refusals.ts";
import type { AskedSight, KnownServer } from "./servers.ts";
import { statedRefusal } from "./stream_start.ts";
import type { UpstreamAnswer } from "./upstream.ts";

/** The most refusals of one request that lead to another change; each can hide the next one. */
const REFUSALS_MAX = 4;

export interface Healing {
  /** The server, as soon as it is known. */
  readonly known: KnownServer | undefined;
  readonly rules: HealRules;
  /** The question whether the model sees images, if it has to be asked. */
  readonly sight?: AskedSight | undefined;
  /** The model's name, and whether it has answered before. */
  readonly model?: { readonly name: string; hasAnswered: boolean };
  /** Refusals that no other form answers. */
  readonly staying: RequestRefusals;
  /** Remembers changes after which the server accepted the request. */
  learn(changes: readonly HealEntry[]): void;
}

interface HealedSending {
  /** Reads the thoughts before calls: the calls' ids → thoughts; undefined: none are put back. */
  readonly recall?: ((calls: readonly FirstCall[]) => Promise<ReadonlyMap<string, string>>) | undefined;
  readonly healing: Healing;
  readonly send: (body: RequestBody) => Promise<UpstreamAnswer | HttpError>;
  readonly limits: ReadLimits;
  /** Asks the server for something other than an answer, which can be an error; undefined if it gives none. */
  readonly ask?: ((path: string, body: string) => Promise<string | undefined>) | undefined;
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
      sending.note({
        kind: "note",
        rule: sending.healing.known?.server ?? "refused",
        start: 0,
        end: 0,
        ...change,
      });
    }
    return answered;
  };
}

async function sendHealed(
  body: RequestBody,
  { healing, send: sendOnce, limits, recall, ask }: HealedSending,
): Promise<{ readonly answered: UpstreamAnswer | HttpError; readonly changes: readonly HealChange[] }> {
  let sent = 0;
  const send = async (given: RequestBody) => {
    sent++;
    const answered = await sendOnce(given);
    // A stream whose server is unknown isn't held until the model writes.
    const breaks = healing.known === undefined ? "at_once" : healing.known.profile.breaks_streams;
    if (isError(answered) || breaks === undefined) return answered;
    return await statedRefusal(answered, { body: given, breaks, limits, send: sendOnce });
  };
  await askSight(body, { healing, ask });
  let { rules } = healing;
  const healable = new HealableBody(body, { recall, field: healing.known?.profile.thoughts_field });
  let healed = await healable.heal(rules);
  let answered = await send(healed?.body ?? body);
  const seen: Refusal[] = [];
  let first: string | undefined;
  while (!isError(answered) && !answered.response.ok && body !== null && seen.length < REFUSALS_MAX) {
    const { message, same } = await readError(answered, limits);
    answered = same;
    first ??= message;
    if (healing.staying.stays(first)) break;
    const refusals = refusalsIn(message).filter((refusal) => !seen.includes(refusal));
    const more = refusals.reduce<HealRules>(mergeRules, rules);
    const next = refusals.length === 0 ? undefined : await healable.heal(more);
    if (next === undefined || next.body === healed?.body) break;
    const second = await send(next.body);
    if (isError(second)) break;
    await drop(same);
    answered = second;
    [rules, healed] = [more, next];
    seen.push(...refusals);
  }
  if (!isError(answered) && answered.response.ok && healing.model !== undefined) {
    healing.model.hasAnswered = true;
  }
  if (isError(answered) || body === null) return { answered, changes: healed?.changes ?? [] };
  const plain = answered.response.ok
    ? undefined
    : await sendPlainer(answered, { body, healable, rules, healing, send, limits, ask });
  const isAnswered = (plain?.answered ?? answered).response.ok;
  if (first !== undefined && isAnswered) healing.staying.answered(first);
  else if (first !== undefined && sent > 1) healing.staying.stayed(first);
  const changes = [...seen, ...plain?.entries ?? []];
  if (isAnswered && changes.length > 0) healing.learn(changes);
  return { answered: plain?.answered ?? answered, changes: (plain?.healed ?? healed)?.changes ?? [] };
}

/** Learns whether the model sees before it gets its first image. */
async function askSight(
  body: RequestBody,
  { healing: { sight, model }, ask }: Pick<HealedSending, "healing" | "ask">,
): Promise<void> {
  if (sight === undefined || ask === undefined || body === null) return;
  const { question: { path, fields, sees, is_blind: isBlind, blind }, learn } = sight;
  const text = bodyText(body);
  // Until a model gets its first image, no request is parsed once more.
  const request = text.includes("image") ? parseJson(text) : undefined;
  if (!isRecord(request) || healRequest(request, { messages: blind }) === undefined) return;
  const shown = await ask(path, JSON.stringify({ model: model?.name, ...fields }));
  const shows = (texts: readonly string[]) => texts.some((words) => shown?.includes(words));
  // A gateway's error, for example, shows neither: the image goes to the server, and the next one asks again.
  if (shows(sees)) learn(true);
  else if (shows(isBlind)) learn(false);
}

interface PlainAnswer {
  readonly answered: UpstreamAnswer;
  /** What the server needed, and the request that it accepted. */
  readonly entries?: readonly HealEntry[];
  readonly healed?: HealedBody | undefined;
}

interface HealedBody {
  readonly body: string;
  readonly changes: readonly HealChange[];
}

/** Sends a request that was refused because of its form in plainer ones; if all are refused, the first refusal stays. */
async function sendPlainer(refused: UpstreamAnswer, { body, healable, rules, healing, send, limits, ask }:
  & Pick<HealedSending, "healing" | "send" | "limits" | "ask">
  & {
    readonly body: string | Uint8Array<ArrayBuffer>;
    readonly healable: HealableBody;
    readonly rules: HealRules;
  }): Promise<PlainAnswer> {
  const { status } = refused.response;
  const { text, message, same } = await readError(refused, limits);
  const unexplained = healing.known?.profile.unexplained;
  const tries = unexplained !== undefined && isUnexplained({ status, message }, unexplained)
    ? body.length < unexplained.long ? unexplained.tries ?? [] : []
    : undefined;
  const isTried = tries !== undefined || (refusesForm(status, message) && !refusesTools(status, text));
  const request = isTried && !healing.staying.stays(message) ? parseJson(bodyText(body)) : undefined;
  const steps = isRecord(request) ? tries?.map((entry) => [entry]) ?? plainer(request, rules) : [];
  for (const entries of steps) {
    const healed = await healable.heal(entries.reduce<HealRules>(mergeRules, rules));
    const second = healed === undefined ? undefined : await send(healed.body);
    if (second === undefined || isError(second)) break;
    if (second.response.ok) {
      await drop(same);
      return { answered: second, entries, healed };
    }
    await drop(second);
  }
  const stated = await statedCause({ status, message, text, length: body.length }, { healing, ask });
  if (stated !== undefined) {
    await drop(same);
    return { answered: { ...same, response: stated } };
  }
  return { answered: same };
}

interface Refused {
  readonly status: number;
  readonly message: string;
  readonly text: string;
  readonly length: number;
}

/** The error in words that agents know; undefined if the server's own ones are as good. */
async function statedCause(
  { status, message, text, length }: Refused,
  { healing: { known, model }, ask }: Pick<HealedSending, "healing" | "ask">,
): Promise<Response | undefined> {
  const { unexplained, malformed } = known?.profile ?? {};
  if (unexplained !== undefined && isUnexplained({ status, message }, unexplained)) {
    if (length >= unexplained.long) return errorAnswer(400, overflowError({}));
    const { loads } = unexplained;
    if (loads === undefined || ask === undefined || model?.hasAnswered !== false) return undefined;
    const words = loadError(await ask(loads, JSON.stringify({ model: model.name })) ?? "");
    if (words === undefined) return undefined;
    return errorAnswer(404, unknownModel(`The model server can't load the model "${model.name}": ${words}`));
  }
  if (isUnknownModel(status, message)) {
    return text.includes(MODEL_NOT_FOUND) ? undefined : errorAnswer(404, unknownModel(message));
  }
  // Agents ask again and again after a 500.
  const isMalformed = status === malformed || isValidation(status, message);
  return isMalformed
    ? errorAnswer(400, { message, type: "invalid_request_error", code: "invalid_request" })
    : undefined;
}

function isUnexplained(
  { status, message }: Pick<Refused, "status" | "message">,
  unexplained: UnexplainedError,
): boolean {
  return unexplained.status === status && unexplained.text === message.trim();
}

/** Why a server can't load a model, in its own words: `data: {"status": "error", "message": "…"}`. */
function loadError(events: string): string | undefined {
  for (const { data } of new SseDecoder().push(new TextEncoder().encode(`${events}\n\n`))) {
    const event = data === undefined ? undefined : parseJson(data);
    if (isRecord(event) && event.status === "error" && typeof event.message === "string") {
      return event.message;
    }
  }
  return undefined;
}

/** A request that is healed with more and more rules. What it lacks of thoughts is read only once, and only if the server wants it. */
class HealableBody {
  readonly #body: RequestBody;
  readonly #options: { readonly recall: HealedSending["recall"]; readonly field: string | undefined };
  #known: ReadonlyMap<string, string> | undefined;

  constructor(
    body: RequestBody,
    options: { readonly recall: HealedSending["recall"]; readonly field: string | undefined },
  ) {
    this.#body = body;
    this.#options = options;
  }

  /** The body after its changes; undefined if nothing changes. Numbers keep their spelling. */
  async heal(rules: HealRules): Promise<HealedBody | undefined> {
    if (this.#body === null || Object.keys(rules).length === 0) return undefined;
    const text = bodyText(this.#body);
    // Nothing parsed is kept while the server is asked, because most requests are never healed again.
    const request = parseJson(text);
    if (!isRecord(request)) return undefined;
    const wanted = rules.thoughts;
    const thoughts = wanted === undefined ? undefined : await this.#thoughts(request, wanted);
    // Only a body that changes is parsed again, because keeping the spelling of its numbers is slow.
    if (healRequest(request, rules, thoughts) === undefined) return undefined;
    const exact = parseExact(text);
    const healed = isRecord(exact) ? healRequest(exact, rules, thoughts) : undefined;
    return healed && { body: JSON.stringify(healed.request), changes: healed.changes };
  }

  /** The thoughts that the request lacks, and the field for them. */
  async #thoughts(
    { messages }: Readonly<Record<string, unknown>>,
    wanted: string,
  ): Promise<ThoughtRules | undefined> {
    const { recall, field = wanted } = this.#options;
    if (recall === undefined) return undefined;
    if (this.#known === undefined) {
      const calls = callsWithoutThoughts(Array.isArray(messages) ? messages : []);
      this.#known = calls.length === 0 ? new Map() : await recall(calls);
    }
    return { field, known: this.#known };
  }
}

const { words: WORDS } = everyServer.unknown_model;

/** The code that agents know. */
const MODEL_NOT_FOUND = "model_not_found";

/** Whether an error is about a model that the server doesn't have. */
function isUnknownModel(status: number, message: string): boolean {
  return status === 404 && WORDS.some((words) => words.every((word) => message.includes(word)));
}

/** `404 "Repository Not Found for url: …"` ─▶ `404 model_not_found "Repository Not Found for url: …"` */
function unknownModel(message: string): ApiError {
  return { message, type: "invalid_request_error", param: "model", code: MODEL_NOT_FOUND };
}
