/**
 * Divides an answer at its candidates: stretches of text, and marks with everything that was decided about them.
 *
 *     I'll look. <tool_call>{…,}</tool_call> Done.
 *     ^ text     ^ a mark: transformed       ^ text
 *                  with json_repaired
 *
 * @module
 */
import type { ExplainedCandidate } from "./protocol.ts";

interface Stretch {
  readonly start: number;
  readonly text: string;
  /** The decisions about it, the first one first; empty for ordinary text. */
  readonly candidates: readonly ExplainedCandidate[];
}

/** Divides an answer. A candidate inside another one belongs to the outer one's mark. */
export function stretchesOf(text: string, candidates: readonly ExplainedCandidate[]): Stretch[] {
  const spans: { start: number; end: number; candidates: ExplainedCandidate[] }[] = [];
  const isDecision = ({ kind }: ExplainedCandidate) => kind === "decision";
  for (
    const candidate of [...candidates].sort((a, b) =>
      a.start - b.start || Number(isDecision(b)) - Number(isDecision(a))
    )
  ) {
    const { start, end } = candidate;
    const last = spans.at(-1);
    if (last !== undefined && (start < last.end || (start === last.start && start === end))) {
      last.candidates.push(candidate);
      last.end = Math.max(last.end, end);
    } else if (end > start) spans.push({ start, end, candidates: [candidate] });
  }
  const stretches: Stretch[] = [];
  let at = 0;
  const add = (end: number, found: readonly ExplainedCandidate[]) => {
    if (end > at) stretches.push({ start: at, text: text.slice(at, end), candidates: found });
    at = Math.max(at, end);
  };
  for (const { start, end, candidates } of spans) {
    add(start, []);
    add(end, candidates);
  }
  add(text.length, []);
  return stretches;
}
