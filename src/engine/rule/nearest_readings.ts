/** Finds where the nearest rules stop reading a text that became no call, and which single rules would read a call. @module */
import type { OfferedTools } from "../tool/offered.ts";
import { compileRules } from "./compile.ts";
import { type Near, nearestRules } from "./nearest.ts";
import { readAnswer } from "./outcome.ts";
import { readAlone, type RuleReading } from "./reading.ts";
import type { Rule } from "./schema.ts";

export interface UnreadText {
  readonly text: string;
  readonly offered: OfferedTools;
  readonly rules: readonly Rule[];
}

/** How far one rule reads a text. */
export interface NearReading {
  /** The rule, and the place where its opener begins. */
  readonly near: Near;
  /** What the rule reads from there on; absent if the opener isn't whole. */
  readonly reading: RuleReading | undefined;
  readonly at: number;
}

const COMPARED = 12;

/** The nearest rules, those first that come furthest. */
export function nearestReadings({ rules, text, offered }: UnreadText): NearReading[] {
  return nearestRules(rules, text).slice(0, COMPARED).map((near): NearReading => {
    const reading = near.isWhole
      ? readAlone(near.rule, { text: text.slice(near.start), offered })
      : undefined;
    return { near, reading, at: reading?.stop === undefined ? near.at : near.start + reading.stop.at };
  }).sort((a, b) =>
    Number(b.near.isWhole) - Number(a.near.isWhole) || b.at - a.at || b.near.marks - a.near.marks
  );
}

/** The rules, on or off, that make a call of the text by themselves, next to the regions. */
export function readingRules({ rules, text, offered }: UnreadText): Rule[] {
  const regions = rules.filter(({ body, enabled }) => body === "opaque" && enabled);
  return rules.filter(({ body }) => body !== "opaque" && body !== "group").filter((rule) => {
    const { program } = compileRules([{ ...rule, enabled: true }, ...regions]);
    return readAnswer(program, { pieces: [text], offered }).calls.length > 0;
  });
}
