/**
 * Candidates that are no calls: where rules have failed, what was noted of it.
 *
 * @module
 */
import type { Reason } from "../event/reason.ts";
import type { CallEvent } from "../event/event.ts";
import type { Failure } from "./call_sink.ts";
import type { CompiledRule } from "./program.ts";
import { present } from "../object/present.ts";

/** A candidate that is no call. */
export interface Candidate {
  readonly rule: CompiledRule;
  readonly offset: number;
  readonly end: number;
  readonly tool: string | undefined;
}

/** A refusal that says nothing of the text: it has been noted already, or the place is wrong. */
export const SILENT: Failure = { reason: "malformed", detail: "" };

/** Every tag of a page would be an "unknown tool" of a rule whose tags look like HTML. */
export function isWorthNoting(rule: CompiledRule, failure: Failure): boolean {
  return failure !== SILENT && !(rule.needsDeclaredKeys && failure.reason === "unknown_tool");
}

/** The candidate that was noted last. */
export interface NotedCandidate {
  readonly rule: CompiledRule;
  readonly end: number;
  readonly reason: Reason;
}

/** Reasons that say that a text is shown, whatever rules make of it. */
const SHOWN: ReadonlySet<Reason> = new Set(["quoted", "echo"]);

/** The refusals of one answer. */
export class Refusals {
  readonly #push: (event: CallEvent) => void;
  /** Where rules have failed: they are not tried again there. */
  #offset = -1;
  readonly #ranks = new Set<number>();
  /** The candidate that was noted last: its inner beginnings are not noted again. */
  noted: NotedCandidate | undefined;
  /** Whether so much was read again that the rest of the answer is text. */
  isExhausted = false;

  /** @param push takes the notes */
  constructor(push: (event: CallEvent) => void) {
    this.#push = push;
  }

  /** Whether a rule has failed at this place. */
  has(rule: CompiledRule, offset: number): boolean {
    return this.#offset === offset && this.#ranks.has(rule.rank);
  }

  /** A rule has failed at this place. */
  add(rule: CompiledRule, offset: number): void {
    if (this.#offset !== offset) this.#ranks.clear();
    this.#offset = offset;
    this.#ranks.add(rule.rank);
  }

  /**
   * A candidate is not a call. Where its tail looks like a candidate of the same rule, that is not noted; nor is
   * what other rules take it for where it is only shown.
   */
  note(failure: Failure, { rule, offset, end, tool }: Candidate): void {
    const { noted } = this;
    const isKnown = noted !== undefined && (noted.rule === rule || SHOWN.has(noted.reason));
    if (isKnown && offset < noted.end) return;
    this.noted = { rule, end, reason: failure.reason };
    this.#push({
      kind: "note",
      reason: failure.reason,
      rule: rule.name,
      ...present({ tool }),
      start: offset,
      end,
      ...present({ detail: failure.detail }),
    });
  }

  /** Too much was read again, as this candidate shows; that is noted once. */
  exhaust(candidate: Candidate): void {
    if (this.isExhausted) return;
    this.isExhausted = true;
    this.noted = undefined;
    this.note({ reason: "over_limit", detail: "read again too often" }, candidate);
  }
}
