/** Reads an answer with rules: the text and the calls that the client gets. @module */
import type { ContentEvent } from "../event/event.ts";
import { collect, textAnswer } from "../event/stage.ts";
import { Matcher } from "../scan/matcher.ts";
import type { Program } from "../scan/program.ts";
import type { OfferedTools } from "../tool/offered.ts";
import { parseJson } from "../object/parse.ts";

export interface Call {
  readonly tool: string;
  /** Its arguments, or a text that states what is wrong with them. */
  readonly arguments: unknown;
}

export interface Outcome {
  readonly text: string;
  readonly calls: readonly Call[];
  /** Decisions and repairs, for a person: `unknown_tool (rule hermes)`. */
  readonly decisions: readonly string[];
}

/** Reads an answer that comes in pieces; without a threshold, every rule makes calls. `keepsTypes`: no value is fitted. */
export function readAnswer(program: Program, { pieces, offered, minimumConfidence = 0, keepsTypes = false }: {
  readonly pieces: readonly string[];
  readonly offered: OfferedTools;
  readonly minimumConfidence?: number;
  readonly keepsTypes?: boolean;
}): Outcome {
  const matcher = new Matcher(program, { offered, minimumConfidence, wholeCalls: false, keepsTypes });
  return outcomeOf(collect(matcher, textAnswer(pieces)));
}

function outcomeOf(events: readonly ContentEvent[]): Outcome {
  const calls = new Map<number, { tool: string; json: string; isWhole: boolean }>();
  let text = "";
  const decisions: string[] = [];
  for (const event of events) {
    if (event.kind === "text") text += event.text;
    if (event.kind === "call_start") calls.set(event.call, { tool: event.tool, json: "", isWhole: false });
    if (event.kind === "note" && event.reason !== "transformed") {
      decisions.push(`${event.reason} (rule ${event.rule})`);
    }
    if (event.kind === "call_abort") decisions.push(`call broken off: ${event.reason}`);
    const call = "call" in event && event.call !== undefined ? calls.get(event.call) : undefined;
    if (call !== undefined && event.kind === "arguments") call.json += event.json;
    if (call !== undefined && event.kind === "call_end") call.isWhole = true;
  }
  const read = [...calls.values()].map(({ tool, json, isWhole }) => ({
    tool,
    arguments: isWhole ? parseJson(json) ?? `not JSON: ${json}` : `broken off after ${json}`,
  }));
  return { text, calls: read, decisions };
}
