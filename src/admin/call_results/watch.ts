/** Watches whether agents run their calls: looks for the results in the next request of the conversation. @module */
import { putLast } from "../../engine/object/drop_oldest.ts";
import type { ResultLine } from "../audit/line.ts";
import { requestPart } from "../audit/record.ts";
import { nameWithout } from "../audit/scrub.ts";
import { isDecision } from "../../engine/event/reason.ts";
import type { RequestFacts, WatchRequest } from "../../proxy/exchange/watch.ts";
import { type PendingCall, readResults } from "./results.ts";

/** The results that a request brings are passed on at once. */
export function watchCallResults(report: (lines: readonly ResultLine[]) => void): WatchRequest {
  const pending = new PendingCalls();
  return (facts) => {
    const before = pending.of(facts.conversation);
    const left = reportResults(before, { facts, report });
    // An answer that is asked for again must not lose the calls of the one before.
    if (left.length < before.length) pending.put(facts.conversation, left);
    const made = new AnswerCalls(facts);
    return {
      observe: (event, { choice }) => made.observe(event, choice),
      sent: (event) => made.send(event),
      end({ upstream = facts.upstream }) {
        const calls = made.calls.map((call) => ({ ...call, upstream }));
        if (calls.length > 0) pending.put(facts.conversation, calls);
      },
    };
  };
}

/** Reports the results in a request, and gives the calls without one. */
function reportResults(calls: readonly PendingCall[], { facts, report }: {
  readonly facts: RequestFacts;
  readonly report: (lines: readonly ResultLine[]) => void;
}): readonly PendingCall[] {
  const { chat, resultForm, secrets } = facts;
  if (calls.length === 0 || chat === undefined || resultForm === undefined) return calls;
  const results = readResults(chat, calls, resultForm);
  const part = requestPart(facts);
  const lines = [...results].map(([{ answer, upstream, rule, tool }, verdict]): ResultLine => ({
    ...part,
    upstream: upstream ?? part.upstream,
    kind: "result",
    answer,
    rule,
    tool: nameWithout(tool, secrets),
    verdict,
  }));
  if (lines.length > 0) report(lines);
  return calls.filter((call) => !results.has(call));
}

class AnswerCalls {
  readonly #facts: RequestFacts;
  /** Calls with an id, as the renderer sent them. */
  readonly #sent: PendingCall[] = [];
  /** Calls that are whole, for a client that reads them in the text. */
  readonly #whole = new Map<string, PendingCall>();
  readonly #begun = new Map<string, PendingCall>();

  constructor(facts: RequestFacts) {
    this.#facts = facts;
  }

  /** Nothing if the client got the raw answer. */
  get calls(): readonly PendingCall[] {
    if (this.#facts.mode !== "live") return [];
    return this.#sent.length > 0 ? this.#sent : [...this.#whole.values()];
  }

  observe(event: Parameters<ReturnType<WatchRequest>["observe"]>[0], choice: number): void {
    if (event.kind === "text" || event.kind === "group_start" || event.kind === "group_end") return;
    const key = `${choice} ${event.call}`;
    switch (event.kind) {
      case "call_start":
        this.#begun.set(key, this.#pending(event));
        break;
      case "call_end": {
        const call = this.#begun.get(key);
        if (call !== undefined) this.#whole.set(key, call);
        break;
      }
      case "note":
        // The renderer may refuse what the matcher read.
        if (isDecision(event.reason) && event.reason !== "transformed" && event.reason !== "recovered") {
          this.#whole.delete(key);
        }
    }
  }

  send({ rule, tool, id }: { readonly rule: string; readonly tool: string; readonly id?: string }): void {
    if (id !== undefined) this.#sent.push({ ...this.#pending({ rule, tool }), id });
  }

  #pending({ rule, tool }: { readonly rule: string; readonly tool: string }): PendingCall {
    return { answer: this.#facts.id, rule, tool, id: undefined };
  }
}

const CONVERSATIONS_MAX = 10_000;

const CALLS_MAX = 128;

/** The calls whose results aren't known yet; the oldest conversation is forgotten first. */
export class PendingCalls {
  readonly #calls = new Map<string, readonly PendingCall[]>();

  /** Remembers the calls of an answer. They replace those of the answer before it. */
  put(conversation: string, calls: readonly PendingCall[]): void {
    this.#calls.delete(conversation);
    if (calls.length === 0) return;
    putLast(this.#calls, conversation, calls.slice(0, CALLS_MAX), CONVERSATIONS_MAX);
  }

  of(conversation: string): readonly PendingCall[] {
    return this.#calls.get(conversation) ?? [];
  }
}
