/**
 * Reads answers: text in, events out.
 *
 * @module
 */
import { EchoGuard, Matcher, type MatchEvent, parseJson, type Program } from "../engine/mod.ts";
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
  return new AnswerReader(openRules(options.rules).program, options);
}

class AnswerReader implements Reader {
  readonly #matcher: Matcher;
  readonly #onNote: ((note: Note) => void) | undefined;
  readonly #out = { push: (event: MatchEvent) => this.#sort(event) };
  #events: ReaderEvent[] = [];
  #isOver = false;

  constructor(program: Program, options: ReaderOptions) {
    const { tools, minimumConfidence = MINIMUM_CONFIDENCE, wholeCalls = false, reasoning = "recover" } =
      options;
    this.#onNote = options.onNote;
    this.#matcher = new Matcher({ ...program, isAllowedCommand: options.isAllowedCommand }, {
      offered: offeredTools(tools),
      minimumConfidence,
      wholeCalls,
      reasoning,
      beginsInReasoning: options.beginsInReasoning ?? false,
      echoGuard: new EchoGuard(options.quotable ?? []),
    });
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
  const reader = createReader({ ...options, wholeCalls: true });
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
