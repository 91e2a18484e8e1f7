/** The recent requests, for the page: running ones and the last ones that ended. Number and memory are bounded. @module */
import { dropOldest } from "../../engine/object/drop_oldest.ts";
import { present } from "../../engine/object/present.ts";
import type { AuditLine, DecisionLine, RequestLine } from "../audit/line.ts";
import { isSecretName, nameWithout, REDACTED, scrubText, secretsIn, withoutKnown } from "../audit/scrub.ts";
import { isErrorLine } from "../audit/classification.ts";
import { endOf } from "../audit/ends.ts";
import { outcomeOf } from "../audit/outcome.ts";
import { NOTHING_SEEN, type RequestSummary, summarize, summarizeUnwatched } from "../audit/summary.ts";
import type { ContentEvent } from "../../engine/event/event.ts";
import { ERROR_CODES } from "../../proxy/exchange/error_codes.ts";
import type { EventPlace, RequestFacts, RequestWatch, UnwatchedRequest } from "../../proxy/exchange/watch.ts";
import { ContentsRecord, type TextRange } from "./contents.ts";
import {
  isRunning,
  type LiveContents,
  type LiveDetail,
  type LiveMark,
  type LiveRequest,
  type LiveState,
} from "./request.ts";

interface LiveLimits {
  readonly requestsMax: number;
  readonly detailsMax: number;
  readonly charactersMax: number;
}

export const LIVE_LIMITS: LiveLimits = { requestsMax: 500, detailsMax: 100, charactersMax: 8 * 1024 * 1024 };

const MARKS_MAX = 200;

const CALLED_MAX = 5;

interface LiveOptions {
  readonly hasContents: () => boolean;
  /** The time, in milliseconds since 1970. */
  readonly now: () => number;
  readonly changed: (id: string) => void;
  readonly limits?: LiveLimits;
}

interface Entry {
  request: LiveRequest;
  detail: Detail | undefined;
}

interface Detail {
  version: number;
  marks: LiveMark[];
  ranges: (TextRange | undefined)[];
  readonly secrets: readonly string[];
  readonly contents: ContentsRecord | undefined;
  chat: string | undefined;
}

export class LiveRequests {
  readonly #options: LiveOptions;
  readonly #limits: LiveLimits;
  readonly #entries = new Map<string, Entry>();
  #unwatched = 0;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#limits = options.limits ?? LIVE_LIMITS;
  }

  /** All requests, the oldest first. */
  get all(): LiveRequest[] {
    return [...this.#entries.values()].map(({ request }) => request);
  }

  get(id: string): LiveRequest | undefined {
    return this.#entries.get(id)?.request;
  }

  watch(facts: RequestFacts): RequestWatch {
    const detail = this.#createDetail(facts);
    const entry: Entry = { request: begun(facts), detail };
    this.#keep(facts.id, entry);
    const { contents } = detail;
    return {
      begin: () => this.#change(facts.id, { state: "streaming", firstMs: this.#since(facts) }),
      observe: (event, place) => this.#observe(event, { facts, entry, place }),
      ...(contents === undefined ? {} : {
        text(text) {
          contents.addBefore(text);
          detail.version++;
        },
        written(event) {
          contents.addAfter(event);
          detail.version++;
        },
      }),
      end: () => this.#finish(entry, facts),
    };
  }

  /** Takes the lines of a request that ended, or what its next request shows about its calls. */
  add(lines: readonly AuditLine[]): void {
    for (const line of lines) {
      if (line.kind === "result") this.#addVerdict(line.answer, line.verdict);
      if (line.kind !== "request") continue;
      const summary = summarize(lines);
      if (summary === undefined) continue;
      const { addedMs } = line;
      const prompts = present({ conversationPrompts: this.#promptsOf(line) });
      this.#settleMarks(line.request, lines);
      this.#change(line.request, { ...summary, ...prompts, addedMs, state: endState(summary) });
    }
  }

  /** From now on, a request shows the decisions of its lines, each call once, at the times at which they arrived. */
  #settleMarks(id: string, lines: readonly AuditLine[]): void {
    const detail = this.#entries.get(id)?.detail;
    if (detail === undefined) return;
    const arrived = detail.marks.map((mark, index) => ({ mark, range: detail.ranges[index] }));
    const decisions = lines.filter((line): line is DecisionLine => line.kind === "decision" && !line.repeats);
    const settled = decisions.slice(0, MARKS_MAX).map((line) => {
      const at = arrived.findIndex(({ mark }) =>
        mark.reason === line.reason && mark.rule === line.rule &&
        (mark.start === null || mark.start === line.start)
      );
      const [known] = at < 0 ? [] : arrived.splice(at, 1);
      const { reason, rule, tool, call, detail, start, characters } = line;
      const end = endOf(line);
      return {
        mark: { end, reason, rule, tool, call, detail, start, characters, atMs: known?.mark.atMs ?? null },
        range: known?.range,
      };
    });
    detail.marks = settled.map(({ mark }) => mark);
    detail.ranges = settled.map(({ range }) => range);
  }

  /** The sums over a request that ends and the kept ones before it in its conversation. */
  #promptsOf(line: RequestLine): LiveRequest["conversationPrompts"] {
    if (line.conversation === "") return undefined;
    const kept = Array.from(this.#entries.values(), ({ request }) => request);
    const sums = { requests: 0, tokens: 0, cached: 0 };
    for (const one of [...kept.filter(({ conversation }) => conversation === line.conversation), line]) {
      if (one.promptTokens === undefined || one.cachedTokens === undefined) continue;
      sums.requests++;
      sums.tokens += one.promptTokens;
      sums.cached += one.cachedTokens;
    }
    return sums.requests === 0 ? undefined : sums;
  }

  /** Takes the command that derives a rule from a request's near miss. */
  addCommand(id: string, command: string): void {
    this.#change(id, { command });
  }

  addUnwatched(unwatched: UnwatchedRequest): void {
    const summary = summarizeUnwatched(unwatched);
    const id = `u${this.#unwatched++}`;
    const rest = {
      conversation: "",
      isStreamed: false,
      choices: 1,
      tools: 0,
      command: null,
      accepted: 0,
      rejected: 0,
      addedMs: null,
    };
    this.#keep(id, { request: { ...summary, ...rest, id, state: endState(summary) }, detail: undefined });
  }

  /** Everything about a request; undefined if it isn't kept. */
  detailOf(id: string): LiveDetail | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    const { request, detail } = entry;
    const errorMeaning = request.error === null ? null : ERROR_CODES[request.error] ?? null;
    const kept = { request, errorMeaning };
    if (detail === undefined) return { ...kept, version: 0, marks: null, contents: null };
    const { version, marks } = detail;
    return { ...kept, version, marks, contents: contentsOf(request, detail) };
  }

  versionOf(id: string): number | undefined {
    const entry = this.#entries.get(id);
    return entry && (entry.detail?.version ?? 0);
  }

  #createDetail({ secrets }: RequestFacts): Detail {
    const contents = this.#options.hasContents() ? new ContentsRecord() : undefined;
    return { version: 0, marks: [], ranges: [], secrets, contents, chat: undefined };
  }

  #observe(
    event: ContentEvent,
    { facts, entry, place }: { facts: RequestFacts; entry: Entry; place: EventPlace },
  ): void {
    if (event.kind === "call_start" && !place.isSent) {
      const { calls, called } = entry.request;
      const names = [...called, nameWithout(event.tool, facts.secrets)].slice(0, CALLED_MAX);
      this.#change(facts.id, { calls: calls + 1, called: names });
    }
    const { detail } = entry;
    if (event.kind !== "note" || detail === undefined || detail.marks.length >= MARKS_MAX) return;
    const { reason, rule, tool, call, start, end } = event;
    const range = place.isSent ? undefined : detail.contents?.findRange({ start, end }, place.source);
    detail.ranges.push(range);
    detail.marks.push({
      ...{ end: endOf({ reason, outcome: outcomeOf(reason) }), reason, rule, call: call ?? null },
      start: place.isSent || end <= start ? null : start,
      tool: tool === undefined ? null : nameWithout(tool, detail.secrets),
      detail: event.detail === undefined ? null : withoutKnown(event.detail, detail.secrets),
      atMs: this.#since(facts),
      characters: place.isSent || end <= start ? null : end - start,
    });
    detail.version++;
    if (reason === "near_miss") this.#change(facts.id, { nearMisses: entry.request.nearMisses + 1 });
  }

  #since({ beganAt }: RequestFacts): number {
    return Math.max(0, this.#options.now() - beganAt);
  }

  #finish(entry: Entry, { chat }: RequestFacts): void {
    const { detail } = entry;
    if (detail === undefined) return;
    detail.version++;
    if (detail.contents === undefined || chat === undefined) return;
    detail.chat = chatText(chat);
    this.#forgetTexts();
  }

  #addVerdict(answer: string, verdict: "accepted" | "rejected"): void {
    const request = this.#entries.get(answer)?.request;
    if (request !== undefined) this.#change(answer, { [verdict]: request[verdict] + 1 });
  }

  #change(id: string, changes: Partial<LiveRequest>): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    entry.request = { ...entry.request, ...changes };
    if (entry.detail !== undefined) entry.detail.version++;
    this.#options.changed(id);
  }

  #keep(id: string, entry: Entry): void {
    this.#entries.set(id, entry);
    dropOldest(this.#entries, this.#limits.requestsMax);
    this.#forgetDetails();
    this.#options.changed(id);
  }

  #forgetDetails(): void {
    const overdue = this.#entries.size - this.#limits.detailsMax;
    if (overdue <= 0) return;
    const oldest = [...this.#entries.values()][overdue - 1];
    if (oldest !== undefined) oldest.detail = undefined;
  }

  #forgetTexts(): void {
    const entries = [...this.#entries.values()];
    let sum = entries.reduce((total, { detail }) => total + lengthOf(detail), 0);
    for (const entry of entries) {
      if (sum <= this.#limits.charactersMax) return;
      if (isRunning(entry.request)) continue;
      sum -= lengthOf(entry.detail);
      entry.detail = undefined;
    }
  }
}

function begun(facts: RequestFacts): LiveRequest {
  const { id, beganAt, client = null, wire, key = null, model, upstream, mode, isStreamed } = facts;
  return {
    conversation: facts.conversation,
    ...{ id, beganAt, client, wire, key, upstream, mode, isStreamed, tools: facts.toolCount },
    choices: typeof facts.chat?.n === "number" ? facts.chat.n : 1,
    model: model === undefined ? null : nameWithout(model, facts.secrets),
    ...{
      state: "waiting",
      status: null,
      error: null,
      message: null,
      firstMs: null,
      durationMs: null,
      addedMs: null,
    },
    ...NOTHING_SEEN,
    ...{ route: null, command: null, accepted: 0, rejected: 0 },
  };
}

function endState(summary: Pick<RequestSummary, "status" | "error" | "failed" | "lost">): LiveState {
  if (isErrorLine(summary)) return "error";
  if (summary.error === "client_left") return "left";
  return summary.failed + summary.lost > 0 ? "cut" : "done";
}

function lengthOf(detail: Detail | undefined): number {
  return (detail?.contents?.length ?? 0) + (detail?.chat?.length ?? 0);
}

function contentsOf(request: LiveRequest, detail: Detail): LiveContents | null {
  const { contents, ranges, chat } = detail;
  if (contents === undefined) return null;
  const secrets = [...detail.secrets, ...secretsIn(chat ?? "")];
  const reading = { secrets, isOver: !isRunning(request) };
  return {
    before: contents.before(ranges, reading),
    after: contents.after(reading),
    isCut: contents.isCut,
    chat: chat === undefined ? null : shownChat(chat, secrets),
  };
}

/** The longest request that is kept, in characters of JSON. */
const CHAT_LENGTH_MAX = 512 * 1024;

/** A request as JSON; undefined if it is too long. */
export function chatText(chat: object): string | undefined {
  // To write a request of many megabytes only to measure it would hold up other requests.
  const text = textLength(chat) > CHAT_LENGTH_MAX ? undefined : JSON.stringify(chat);
  return text !== undefined && text.length <= CHAT_LENGTH_MAX ? text : undefined;
}

/** Removes secrets from the texts of a request. A schema that only names a password stays. */
export function shownChat(text: string, secrets: readonly string[]): string {
  return JSON.stringify(
    JSON.parse(text),
    (name, value) =>
      typeof value !== "string" ? value : isSecretName(name) ? REDACTED : scrubText(value, secrets),
  );
}

/** The length of all texts in a value; stops to count beyond the maximum. */
function textLength(value: unknown): number {
  const waiting = [value];
  let length = 0;
  while (waiting.length > 0 && length <= CHAT_LENGTH_MAX) {
    const next = waiting.pop();
    // Also what isn't a text takes room.
    length += typeof next === "string" ? next.length : 1;
    if (typeof next !== "object" || next === null) continue;
    // A list may have more values than a function takes arguments.
    for (const value of Object.values(next).slice(0, CHAT_LENGTH_MAX)) waiting.push(value);
  }
  return length;
}
