/** The verb `trace`: lists every candidate in a text with its decision, or shows where the nearest rules stop. @module */
import type { ContentEvent } from "../engine/event/event.ts";
import { plural } from "../engine/diagnostic/figures.ts";
import { createSource, type Source } from "../engine/document/source.ts";
import { type Candidate, listCandidates } from "../analysis/replay/candidates.ts";
import { receiveWhole } from "../analysis/replay/recorded.ts";
import { complainOfVerdict, readRecording, RECORDING_OPTIONS } from "./recording.ts";
import { printTable } from "./table.ts";
import type { CliContext } from "./service/context.ts";
import { isSet, type Verb, type VerbInput } from "./verb.ts";
import { visible, visibleJson } from "../engine/diagnostic/visible.ts";
import type { Config } from "../proxy/config/schema.ts";
import { printExcerpt } from "../engine/diagnostic/print.ts";
import {
  nearestReadings,
  type NearReading,
  readingRules,
  type UnreadText,
} from "../engine/rule/nearest_readings.ts";
import type { Rule } from "../engine/rule/schema.ts";
import { whereOn } from "./rules.ts";

export const trace: Verb = {
  name: "trace",
  summary: "List every possible call in a model's output, with the decision and the reason",
  usage: "trace [--client CLIENT] [--tools FILE] [--system FILE] [--json] [FILE|RECORD|-]",
  operandsMax: 1,
  examples: [
    "trace answer.txt",
    "trace captures/answer.json",
    "trace --tools request.json --json answer.txt",
  ],
  options: {
    ...RECORDING_OPTIONS,
    json: { type: "boolean", description: "Print a JSON list instead of a table" },
  },
  run,
};

const EXCERPT_LENGTH = 32;

/** The reason of reasoning in the text, which isn't about a call. */
const THOUGHT = "reasoning_in_text";

async function run(input: VerbInput, context: CliContext): Promise<number> {
  const recording = await readRecording(input, context);
  if ("exitCode" in recording) return recording.exitCode;
  const { name, text, translator, offered, setup, healed } = recording;
  const events: ContentEvent[] = [];
  receiveWhole(text, {
    translator,
    isWhole: true,
    observe: (event) => events.push(event),
    stopped: (verdict) => complainOfVerdict(verdict, context),
  });
  const source = createSource("", text);
  const found = listCandidates(events).map((candidate) => placed(candidate, { source, text }));
  if (isSet(input, "json")) context.stdout(`${visibleJson(found, 2)}\n`);
  else {
    const last = summary(found, context.command);
    context.stdout(found.length === 0 ? `${last}\n` : `${table(found)}\n${last}\n`);
    for (const line of healed) context.stdout(`The request was changed: ${visible(line)}\n`);
    if (found.some(({ decision }) => decision === "call")) return 0;
    const { rules: { rules }, config: { config } } = setup;
    context.stdout(printNearest({ name, text, offered, rules, config, colors: context.isTerminal }));
  }
  return 0;
}

interface PlacedCandidate extends Candidate {
  readonly line: number;
  readonly column: number;
  readonly excerpt: string;
}

function placed(
  candidate: Candidate,
  { source, text }: { readonly source: Source; readonly text: string },
): PlacedCandidate {
  const { line, column } = source.locate(candidate.start, 1);
  return {
    line,
    column,
    ...candidate,
    excerpt: visible(text.slice(candidate.start, candidate.end), { lengthMax: EXCERPT_LENGTH }),
  };
}

function table(found: readonly PlacedCandidate[]): string {
  const rows = found.map((
    { line, column, excerpt, rule, tool, arguments: json, decision, reason, detail },
  ) => [
    `${line}:${column}`,
    excerpt,
    rule,
    tool ?? "-",
    decision,
    detail === undefined ? reason : `${reason} (${detail})`,
    json === undefined ? "" : visible(json, { lengthMax: NOTE_LENGTH }),
  ]);
  const head = ["place", "text", "rule", "tool", "decision", "reason"];
  const hasCall = found.some((one) => one.arguments !== undefined);
  return printTable(hasCall ? [...head, "arguments"] : head, rows);
}

function summary(found: readonly Candidate[], command: string): string {
  const count = (decision: Candidate["decision"]) => found.filter((one) => one.decision === decision).length;
  const candidates = found.length - count("note");
  if (candidates === 0) {
    const isThought = found.some(({ reason }) => reason === THOUGHT);
    return `Nothing looks like a call: everything is text${isThought ? " or reasoning" : ""}`;
  }
  const parts = [
    `${count("call")} made a call`,
    `${count("text")} left as text`,
    ...(count("near miss") > 0 ? [plural(count("near miss"), "near miss", "near misses")] : []),
    ...(count("dropped") > 0 ? [`${count("dropped")} dropped`] : []),
    ...(count("broken off") > 0 ? [`${count("broken off")} broken off`] : []),
  ];
  const isOther = ({ decision, reason }: Candidate) => decision !== "call" && reason !== THOUGHT;
  const reason = found.find(isOther)?.reason ?? "transformed";
  return `${candidates} ${candidates === 1 ? "candidate" : "candidates"}: ${parts.join(", ")}; ` +
    `\`${command} explain ${reason}\` explains a reason`;
}

interface TracedText extends UnreadText {
  readonly name: string;
  readonly config: Config;
  readonly colors: boolean;
}

const SHOWN = 3;

const NOTE_LENGTH = 72;

/** The longest text, in characters, that every rule reads by itself to find the nearest ones. */
const COMPARED_MAXIMUM = 64 * 1024;

/** The lines, each part with a final newline; empty if no rule is near. */
function printNearest(traced: TracedText): string {
  if (traced.text.length > COMPARED_MAXIMUM) {
    return `\nThe nearest rules aren't shown for more than ${COMPARED_MAXIMUM} characters: trace only the part that contains the call\n`;
  }
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
      `has the confidence ${confidence}, below the threshold ${minimum} (change \`rules.confidence\` or --min-confidence)`,
    ]),
  ];
  if (parts.length > 0) return `The rule ${name} would read a call here, but it ${parts.join(" and ")}\n`;
  const where = whereOn(rule, config);
  return where === "yes" ? "" : `The rule ${name} reads a call here where it is on: ${where}\n`;
}

function picture({ near, reading, at }: NearReading, { name, text, config, colors }: TracedText): string {
  const location = createSource(name, text).locate(at, 1);
  const found = at < text.length
    ? `\`${visible(text.slice(at, at + 24), { lengthMax: 24 })}\``
    : "the end of the text";
  const on = whereOn(near.rule, config);
  const given = reading?.arguments ?? "";
  return printExcerpt(`${near.rule.rule}${on === "yes" ? "" : ` (on: ${on})`}`, {
    location,
    colors,
    notes: {
      expected: reading?.stop?.expected || near.expected || "a call that the rule can read",
      found,
      reason: reading?.stop?.reason,
      tool: reading?.tool === undefined ? undefined : visible(reading.tool),
      "arguments so far": given.length < 2 ? undefined : visible(given, { lengthMax: NOTE_LENGTH }),
    },
  });
}
