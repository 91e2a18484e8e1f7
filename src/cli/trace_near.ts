/**
 * What `trace` prints about a text without a call: rules that would read it but are off, and the nearest rules with the
 * place where each stops.
 *
 * @module
 */
import type { Config } from "../proxy/config/schema.ts";
import { printExcerpt } from "../engine/diagnostic/print.ts";
import { visible } from "../engine/diagnostic/visible.ts";
import { createSource } from "../engine/document/source.ts";
import {
  nearestReadings,
  type NearReading,
  readingRules,
  type UnreadText,
} from "../engine/rule/nearest_readings.ts";
import type { Rule } from "../engine/rule/schema.ts";
import { whereOn } from "./rules.ts";

export interface TracedText extends UnreadText {
  /** The name of the text, for the pictures. */
  readonly name: string;
  readonly config: Config;
  readonly colours: boolean;
}

const SHOWN = 3;

const NOTE_LENGTH = 72;

/** The lines, each part with a final newline; empty if no rule is near. */
export function printNearest(traced: TracedText): string {
  const hints = new Map(
    readingRules(traced)
      .map((rule) => [rule, hint(rule, traced.config)] as const).filter(([, line]) => line !== ""),
  );
  const near = nearestReadings(traced).filter(({ near }) => !hints.has(near.rule)).slice(0, SHOWN);
  return [
    hints.size === 0 ? "" : `\n${[...hints.values()].join("")}`,
    near.length === 0 ? "" : `\nThe nearest rules, and where each stops:\n`,
    ...near.map((one) => `\n${picture(one, traced)}\n`),
  ].join("");
}

/** Why a rule that reads the text makes no call, and what to do; empty for one that is on. */
function hint(rule: Rule, config: Config): string {
  const { rule: name, enabled, confidence } = rule;
  const minimum = config.policy.minimum_confidence;
  const parts = [
    ...(enabled ? [] : [`is off (turn it on with --enable ${name} or \`rules.enable\`)`]),
    ...(confidence >= minimum ? [] : [
      `has the confidence ${confidence}, under the threshold ${minimum} (change \`rules.confidence\` or --min-confidence)`,
    ]),
  ];
  if (parts.length > 0) return `The rule ${name} would read a call here, but it ${parts.join(" and ")}\n`;
  const where = whereOn(rule, config);
  return where === "yes" ? "" : `The rule ${name} reads a call here where it is on: ${where}\n`;
}

function picture({ near, reading, at }: NearReading, { name, text, config, colours }: TracedText): string {
  const location = createSource(name, text).locate(at, 1);
  const found = at < text.length
    ? `\`${visible(text.slice(at, at + 24), { lengthMax: 24 })}\``
    : "the end of the text";
  const on = whereOn(near.rule, config);
  const given = reading?.arguments ?? "";
  return printExcerpt(`${near.rule.rule}${on === "yes" ? "" : ` (on: ${on})`}`, {
    location,
    colours,
    notes: {
      expected: reading?.stop?.expected || near.expected || "a call that the rule can read",
      found,
      reason: reading?.stop?.reason,
      tool: reading?.tool === undefined ? undefined : visible(reading.tool),
      "arguments so far": given.length < 2 ? undefined : visible(given, { lengthMax: NOTE_LENGTH }),
    },
  });
}
