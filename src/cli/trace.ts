/**
 * The verb `trace`: lists every candidate in a text with its rule, the decision and the reason. If there is no call, it
 * shows where the nearest rules stop.
 *
 * @module
 */
import type { ContentEvent } from "../engine/event/event.ts";
import { createSource } from "../engine/document/source.ts";
import { type Candidate, listCandidates } from "../lab/replay/candidates.ts";
import { receiveWhole } from "../lab/replay/recorded.ts";
import { complainOfVerdict, readRecording, RECORDING_OPTIONS } from "./recording.ts";
import { printNearest } from "./trace_near.ts";
import { printTable } from "./table.ts";
import type { World } from "./service/world.ts";
import { isSet, type Verb, type VerbInput } from "./verb.ts";
import { visible, visibleJson } from "../engine/diagnostic/visible.ts";

export const trace: Verb = {
  name: "trace",
  summary: "List every candidate for a call in a model's output, with the decision and the reason",
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

async function run(input: VerbInput, world: World): Promise<number> {
  const recording = await readRecording(input, world);
  if ("exitCode" in recording) return recording.exitCode;
  const { name, text, translator, offered, setup, healed } = recording;
  const events: ContentEvent[] = [];
  receiveWhole(text, {
    translator,
    observe: (event) => events.push(event),
    stopped: (verdict) => complainOfVerdict(verdict, world),
  });
  const found = listCandidates(events).map((candidate) => placed(candidate, text));
  if (isSet(input, "json")) world.stdout(`${visibleJson(found, 2)}\n`);
  else {
    const last = summary(found, world.command);
    world.stdout(found.length === 0 ? `${last}\n` : `${table(found)}\n${last}\n`);
    for (const line of healed) world.stdout(`The request was changed: ${visible(line)}\n`);
    if (found.some(({ decision }) => decision === "call")) return 0;
    const { rules: { rules }, config: { config } } = setup;
    world.stdout(printNearest({ name, text, offered, rules, config, colours: world.isTerminal }));
  }
  return 0;
}

interface PlacedCandidate extends Candidate {
  readonly line: number;
  readonly column: number;
  /** The beginning of its text, on one line. */
  readonly excerpt: string;
}

function placed(candidate: Candidate, text: string): PlacedCandidate {
  const { line, column } = createSource("", text).locate(candidate.start, 1);
  return {
    line,
    column,
    ...candidate,
    excerpt: visible(text.slice(candidate.start, candidate.end), { lengthMax: EXCERPT_LENGTH }),
  };
}

function table(found: readonly PlacedCandidate[]): string {
  const rows = found.map(({ line, column, excerpt, rule, tool, decision, reason, detail }) => [
    `${line}:${column}`,
    excerpt,
    rule,
    tool ?? "-",
    decision,
    detail === undefined ? reason : `${reason} (${detail})`,
  ]);
  return printTable(["place", "text", "rule", "tool", "decision", "reason"], rows);
}

function summary(found: readonly Candidate[], command: string): string {
  const count = (decision: Candidate["decision"]) => found.filter((one) => one.decision === decision).length;
  const candidates = found.length - count("note");
  if (candidates === 0) return "No candidate for a call: everything is text";
  const parts = [
    `${count("call")} made a call`,
    `${count("text")} left as text`,
    ...(count("dropped") > 0 ? [`${count("dropped")} dropped`] : []),
    ...(count("broken off") > 0 ? [`${count("broken off")} broken off`] : []),
  ];
  const reason = found.find(({ decision }) => decision !== "call")?.reason ?? "transformed";
  return `${candidates} ${candidates === 1 ? "candidate" : "candidates"}: ${parts.join(", ")}; ` +
    `\`${command} explain ${reason}\` explains a reason`;
}
