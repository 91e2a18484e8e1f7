/** Reads the calls that a model printed in an earlier answer, with the rules that read its next one. @module */
import { collect, textAnswer, type TextStage } from "../../engine/event/stage.ts";
import type { PrintedCalls, ReadPrintedCalls } from "../message/history.ts";

/** How many characters of a conversation are read, from its beginning: later messages stay as they are. */
const CHARACTERS_MAX = 1024 * 1024;

/** What reads the answers of one conversation, each of them once. */
export function createPrintedReader(createMatcher: () => TextStage): ReadPrintedCalls {
  const known = new Map<string, PrintedCalls | undefined>();
  let left = CHARACTERS_MAX;
  return (text) => {
    if (known.has(text)) return known.get(text);
    if (text.length > left) return undefined;
    left -= text.length;
    const printed = readPrinted(text, createMatcher());
    known.set(text, printed);
    return printed;
  };
}

function readPrinted(content: string, matcher: TextStage): PrintedCalls | undefined {
  let text = "";
  const calls = new Map<number, { name: string; json: string }>();
  for (const event of collect(matcher, textAnswer([content]))) {
    // A call that broke off may be text.
    if (event.kind === "call_abort") return undefined;
    if (event.kind === "text") text += event.text;
    if (event.kind === "call_start") calls.set(event.call, { name: event.tool, json: "" });
    const call = event.kind === "arguments" ? calls.get(event.call) : undefined;
    if (event.kind === "arguments" && call !== undefined) call.json += event.json;
  }
  return calls.size === 0 ? undefined : { text, calls: [...calls.values()] };
}
