/**
 * Which decisions are about a call that another decision already counts. When a rule fails at a text, the matcher reads it
 * again without that rule, so one broken call leaves a decision for each rule and each reading:
 *
 *     <tool_call>{"name": "t", "argum        hermes: truncated, json_lines: malformed   one call
 *     <tool_call> <function=t> … </…>        hermes: malformed, qwen_xml: transformed   one call
 *
 * @module
 */
import { present } from "../../engine/object/present.ts";
import { isDecision } from "../../engine/event/reason.ts";
import type { DecisionLine } from "./line.ts";
import { isFromText, isMeantAsCall } from "./classification.ts";

/** A wrapper before the call that another rule read: at most this many characters that aren't whitespace. */
const WRAPPER_MAX = 32;

interface ReadDecision {
  readonly line: Omit<DecisionLine, "repeats">;
  readonly source: string | undefined;
}

export function repeatsOf(decisions: readonly ReadDecision[]): ReadonlySet<number> {
  const repeats = new Set<number>();
  const texts = decisions.map((decision, index) => ({ ...decision, index }))
    .filter(({ line }) => isDecision(line.reason) && isFromText(line));
  const placed = texts.flatMap(({ line: { start, end }, ...rest }) =>
    start === null || end === null ? [] : [{ ...rest, start, end }]
  );
  const lineOf = (index: number) => decisions[index]!.line;
  const isMade = (index: number) => ["transformed", "would_transform"].includes(lineOf(index).outcome);
  const made = placed.filter(({ index }) => isMade(index));
  const isBroken = (index: number) => lineOf(index).outcome === "failed" || lineOf(index).outcome === "lost";
  const left = placed.filter(({ index }) => !isMade(index)).sort((one, other) => one.start - other.start);
  for (const one of left) {
    const isRead = made.some((call) =>
      lineOf(call.index).choice === lineOf(one.index).choice && isSameCall(one, call, lineOf(call.index).tool)
    );
    if (isRead) repeats.add(one.index);
  }
  for (const group of groupsOf(left.filter(({ index }) => !repeats.has(index)), lineOf)) {
    const counted = group.find(isBroken) ?? group.find((index) => isMeantAsCall(lineOf(index))) ?? group[0];
    for (const index of group) if (index !== counted) repeats.add(index);
  }
  return repeats;
}

type WithSource = { readonly line: DecisionLine; readonly source: string | undefined };

/** A call that broke off has no place. The matcher notes its text just before, as one that it left: the two are one decision. */
export function withPlaces(decisions: readonly WithSource[]): readonly WithSource[] {
  const placed: WithSource[] = [];
  for (const one of decisions) {
    const { rule, choice, start, outcome } = one.line;
    const at = outcome !== "failed" && outcome !== "lost" || start !== null
      ? -1
      : placed.findLastIndex(({ line }) =>
        line.rule === rule && line.choice === choice && line.call === null && line.start !== null &&
        line.outcome === "abstained" && line.reason === one.line.reason
      );
    if (at < 0) {
      placed.push(one);
      continue;
    }
    const [{ line, source }] = placed.splice(at, 1) as [WithSource];
    const { start: from, end, characters, hash, detail } = line;
    placed.push({
      line: {
        ...one.line,
        start: from,
        end,
        characters,
        hash,
        detail: one.line.detail ?? detail,
        ...present({ original: line.original }),
      },
      source,
    });
  }
  return placed;
}

interface Place {
  readonly start: number;
  readonly end: number;
  readonly index: number;
  readonly source: string | undefined;
}

/** Whether a text that a rule left is the call that another rule read, perhaps with a wrapper in front of it. */
function isSameCall({ start, end, source }: Place, call: Place, tool: string | null): boolean {
  if (start >= call.end || end <= call.start) return false;
  if (start >= call.start) return true;
  const before = (source ?? "").slice(0, call.start - start);
  const isWrapper = before.replace(/\s/g, "").length <= WRAPPER_MAX && call.start - start <= 2 * WRAPPER_MAX;
  return isWrapper && (tool === null || !before.includes(tool));
}

/** Groups of texts that overlap, of one choice. */
function groupsOf(
  places: readonly Place[],
  lineOf: (index: number) => { readonly choice: number },
): number[][] {
  const groups: { end: number; choice: number; indexes: number[] }[] = [];
  for (const { start, end, index } of places) {
    const { choice } = lineOf(index);
    const group = groups.findLast((one) => one.choice === choice && start < one.end);
    if (group === undefined) groups.push({ end, choice, indexes: [index] });
    else {
      group.indexes.push(index);
      group.end = Math.max(group.end, end);
    }
  }
  return groups.map(({ indexes }) => indexes.sort((one, other) => one - other));
}
