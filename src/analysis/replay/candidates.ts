/** Lists every candidate of an answer with its decision, by position, from the events of one choice alone. @module */
import type { ContentEvent, NoteEvent } from "../../engine/event/event.ts";
import { type Reason, reasonEntry } from "../../engine/event/reason.ts";
import { present } from "../../engine/object/present.ts";

/**
 * What became of a candidate: a call; unchanged text; dropped, because the client takes no more calls; broken off after
 * it was announced to the client. `note` adds information about a call.
 */
type Decision = "call" | "text" | "near miss" | "dropped" | "broken off" | "note";

/** One decision about one piece of the answer. */
export interface Candidate {
  /** Its start: a UTF-16 offset in the answer. */
  readonly start: number;
  readonly end: number;
  readonly rule: string;
  readonly tool?: string;
  /** The arguments of a call as JSON, with the tool's own parameters: what the rule's mapping made of the text. */
  readonly arguments?: string;
  readonly decision: Decision;
  readonly reason: Reason;
  readonly detail?: string;
}

interface Found {
  candidate: Candidate;
  readonly call: number | undefined;
}

export function listCandidates(events: readonly ContentEvent[]): Candidate[] {
  const found: Found[] = [];
  /** The candidate that became a call, for each one. */
  const calls = new Map<number, Found>();
  const given = new Map<number, string>();
  for (const event of events) {
    if (event.kind === "arguments") given.set(event.call, (given.get(event.call) ?? "") + event.json);
    if (event.kind === "call_abort") {
      const last = found.at(-1);
      // The matcher sends the reason before it aborts the call.
      if (last?.call === undefined && last) last.candidate = { ...last.candidate, decision: "broken off" };
    }
    if (event.kind !== "note") continue;
    const first = event.call === undefined ? undefined : calls.get(event.call);
    const made = first?.candidate.decision === "call" ? first : undefined;
    const decision = decisionOf(event.reason);
    const candidate = candidateOf(event, decision);
    // When the renderer refuses a call, only the matcher's note has its position.
    if (made !== undefined && (decision === "text" || decision === "dropped")) {
      made.candidate = { ...candidate, start: made.candidate.start, end: made.candidate.end };
      continue;
    }
    const { start, end } = made !== undefined && event.start === event.end ? made.candidate : candidate;
    const one = { candidate: { ...candidate, start, end }, call: event.call };
    found.push(one);
    if (event.call !== undefined && decision === "call" && made === undefined) calls.set(event.call, one);
  }
  const candidates = found.map(({ candidate, call }) => {
    const json = candidate.decision === "call" && call !== undefined ? given.get(call) : undefined;
    return { ...candidate, ...present({ arguments: json }) };
  }).sort((a, b) => a.start - b.start);
  // A near miss inside a text that a rule failed at is the same call.
  const isKnown = (miss: Candidate) =>
    candidates.some(({ decision, start, end }) =>
      decision === "text" && start < miss.end && end > miss.start
    );
  return candidates.filter((one) => one.decision !== "near miss" || !isKnown(one));
}

function decisionOf(reason: Reason): Decision {
  const entry = reasonEntry(reason);
  if (entry.kind !== "decision") return "note";
  if (entry.outcome !== "abstained") return "call";
  if (reason === "near_miss") return "near miss";
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
