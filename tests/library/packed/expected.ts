/**
 * What the sources read in the examples of every rule, for a comparison with the packed file.
 *
 * @module
 */
import { createReader, type ReaderEvent, type Tool } from "../../../src/library/mod.ts";
import { shippedRules } from "../../../src/library/shipped.ts";
import { defaultRules } from "../../support/matcher_events.ts";

/** A text, the tools that are offered, and the events with adjacent pieces as one. */
export interface Expected {
  readonly input: string;
  readonly tools: readonly Tool[];
  readonly events: readonly unknown[];
}

/** The examples of every rule that is on. */
export function expectedEvents(): Expected[] {
  return defaultRules({ withExamples: true }).flatMap(({ examples, untouched }) =>
    [...examples, ...untouched].map(({ input, offered }) => {
      const tools = (Array.isArray(offered) ? offered : Object.keys(offered)).map((name) => ({ name }));
      const reader = createReader({ rules: shippedRules, tools });
      return { input, tools, events: joined([...reader.push(input), ...reader.end()]) };
    })
  );
}

function joined(events: readonly ReaderEvent[]): unknown[] {
  const all: Record<string, unknown>[] = [];
  for (const { ...event } of events as readonly Record<string, unknown>[]) {
    const last = all.at(-1);
    const piece = event["kind"] === "arguments" ? "json" : "text";
    const isPiece = ["text", "reasoning", "arguments"].includes(String(event["kind"]));
    if (isPiece && last !== undefined && last["kind"] === event["kind"] && last["call"] === event["call"]) {
      last[piece] = `${last[piece]}${event[piece]}`;
    } else all.push(event);
  }
  return all;
}
