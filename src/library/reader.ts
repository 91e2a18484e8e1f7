/** Reads answers: text in, events out. @module */
import { EchoGuard, type MatcherOptions, type MatchEvent, openAnswer, parseJson } from "../engine/mod.ts";
import type { TextStage } from "../engine/event/stage.ts";
import { openRules } from "./loaded.ts";
import { MINIMUM_CONFIDENCE, noteOf, offeredTools } from "./given.ts";
import type {
  AnswerCall,
  Note,
  ReadAnswer,
  Reader,
  ReaderEvent,
  ReaderOptions,
  ReadOptions,
} from "./types.ts";

/**
 * Reads one answer while it arrives.
 *
 * @throws TypeError if the rules aren't rules
 */
export function createReader(options: ReaderOptions): Reader {
  return openReader(options, { isWhole: false });
}

/** A reader of an answer that arrives piece by piece, or whole. */
export function openReader(options: ReaderOptions, arrival: { readonly isWhole: boolean }): Reader {
  const program = { ...openRules(options.rules).program, isAllowedCommand: options.isAllowedCommand };
  return new AnswerReader(openAnswer(program, { ...matcherOptions(options), ...arrival }), options);
}

function matcherOptions(options: ReaderOptions): MatcherOptions {
  const { tools, minimumConfidence = MINIMUM_CONFIDENCE, wholeCalls = false, reasoning = "recover" } =
    options;
  return {
    offered: offeredTools(tools),
    minimumConfidence,
    wholeCalls,
    reasoning,
    separatesReasoning: options.reasoningText !== "keep",
    beginsInReasoning: options.beginsInReasoning ?? false,
    echoGuard: new EchoGuard(options.quotable ?? []),
  };
}

class AnswerReader implements Reader {
  readonly #matcher: TextStage;
  readonly #onNote: ((note: Note) => void) | undefined;
  readonly #out = { push: (event: MatchEvent) => this.#sort(event) };
  #events: ReaderEvent[] = [];
  #isOver = false;

  constructor(matcher: TextStage, { onNote }: ReaderOptions) {
    this.#matcher = matcher;
    this.#onNote = onNote;
  }

  push(text: string): ReaderEvent[] {
    return text === "" ? this.#take() : this.#read({ kind: "text", text });
  }

  reasoning(text: string): ReaderEvent[] {
    // The matcher passes reasoning on, which the caller has already.
    if (text !== "") {
      this.#feed({ kind: "reasoning", text }, {
        push: (event) => event.kind === "reasoning" || this.#sort(event),
      });
    }
    return this.#take();
  }

  end({ truncated = false }: { readonly truncated?: boolean | undefined } = {}): ReaderEvent[] {
    const events = this.#read({ kind: "text_end", truncated, isAnswered: false });
    this.#isOver = true;
    return events;
  }

  #read(event: MatchEvent): ReaderEvent[] {
    this.#feed(event, this.#out);
    return this.#take();
  }

  #feed(event: MatchEvent, out: { push(event: MatchEvent): void }): void {
    if (this.#isOver) throw new Error("The answer has ended. Create a reader for each answer");
    this.#matcher.push(event, out);
  }

  #sort(event: MatchEvent): void {
    if (event.kind === "note") this.#onNote?.(noteOf(event));
    else if (isReaderEvent(event)) this.#events.push(event);
  }

  #take(): ReaderEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

function isReaderEvent(event: MatchEvent): event is Extract<MatchEvent, ReaderEvent> {
  switch (event.kind) {
    case "text_end":
    case "note":
      return false;
    default:
      return true;
  }
}

/**
 * Reads a whole answer. Every call is whole: what breaks off stays text.
 *
 * @throws TypeError if the rules aren't rules
 */
export function readAnswer(
  text: string,
  options: ReadOptions & { readonly truncated?: boolean | undefined },
): ReadAnswer {
  const reader = openReader({ ...options, wholeCalls: true }, { isWhole: true });
  const found = { text: "", reasoning: "" };
  const calls = new Map<number, { tool: string; rule: string; json: string }>();
  for (const event of [...reader.push(text), ...reader.end({ truncated: options.truncated })]) {
    if (event.kind === "text" || event.kind === "reasoning") found[event.kind] += event.text;
    else if (event.kind === "call_start") {
      calls.set(event.call, { tool: event.tool, rule: event.rule, json: "" });
    } else if (event.kind === "arguments") calls.get(event.call)!.json += event.json;
  }
  return {
    ...found,
    calls: [...calls.values()].map((call): AnswerCall => ({ ...call, arguments: objectIn(call.json) })),
  };
}

/** The object in a call's arguments. */
function objectIn(json: string): Readonly<Record<string, unknown>> {
  return parseJson(json) as Readonly<Record<string, unknown>>;
}
