/** What the page shows of one rule. @module */
import type { DecisionLine } from "../audit/line.ts";
import { type End, endOf } from "../audit/ends.ts";

export interface RuleDetail {
  /** Its file in its folder. */
  readonly file: string;
  /** The rule that names the file; another one if this is a further form of it. */
  readonly name: string;
  /** The file's text, with the examples. */
  readonly text: string;
  readonly decisions: readonly RuleDecision[];
}

interface RuleDecision extends Pick<DecisionLine, "reason" | "tool" | "model" | "request"> {
  readonly end: End;
  /** In milliseconds since 1970. */
  readonly time: number;
}

const SHOWN_MAX = 10;

export function decisionsOf(rule: string, lines: readonly DecisionLine[]): RuleDecision[] {
  return lines.filter((line) => line.rule === rule && !line.repeats).slice(0, SHOWN_MAX).map((line) => {
    const { reason, tool, model, request, time } = line;
    return { end: endOf(line), reason, tool, model, request, time: Date.parse(time) };
  });
}
