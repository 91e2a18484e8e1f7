/**
 * Drives a matcher and reads its events. Events are compared in one form: adjacent ones of the same kind are one
 * event, since only the cut decides how many they are.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Sink, Stage } from "../../src/chat/event/stage.ts";
import type {
  CallAbortEvent,
  CallEndEvent,
  CallStartEvent,
  ContentEvent,
  NoteEvent,
} from "../../src/engine/event/event.ts";
import { collect, isContent, textAnswer } from "../../src/engine/event/stage.ts";
import { compileRules, type Program } from "../../src/engine/rule/compile.ts";
import { newWords } from "../../src/engine/rule/old_words.ts";
import { noSettings, readRules } from "../../src/engine/rule/read.ts";
import { READY_FILE } from "../../src/engine/rule/ready.ts";
import { type Rule, ruleSchema } from "../../src/engine/rule/schema.ts";
import { Emission } from "../../src/engine/scan/emission.ts";
import { Matcher, type MatcherOptions } from "../../src/engine/scan/matcher.ts";
import { anyTool } from "../../src/engine/tool/offered.ts";
import { allCuts } from "./cuts.ts";

export interface Reading extends Partial<MatcherOptions> {
  readonly program: Program;
  readonly truncated?: boolean;
}

/** One call, put together from its events. */
export interface ReadCall {
  readonly start: CallStartEvent;
  readonly json: string;
  readonly end: CallEndEvent | CallAbortEvent | undefined;
}

/** The rules that ship, each switched on, in the order of their names. */
export function shippedRules(options: ReadShippedOptions = {}): Rule[] {
  return readShipped(options).map((rule) => ({ ...rule, enabled: true }));
}

/** The rules that ship and are on by default, in the order of their names. */
export function defaultRules(options: ReadShippedOptions = {}): Rule[] {
  return readShipped(options).filter(({ enabled }) => enabled);
}

interface ReadShippedOptions {
  /** Whether the rules' examples are needed, for which their files are parsed; otherwise the rules have none. */
  readonly withExamples?: boolean;
}

const FOLDER = new URL("../../rules/", import.meta.url);

function readShipped({ withExamples = false }: ReadShippedOptions): readonly Rule[] {
  return withExamples
    ? parseFiles()
    : (JSON.parse(read(READY_FILE)).rules as [string, Rule][]).map(([, rule]) => rule);
}

function parseFiles(): readonly Rule[] {
  const files = ["", "quotations/"].flatMap((part) =>
    [...Deno.readDirSync(new URL(part, FOLDER))].filter(({ name }) => name.endsWith(".yaml"))
      .map(({ name }) => ({ file: name, text: read(part + name) }))
  );
  return readRules([files], noSettings).rules;
}

function read(name: string): string {
  return Deno.readTextFileSync(new URL(name, FOLDER));
}

/** A program of rules; throws if one of them has an error. */
export function programOf(...rules: readonly (Rule | Parameters<typeof ruleSchema.parse>[0])[]): Program {
  const { program, problems } = compileRules(rules.map((rule) => ruleSchema.parse(newWords(rule).value)));
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join("\n"));
  return program;
}

let shipped: Program | undefined;
let byDefault: Program | undefined;

/** The program of all rules that ship, which the tests of a process share: its automata are made once. */
export function shippedProgram(): Program {
  return shipped ??= programOf(...shippedRules());
}

/** The program of the rules that ship and are on, shared too. */
export function defaultProgram(): Program {
  return byDefault ??= programOf(...defaultRules());
}

/** Every event of a matcher for an answer in these pieces. */
export function eventsOf(pieces: readonly string[], reading: Reading): ContentEvent[] {
  const { program, truncated = false, ...options } = reading;
  const matcher = new Matcher(program, {
    offered: anyTool,
    minimumConfidence: 0,
    wholeCalls: false,
    ...options,
  });
  return merge(collect(matcher, textAnswer(pieces, { truncated })));
}

/** What a matcher gives for more text. */
export function feed(matcher: Stage, ...pieces: readonly string[]): ContentEvent[] {
  return collect(matcher, pieces.filter((text) => text !== "").map((text) => ({ kind: "text", text })));
}

/** What a matcher gives at the end of the text. */
export function finish(
  matcher: Stage,
  { truncated = false, isAnswered = false }: { truncated?: boolean; isAnswered?: boolean } = {},
): ContentEvent[] {
  return collect(matcher, [{ kind: "text_end", truncated, isAnswered }]);
}

/** Neighbors of the same kind as one event. */
export function merge(events: readonly ContentEvent[]): ContentEvent[] {
  const merged: ContentEvent[] = [];
  for (const event of events) {
    const last = merged.at(-1);
    if (event.kind === "text" && last?.kind === "text") {
      merged[merged.length - 1] = { ...last, text: last.text + event.text };
    } else if (event.kind === "arguments" && last?.kind === "arguments" && last.call === event.call) {
      merged[merged.length - 1] = { ...last, json: last.json + event.json };
    } else merged.push(event);
  }
  return merged;
}

export function textOf(events: readonly ContentEvent[]): string {
  return events.map((event) => event.kind === "text" ? event.text : "").join("");
}

/** The calls of the events, in the order in which they were announced. */
export function callsOf(events: readonly ContentEvent[]): ReadCall[] {
  return events.filter((event) => event.kind === "call_start").map((start) => ({
    start,
    json: events.map((event) => event.kind === "arguments" && event.call === start.call ? event.json : "")
      .join(""),
    end: events.find((event): event is CallEndEvent | CallAbortEvent =>
      (event.kind === "call_end" || event.kind === "call_abort") && event.call === start.call
    ),
  }));
}

export function notesOf(events: readonly ContentEvent[]): NoteEvent[] {
  return events.filter((event) => event.kind === "note");
}

/** In one line for each: `text "…"`, `f {"a":1}`, `f {"a" … abort truncated`, `note reason`. */
export function told(events: readonly ContentEvent[]): string[] {
  return events.flatMap((event) => {
    switch (event.kind) {
      case "text":
        return [`text ${JSON.stringify(event.text)}`];
      case "call_start": {
        const call = callsOf(events).find(({ start }) => start.call === event.call);
        const end = call?.end?.kind === "call_abort" ? ` … abort ${call.end.reason}` : "";
        return [`${event.tool} ${call?.json ?? ""}${end}`];
      }
      case "note":
        return [`note ${event.reason}${event.detail === undefined ? "" : `: ${event.detail}`}`];
      case "group_start":
        return [`group ${event.mode}`];
      case "group_end":
        return ["group end"];
      default:
        return [];
    }
  });
}

/** The lines of an answer, which are the same however its text is cut. */
export function toldInEveryCut(text: string, reading: Reading): string[] {
  const lines = told(eventsOf([text], reading));
  for (const pieces of allCuts(text)) {
    assert.deepEqual(told(eventsOf(pieces, reading)), lines, JSON.stringify(pieces));
  }
  return lines;
}

/** An emission whose events are collected until they are taken. */
export class CollectedEmission extends Emission {
  #events: ContentEvent[] = [];
  readonly #out: Sink = { push: (event) => void (isContent(event) && this.#events.push(event)) };

  constructor() {
    super();
    this.begin(this.#out);
  }

  take(): ContentEvent[] {
    this.end();
    const events = this.#events;
    this.#events = [];
    this.begin(this.#out);
    return events;
  }
}
