/**
 * Every candidate of an answer with what was decided about it. In: the events of one choice, in their order. Out:
 * candidates in the order of their places. It never looks into the text.
 *
 * @module
 */
import type { Event, NoteEvent } from "../event/event.ts";
import { type Reason, reasonEntry } from "../event/reason.ts";
import { present } from "../object/present.ts";

/**
 * What became of a candidate: a call; text as it was; dropped, since the client takes no more calls; broken off
 * after the client had heard of it. `note` says something more of a call.
 */
export type Decision = "call" | "text" | "dropped" | "broken off" | "note";

/** One decision about one piece of the answer. */
export interface Candidate {
  /** Where it begins: a UTF-16 offset from the beginning of the answer. */
  readonly start: number;
  /** Where it ends. */
  readonly end: number;
  /** The rule that read it. */
  readonly rule: string;
  /** The tool, as far as it is known. */
  readonly tool?: string;
  /** What became of it. */
  readonly decision: Decision;
  /** Why. */
  readonly reason: Reason;
  /** A phrase more. */
  readonly detail?: string;
}

/** Puts the candidates together. */
export function listCandidates(events: readonly Event[]): Candidate[] {
  const found: { candidate: Candidate; call: number | undefined }[] = [];
  for (const event of events) {
    if (event.kind === "call_abort") {
      const last = found.at(-1);
      // The matcher says why it gives up, then that it does.
      if (last?.call === undefined && last) last.candidate = { ...last.candidate, decision: "broken off" };
    }
    if (event.kind !== "note") continue;
    const made = found.find(({ call, candidate }) =>
      call !== undefined && call === event.call && candidate.decision === "call"
    );
    const decision = decisionOf(event.reason);
    const candidate = candidateOf(event, decision);
    // The renderer refuses what the matcher read as a call; the matcher knows its place.
    if (made !== undefined && (decision === "text" || decision === "dropped")) {
      made.candidate = { ...candidate, start: made.candidate.start, end: made.candidate.end };
      continue;
    }
    const { start, end } = made !== undefined && event.start === event.end ? made.candidate : candidate;
    found.push({ candidate: { ...candidate, start, end }, call: event.call });
  }
  return found.map(({ candidate }) => candidate).sort((a, b) => a.start - b.start);
}

function decisionOf(reason: Reason): Decision {
  const entry = reasonEntry(reason);
  if (entry.kind !== "decision") return "note";
  if (entry.outcome !== "abstained") return "call";
  return reason === "one_call_only" ? "dropped" : "text";
}

function candidateOf({ start, end, rule, tool, reason, detail }: NoteEvent, decision: Decision): Candidate {
  return {
    start,
    end,
    rule,
    ...present({ tool }),
    decision,
    reason,
    ...(detail === undefined || detail === "" ? {} : { detail }),
  };
}
