/** Collects one request for the audit log, up to its end, because a later decision can replace an earlier one. @module */
import { createHash } from "node:crypto";
import type { ContentEvent, NoteEvent } from "../../engine/event/event.ts";
import { isDecision, type Reason } from "../../engine/event/reason.ts";
import {
  type EventPlace,
  promptTokens,
  type RequestFacts,
  type RequestOutcome,
  type RequestWatch,
  tokensUsed,
} from "../../proxy/exchange/watch.ts";
import { present } from "../../engine/object/present.ts";
import type { AuditLine, DecisionLine, RequestLine, RequestPart } from "./line.ts";
import { outcomeOf } from "./outcome.ts";
import { repeatsOf, withPlaces } from "./repeats.ts";
import { standingOf } from "./classification.ts";
import { nameWithout, scrubArguments, scrubText, secretsIn, withoutKnown } from "./scrub.ts";

const DECISIONS_MAX = 1000;

/** The most names of called tools in a request's line. */
const CALLED_MAX = 20;

/** The longest text in the log, in characters. */
const CONTENTS_MAX = 64 * 1024;

/** The longest text of an upstream's error, in characters: some servers quote what the model wrote. */
const MESSAGE_MAX = 300;

/** Fields, besides names, whose text comes from a request or a model. */
const UNTRUSTED: ReadonlySet<string> = new Set(["detail", "original", "rendered", "written"]);

const HASH_DIGITS = 16;

interface RecordOptions {
  readonly contents: boolean;
  readonly write: (lines: readonly AuditLine[]) => void;
}

interface Call {
  readonly rule: string;
  readonly tool: string;
  readonly confidence: number;
  json: string;
  isWhole: boolean;
  /** The call in the notation of its client, if that reads calls in text. */
  written: string;
}

interface RecordedNote {
  readonly note: Omit<NoteEvent, "kind">;
  readonly place: EventPlace;
  readonly isFailed: boolean;
  readonly isOfRenderer: boolean;
}

export function recordRequest(facts: RequestFacts, options: RecordOptions): RequestWatch {
  const record = new RequestRecord(facts, options);
  return {
    observe: (event, place) => record.observe(event, place),
    end: (outcome) => options.write(record.end(outcome)),
  };
}

class RequestRecord {
  readonly #facts: RequestFacts;
  readonly #contents: boolean;
  readonly #calls = new Map<string, Call>();
  readonly #decisions = new Map<string, RecordedNote>();
  #count = 0;
  #leftOut = 0;
  /** The text hashed last: thousands of decisions may be about one long call. */
  #hashed = { text: "", hash: hashOf("") };

  constructor(facts: RequestFacts, { contents }: Pick<RecordOptions, "contents">) {
    this.#facts = facts;
    this.#contents = contents;
  }

  observe(event: ContentEvent, place: EventPlace): void {
    switch (event.kind) {
      case "call_start":
        this.#calls.set(callKey(place.choice, event.call), {
          ...event,
          json: "",
          isWhole: false,
          written: "",
        });
        break;
      case "arguments": {
        const call = this.#calls.get(callKey(place.choice, event.call));
        if (call !== undefined) call.json += event.json;
        break;
      }
      case "text": {
        // Nearly all text isn't a call, and comes in many small pieces.
        if (!this.#contents || event.call === undefined) break;
        const call = this.#calls.get(callKey(place.choice, event.call));
        if (call !== undefined) call.written += event.text;
        break;
      }
      case "call_end": {
        const call = this.#calls.get(callKey(place.choice, event.call));
        if (call !== undefined) call.isWhole = true;
        break;
      }
      case "call_abort": {
        const { rule = "", tool = "" } = this.#calls.get(callKey(place.choice, event.call)) ?? {};
        this.#note({ rule, tool, call: event.call, reason: event.reason, start: 0, end: 0 }, place, true);
        break;
      }
      case "note":
        this.#note(event, place, false);
        break;
    }
  }

  end(outcome: RequestOutcome): AuditLine[] {
    const noted = [...this.#decisions.values()];
    const prompt = promptTokens(outcome);
    const about = { ...requestPart(this.#facts), ...present({ upstream: outcome.upstream }) };
    const read = withPlaces(
      noted.map((each) => ({ line: this.#decisionLine(each, about), source: each.place.source })),
    );
    const repeats = repeatsOf(read);
    const decisions = read.map(({ line }, index): DecisionLine =>
      repeats.has(index) ? { ...line, repeats: true } : line
    );
    const standings = decisions.map(standingOf);
    const lines: AuditLine[] = [...decisions, {
      ...about,
      kind: "request",
      stream: this.#facts.isStreamed,
      tools: this.#facts.toolCount,
      status: outcome.status,
      error: outcome.error ?? null,
      message: outcome.message === undefined ? null : this.#message(outcome.message),
      durationMs: round(outcome.durationMs),
      firstMs: outcome.firstMs === undefined ? null : round(outcome.firstMs),
      addedMs: round(outcome.addedMs),
      printedAsText: standings.some(({ isPrinted }) => isPrinted),
      reachedAsText: standings.filter(({ isReached }) => isReached).length,
      candidates: standings.filter(({ isCandidate }) => isCandidate).length,
      transformed: decisions.filter((line) => line.outcome === "transformed").length,
      ...this.#wholeCalls(),
      tokens: tokensUsed(outcome) ?? null,
      ...present({ promptTokens: prompt?.tokens, cachedTokens: prompt?.cached }),
      ...present({ tried: outcome.tried }),
      leftOut: this.#leftOut,
    }];
    return lines.map((line) => this.#clean(line));
  }

  #message(text: string): string {
    return scrubText(text.slice(0, CONTENTS_MAX), this.#facts.secrets).slice(0, MESSAGE_MAX);
  }

  /** The whole calls, without those that the renderer refused in the end, and the tools of the first ones. */
  #wholeCalls(): Pick<RequestLine, "calls" | "called"> {
    const whole = [...this.#calls].filter(([key, { isWhole }]) => {
      const last = this.#decisions.get(`call ${key}`);
      const outcome = last && outcomeOf(last.note.reason);
      return isWhole && outcome !== "abstained" && last?.isFailed !== true;
    });
    const names = whole.slice(0, CALLED_MAX).map(([, { tool }]) => nameWithout(tool, this.#facts.secrets));
    return { calls: whole.length, called: names };
  }

  #clean<Line extends AuditLine>(line: Line): Line {
    const { secrets } = this.#facts;
    return Object.fromEntries(
      Object.entries(line).map(([name, value]) =>
        UNTRUSTED.has(name) && typeof value === "string"
          ? [name, withoutKnown(value, secrets)]
          : [name, value]
      ),
    ) as unknown as Line;
  }

  #note(note: Omit<NoteEvent, "kind">, place: EventPlace, isFailed: boolean): void {
    const isAboutCall = note.call !== undefined && isDecision(note.reason);
    const key = isAboutCall ? `call ${callKey(place.choice, note.call)}` : `note ${this.#count++}`;
    const before = this.#decisions.get(key);
    if (before === undefined && this.#decisions.size >= DECISIONS_MAX) {
      this.#leftOut++;
      return;
    }
    // The renderer can refuse a call before the matcher's own note about it arrives, which then only adds the place.
    if (before?.isOfRenderer && !place.isSent && !isFailed) {
      const { start, end } = note;
      this.#decisions.set(key, { ...before, note: { ...before.note, start, end }, place });
      return;
    }
    // The renderer or a plugin may refuse the call, but its position and text stay the matcher's.
    const isOnlyReason = place.isSent || isFailed || note.end <= note.start;
    const known = before !== undefined && isOnlyReason
      ? {
        place: { ...before.place, isSent: false },
        span: { start: before.note.start, end: before.note.end },
      }
      : { place, span: {} };
    const merged = { ...before?.note, ...note, ...known.span };
    this.#decisions.set(key, {
      note: merged,
      place: known.place,
      isFailed,
      isOfRenderer: isAboutCall && place.isSent,
    });
  }

  #decisionLine({ note, place, isFailed }: RecordedNote, about: RequestPart): DecisionLine {
    const { call, rule, tool, reason, detail, isLost } = note;
    // A whole answer has no half of a call: one that is cut off leaves it.
    const isHalf = isFailed && reason === "truncated" && !this.#facts.isStreamed;
    const read = call === undefined ? undefined : this.#calls.get(callKey(place.choice, call));
    const name = tool ?? read?.tool;
    const { source } = place;
    // Notes about native calls and broken calls have no position in the text.
    const hasPlace = !place.isSent && note.end > note.start;
    return {
      ...about,
      kind: "decision",
      choice: place.choice,
      call: call ?? null,
      rule,
      confidence: read?.confidence ?? null,
      tool: name === undefined ? null : nameWithout(name, this.#facts.secrets),
      outcome: isLost || isHalf ? "lost" : isFailed ? "failed" : outcomeOf(reason),
      reason,
      detail: detail || null,
      start: hasPlace ? note.start : null,
      end: hasPlace ? note.end : null,
      characters: source?.length ?? (hasPlace ? note.end - note.start : null),
      hash: source === undefined ? null : this.#hash(source),
      argumentCharacters: read === undefined || !isDecision(reason) ? null : read.json.length,
      ...(this.#contents ? this.#texts(reason, { source, json: read?.json, written: read?.written }) : {}),
    };
  }

  #hash(text: string): string {
    if (text !== this.#hashed.text) this.#hashed = { text, hash: hashOf(text) };
    return this.#hashed.hash;
  }

  #texts(
    reason: Reason,
    { source, json, written }: Readonly<Record<"source" | "json" | "written", string | undefined>>,
  ): Pick<DecisionLine, "original" | "rendered" | "written"> {
    if (!isDecision(reason)) return {};
    const secrets = [...this.#facts.secrets, ...secretsIn(json ?? "")];
    return present({
      original: source && scrubText(source, secrets).slice(0, CONTENTS_MAX),
      rendered: json && scrubArguments(json, secrets).slice(0, CONTENTS_MAX),
      // A refused call has been sent as the model wrote it, which is the original.
      written: written &&
        scrubText(written, [...secrets, ...secrets.map(withEntities)]).slice(0, CONTENTS_MAX),
    });
  }
}

function withEntities(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

export function requestPart(facts: RequestFacts): RequestPart {
  const { id, beganAt, conversation, client, wire, key, model, upstream, mode, secrets } = facts;
  return {
    v: 1,
    time: new Date(beganAt).toISOString(),
    request: id,
    conversation,
    client: client ?? null,
    wire,
    key: key ?? null,
    model: model === undefined ? null : nameWithout(model, secrets),
    upstream,
    mode,
  };
}

function callKey(choice: number, call: number | undefined): string {
  return `${choice} ${call}`;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, HASH_DIGITS);
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
