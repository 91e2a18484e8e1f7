/**
 * Candidates that aren't calls: where rules failed, and which failures were noted.
 *
 * @module
 */
import type { Reason } from "../event/reason.ts";
import type { CallEvent } from "../event/event.ts";
import { EXHAUSTED, type Failure } from "./body_reader.ts";
import type { CompiledRule } from "./compiled_rule.ts";
import { present } from "../object/present.ts";

interface Candidate {
  readonly rule: CompiledRule;
  readonly offset: number;
  readonly end: number;
  readonly tool: string | undefined;
  readonly isLost?: true | undefined;
}

/** A refusal that isn't noted, because it already was or because the position is wrong. */
export const SILENT: Failure = { reason: "malformed", detail: "" };

/** Whether to note a failure. With a rule whose tags look like HTML, every tag of a page would be an unknown tool. */
export function isWorthNoting(rule: CompiledRule, failure: Failure): boolean {
  return failure !== SILENT && !(rule.needsDeclaredKeys && failure.reason === "unknown_tool");
}

export interface NotedCandidate {
  readonly rule: CompiledRule;
  readonly end: number;
  readonly reason: Reason;
}

/** Reasons that mark a text as quoted for every rule. */
const SHOWN: ReadonlySet<Reason> = new Set(["quoted", "echo"]);

export class Refusals {
  readonly #push: (event: CallEvent) => void;
  /** The position at which rules failed; they aren't tried again there. */
  #offset = -1;
  readonly #ranks = new Set<number>();
  /** The candidate that was noted last; candidates inside it aren't noted. */
  noted: NotedCandidate | undefined;
  /** Whether too much text was read again, so that the rest of the answer is text. */
  isExhausted = false;

  /** @param push receives the notes */
  constructor(push: (event: CallEvent) => void) {
    this.#push = push;
  }

  /** The answer is read again from a place before which this candidate was noted last: all rules are tried again. */
  restore(noted: NotedCandidate | undefined): void {
    this.noted = noted;
    this.#offset = -1;
    this.#ranks.clear();
  }

  has(rule: CompiledRule, offset: number): boolean {
    return this.#offset === offset && this.#ranks.has(rule.rank);
  }

  add(rule: CompiledRule, offset: number): void {
    if (this.#offset !== offset) this.#ranks.clear();
    this.#offset = offset;
    this.#ranks.add(rule.rank);
  }

  /**
   * Notes that a candidate isn't a call. A candidate of the same rule inside the last noted one isn't noted, nor is a
   * candidate of any rule inside quoted text.
   */
  note(failure: Failure, { rule, offset, end, tool, isLost }: Candidate): void {
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
      ...present({ detail: failure.detail, isLost, brokenAt: failure.brokenAt }),
    });
  }

  /** Notes once that too much text was read again, with the candidate that caused it. */
  exhaust(candidate: Candidate): void {
    if (this.isExhausted) return;
    this.isExhausted = true;
    this.noted = undefined;
    this.note(EXHAUSTED, candidate);
  }
}
