/**
 * Gives what the rules leave as text to the reader by evidence. Text waits from where a call can begin; if the answer ends
 * without a call of a rule, the reader decides about the held text whole.
 *
 *     matcher ─▶ text ─▶ Hold ─▶ what can't be a call: sent at once
 *                          └───▶ a name with arguments: held to the end ─▶ readEvidence ─▶ calls, or the text
 *
 * @module
 */
import type { MatchEvent, NoteEvent, TextEndEvent } from "../../engine/event/event.ts";
import type { Reason } from "../../engine/event/reason.ts";
import type { Sink, TextStage } from "../../engine/event/stage.ts";
import type { EchoGuard } from "../../engine/mod.ts";
import type { Law } from "../../engine/evidence/law.ts";
import { callableTools, readEvidence } from "../../engine/evidence/evidence.ts";
import { Hold } from "../../engine/evidence/hold.ts";
import type { ReadCall } from "../../engine/evidence/reading.ts";
import type { ToolsByName } from "../../engine/evidence/tool_fit.ts";
import type { OfferedTools } from "../../engine/tool/offered.ts";
import type { TextPart } from "../near_miss/shown.ts";

interface SecondReaderOptions {
  readonly offered: OfferedTools;
  /** Whether calls are shown at a place of the answer, not meant. */
  readonly isShown: (part: TextPart) => boolean;
  readonly beginsInReasoning: boolean;
  readonly echoGuard: EchoGuard;
  readonly minimumConfidence: number;
  /** Whether the client receives only whole calls, each with its source text. */
  readonly wholeCalls: boolean;
}

/** The rule's name of a call that was read by evidence. */
const EVIDENCE = "evidence";

/** How sure such a call is; `policy.minimum_confidence` above it switches the reader off. */
const CONFIDENCE = 0.9;

/** The longest answer that is read a second time, in characters. */
const ANSWER_MAXIMUM = 512 * 1024;

/** How many places of an answer are looked at; further ones are text. */
const PLACES_MAXIMUM = 16;

/** What a refusal by a law is noted as; where nothing speaks for a call, it isn't noted. */
const REASON_OF: Readonly<Partial<Record<Law, Reason>>> = {
  value: "value_refused",
  two_readings: "two_readings",
  damage: "too_damaged",
  shown: "quoted",
  sentence: "call_in_sentence",
  text_follows: "text_follows",
  mark_left: "mark_left",
  cut_off: "truncated",
  part: "calls_in_part",
};

/** Decisions of the matcher after which the same text isn't a call for this reader either. */
const SETTLED: ReadonlySet<Reason> = new Set([
  "echo",
  "not_whitelisted",
  "over_limit",
  "quoted",
  "truncated",
]);

export class SecondReader implements TextStage {
  readonly #matcher: TextStage;
  readonly #options: SecondReaderOptions;
  readonly #tools: ToolsByName;
  readonly #hold: Hold;
  readonly #sink: Sink;
  #out: Sink | undefined;
  /** The answer's text, unchanged. */
  #text = "";
  /** How much of it the matcher gave on. */
  #given = 0;
  #places = 0;
  /** Where the place begins that was looked at last. */
  #lookedAt = -1;
  /** What a rule decided about, as text. */
  readonly #settled: NoteEvent[] = [];
  #isOver = false;

  constructor(matcher: TextStage, options: SecondReaderOptions) {
    this.#matcher = matcher;
    this.#options = options;
    this.#tools = callableTools(options.offered);
    this.#hold = new Hold(this.#tools);
    this.#sink = { push: (event) => this.#pass(event) };
    this.#isOver = this.#tools.size === 0 || options.minimumConfidence > CONFIDENCE;
  }

  get citedFrom(): number {
    return Math.min(
      this.#matcher.citedFrom ?? 0,
      this.#isOver ? Infinity : this.#given - this.#hold.held.length,
    );
  }

  push(event: MatchEvent, out: Sink): void {
    if (this.#isOver) return this.#matcher.push(event, out);
    if (event.kind === "text") this.#text += event.text;
    this.#out = out;
    this.#matcher.push(event, this.#sink);
    if (this.#text.length > ANSWER_MAXIMUM) this.#giveUp();
    if (event.kind === "text_end" && !this.#isOver) this.#end(event);
  }

  #pass(event: MatchEvent): void {
    if (this.#isOver) return void this.#out?.push(event);
    if (event.kind === "text") return this.#read(event.text, event);
    if (event.kind === "call_start" || event.kind === "group_start") this.#giveUp();
    if (event.kind === "note" && SETTLED.has(event.reason)) this.#settled.push(event);
    // Other events don't wait for text: only the answer's text is in an order with itself.
    this.#out?.push(event);
  }

  #read(text: string, event?: MatchEvent): void {
    this.#given += text.length;
    const isPlain = this.#hold.held === "";
    let sent = this.#hold.push(text);
    while (this.#hold.isCall && !this.#canBeCall()) sent += this.#hold.refuse() + this.#hold.push("");
    if (isPlain && sent === text && event !== undefined) this.#out?.push(event);
    else this.#send(sent);
  }

  #send(text: string): void {
    if (text !== "") this.#out?.push({ kind: "text", text });
  }

  /** Whether the held place isn't plainly one that shows text. Each place is looked at once. */
  #canBeCall(): boolean {
    const { held } = this.#hold;
    const start = this.#given - held.length;
    if (this.#lookedAt === start) return true;
    this.#lookedAt = start;
    if (this.#places++ >= PLACES_MAXIMUM) return false;
    const at = this.#text.indexOf(held, start);
    return at >= 0 && !this.#isShown(this.#text.slice(0, at), { start: at, end: at });
  }

  #isShown(text: string, part: { readonly start: number; readonly end: number }): boolean {
    return this.#options.isShown({ text, ...part, beginsInReasoning: this.#options.beginsInReasoning });
  }

  /** A rule made a call, or the answer is too long: what is held is text. */
  #giveUp(): void {
    this.#isOver = true;
    this.#send(this.#hold.release());
    this.#text = "";
  }

  #end({ truncated, isAnswered }: TextEndEvent): void {
    this.#send(this.#hold.push("", true));
    while (this.#hold.isCall && !this.#canBeCall()) {
      this.#send(this.#hold.refuse() + this.#hold.push("", true));
    }
    const { held } = this.#hold;
    const from = held === "" ? -1 : this.#text.lastIndexOf(held);
    const calls = from < 0 || isAnswered ? [] : this.#decide(from, truncated);
    this.#isOver = true;
    if (calls.length === 0) return this.#send(this.#hold.release());
    this.#makeCalls(calls, from);
  }

  #decide(from: number, isCut: boolean): readonly ReadCall[] {
    const text = this.#text;
    const { calls, refusal } = readEvidence(text, {
      tools: this.#tools,
      from,
      isCut,
      isShown: (start, end) => this.#isShown(text, { start, end }),
    });
    if (refusal !== undefined) {
      const { law, at, tool } = refusal;
      const reason = REASON_OF[law];
      if (reason !== undefined) this.#note({ reason, tool, start: at, end: text.length });
      return [];
    }
    const settled = calls.find((call) => this.#isSettled(call));
    const echo = settled ?? calls.find(({ start, end }) => this.#isEcho(text.slice(start, end)));
    if (echo === undefined) return calls;
    if (settled === undefined) {
      this.#note({ reason: "echo", tool: echo.tool.name, start: echo.start, end: echo.end });
    }
    return [];
  }

  #isSettled({ start, end }: ReadCall): boolean {
    return this.#settled.some((note) => note.start < end && start < note.end);
  }

  #isEcho(text: string): boolean {
    const check = this.#options.echoGuard.follow();
    check?.feed(text);
    check?.end();
    return check?.isEcho ?? false;
  }

  #note(note: Pick<NoteEvent, "reason" | "tool" | "start" | "end" | "call">): void {
    this.#out?.push({ kind: "note", rule: EVIDENCE, ...note });
  }

  /** Sends the calls, and the text around them without the white space that is theirs. */
  #makeCalls(calls: readonly ReadCall[], from: number): void {
    const text = this.#text;
    let last = from;
    for (const [call, { tool, arguments: read, start, end }] of calls.entries()) {
      const between = text.slice(last, Math.max(last, start));
      if (between.trim() !== "") this.#send(last === from ? between : between.trimStart());
      const source = text.slice(Math.max(last, start), end);
      this.#out?.push({ kind: "call_start", call, tool: tool.name, rule: EVIDENCE, confidence: CONFIDENCE });
      this.#out?.push({ kind: "arguments", call, json: JSON.stringify(read) });
      const whole = this.#options.wholeCalls ? { repairs: ["read_by_evidence" as const], source } : {};
      this.#out?.push({ kind: "call_end", call, ...whole });
      const about = { tool: tool.name, call, start, end };
      this.#note({ reason: "transformed", ...about });
      this.#note({ reason: "read_by_evidence", ...about });
      last = Math.max(last, end);
    }
    this.#send(text.slice(last).trim() === "" ? "" : text.slice(last).trimStart());
  }
}
