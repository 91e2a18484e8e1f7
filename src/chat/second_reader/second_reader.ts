/**
 * Gives what the rules leave as text to the reader by evidence, and the calls that they can't finish. Text waits from where
 * a call can begin, and everything from a call on that breaks off; the reader decides at the answer's end, about all of it.
 *
 *     matcher ─▶ text ─▶ Hold ─▶ what can't be a call: sent at once
 *        │                 └───▶ a name with arguments: held to the end ─▶ readEvidence ─▶ calls, or the text
 *        ├─▶ a call: sent at once, unless held text is before it
 *        └─▶ a call that breaks off: waits for the end ─▶ readEvidence ─▶ its rest, if it reads on from what was sent
 *
 * @module
 */
import type {
  CallAbortEvent,
  CallEndEvent,
  CheckedEnd,
  MatchEvent,
  NoteEvent,
  TextEndEvent,
} from "../../engine/event/event.ts";
import type { Reason } from "../../engine/event/reason.ts";
import type { Sink, TextStage } from "../../engine/event/stage.ts";
import type { EchoGuard } from "../../engine/mod.ts";
import type { Law } from "../../engine/evidence/law.ts";
import { callableTools, type EvidenceResult } from "../../engine/evidence/evidence.ts";
import { readRepaired } from "../../engine/evidence/repaired.ts";
import {
  announcesExample,
  closesCall,
  closesLostCall,
  isHalfCloser,
  isRestOfCall,
} from "../../engine/evidence/position.ts";
import { Hold } from "../../engine/evidence/hold.ts";
import type { ReadCall } from "../../engine/evidence/reading.ts";
import type { ToolsByName } from "../../engine/evidence/tool_fit.ts";
import type { OfferedTools } from "../../engine/tool/offered.ts";
import { REASON_OF } from "./law_reasons.ts";
import { type RuleCall, RuleCalls } from "./rule_calls.ts";
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
  /** Whether each call comes at once, as in a whole answer, so that it isn't announced before it is checked. */
  readonly isWhole?: boolean;
}

/** The rule's name of a call that was read by evidence. */
const EVIDENCE = "evidence";

/** How sure such a call is; `policy.minimum_confidence` above it switches the reader off. */
const CONFIDENCE = 0.9;

/** The longest answer that is read a second time, in characters. */
const ANSWER_MAXIMUM = 512 * 1024;

/** How many places of an answer are looked at; further ones are text. */
const PLACES_MAXIMUM = 16;

/** Decisions of the matcher after which the same text isn't a call for this reader either. */
const SETTLED: ReadonlySet<Reason> = new Set([
  "echo",
  "not_whitelisted",
  "over_limit",
  "quoted",
]);

/** Decisions of the matcher about what begins as a call. */
const FAILED: ReadonlySet<Reason> = new Set(["malformed", "invalid_arguments"]);

/** What shows that a value of a rule's call can be another one. */
const REFUTING: ReadonlySet<Law> = new Set(["value", "two_readings", "part", "mark_left"]);

/** What shows that the text before the calls of rules is another call. */
const UNREADABLE: ReadonlySet<Law> = new Set<Law>([
  ...REFUTING,
  ...["damage", "no_arguments", "no_envelope", "no_name_first"] as const,
]);

/** The laws that refuse a rule's call, by what is ambiguous about it. */
const LAWS_OF: Readonly<Record<CheckedEnd["ambiguity"], ReadonlySet<Law>>> = {
  none: new Set<Law>(["cut_off", "two_readings"]),
  repair: new Set<Law>([...REFUTING, "sentence"]),
  structure: UNREADABLE,
};

export class SecondReader implements TextStage {
  readonly #matcher: TextStage;
  readonly #options: SecondReaderOptions;
  readonly #tools: ToolsByName;
  readonly #hold: Hold;
  readonly #sink: Sink;
  #out: Sink | undefined;
  /** The answer's text, unchanged. */
  #text = "";
  /** How much of it the matcher gave on as text or reasoning, at least. */
  #given = 0;
  #places = 0;
  /** Where the text of the place begins that was looked at last. */
  #lookedAt = -1;
  /** Where the held call begins in the answer. */
  #from = 0;
  /** Where the last call before it ends, and the text that was given since that call. */
  #after = 0;
  #since = "";
  /** Where the text begins that isn't sent. */
  #unsent = 0;
  /** What a rule decided about, as text. */
  #settled: NoteEvent[] = [];
  readonly #calls = new RuleCalls();
  /** What follows a call that waits for the end. */
  #queue: MatchEvent[] | undefined;
  /** The call that waits because it was repaired. */
  #checked: CheckedEnd | undefined;
  /** Whether the call waits only until it ends without a repair. */
  #isTentative = false;
  /** Whether the call waits because it can be an example. */
  #isExample = false;
  #readsText = false;
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
      this.#isOver ? Infinity : this.#queue ? this.#from : this.#given - this.#hold.held.length,
    );
  }

  push(event: MatchEvent, out: Sink): void {
    this.#out = out;
    this.#readsText = event.kind !== "reasoning";
    if (!this.#isOver && event.kind === "text") this.#text += event.text;
    this.#matcher.push(event, this.#sink);
    if (this.#isOver) return;
    if (this.#text.length > ANSWER_MAXIMUM) this.#giveUp();
    else if (event.kind === "text_end") this.#end(event);
  }

  #pass(event: MatchEvent): void {
    if (this.#isOver) return this.#give(event);
    if (event.kind === "text" && this.#queue === undefined) return this.#read(event.text, event);
    // The text that becomes reasoning was read, too.
    if (event.kind === "reasoning" && this.#readsText) this.#given += event.text.length;
    if (event.kind === "note") this.#see(event);
    if (isCallPart(event)) this.#calls.see(event);
    if (event.kind === "call_start" && this.#queue === undefined) this.#beginCall(event.start ?? 0);
    if (event.kind === "group_start") this.#giveUp();
    if (event.kind === "call_abort" || event.kind === "call_end") this.#check(event);
    // Reasoning doesn't wait, nor does a note about no call: only text and calls are in an order.
    const isApart = event.kind === "reasoning" || (event.kind === "note" && event.call === undefined);
    if (this.#queue !== undefined && !isApart) this.#queue.push(event);
    else this.#give(event);
    const isWhole = event.kind === "call_end" && this.#isTentative;
    if (isWhole && this.#checked === undefined) this.#sendWaiting();
    if (event.kind === "call_end") {
      this.#isTentative = false;
      this.#since = "";
    }
  }

  /** What a rule decided about is settled; where it couldn't read a call, one begins. */
  #see(note: NoteEvent): void {
    if (SETTLED.has(note.reason)) this.#settled.push(note);
    // What was taken for reasoning comes again as text, and what was quoted because it was there isn't.
    if (note.reason === "reasoning_not_closed") {
      this.#given = Math.min(this.#given, note.start);
      this.#settled = this.#settled.filter(({ start, reason }) => reason !== "quoted" || start < note.start);
    }
    const { tool, start } = note;
    if (!FAILED.has(note.reason) || tool === undefined || !this.#tools.has(tool)) return;
    if (this.#queue !== undefined || this.#hold.isCall || this.#places++ >= PLACES_MAXIMUM) return;
    if (this.#isShown(this.#text.slice(0, start), { start, end: start })) return;
    const { length } = this.#hold.held;
    this.#beginAt(start - length);
    this.#lookedAt = this.#given - length;
    this.#hold.begin();
  }

  /**
   * A call of a rule begins: held text that can be a call makes it wait; other held text is sent before it, unless
   * it is a mark of the call.
   */
  #beginCall(start: number): void {
    if (!isRestOfCall(this.#hold.held)) this.#decideHeld({ endsAnswer: false });
    const { held, isCall } = this.#hold;
    if (isCall && held.trim() !== "" && !isRestOfCall(held)) {
      this.#queue = [];
      return;
    }
    this.#hold.release();
    if (!isRestOfCall(held)) this.#send(held);
    if (this.#isCallLost(start)) {
      // What left as a mark of the call is text if there is none.
      const sent = this.#since.length - (isRestOfCall(held) ? held.length : 0);
      const isKnown = this.#text.startsWith(this.#since.slice(0, sent), this.#calls.end);
      this.#beginAt(start);
      if (isKnown) this.#unsent = this.#calls.end + sent;
      this.#queue = [];
      return;
    }
    if (announcesExample(this.#text, start)) {
      this.#beginAt(start);
      this.#isExample = true;
      this.#queue = [];
      return;
    }
    this.#isTentative = this.#options.isWhole === true && this.#calls.last?.isFlowing === false;
    if (this.#isTentative) this.#queue = [];
  }

  /** A call that breaks off or was repaired is read by evidence, if nothing else waits and the client gets JSON. */
  #check(event: CallAbortEvent | CallEndEvent): void {
    const { start } = heldRest(event);
    const isAlone = this.#queue === undefined || this.#isTentative;
    if (start === undefined || !isAlone || this.#calls.last?.isFlowing !== false) return;
    this.#beginAt(start);
    this.#after = start;
    this.#queue ??= [];
    if (event.kind === "call_end") this.#checked = event.checked;
  }

  #give(event: MatchEvent): void {
    const { call, rest = "" } = heldRest(event);
    if (rest !== "") this.#out?.push({ kind: "arguments", call, json: rest });
    if (event.kind === "call_end" && event.checked !== undefined) {
      const { checked: _, ...end } = event;
      this.#out?.push(end);
    } else if (event.kind === "call_start" && event.start !== undefined) {
      const { start: _, ...begin } = event;
      this.#out?.push(begin);
    } else if (event.kind === "call_abort" && event.start !== undefined) {
      this.#out?.push({ kind: "call_abort", call, reason: event.reason });
    } else this.#out?.push(event);
  }

  #read(text: string, event?: MatchEvent): void {
    this.#given += text.length;
    this.#since += text;
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
    // What leaves as marks or calls isn't given, so that the text is at this offset or after it.
    const at = this.#text.indexOf(held, Math.max(start, this.#calls.end));
    if (at < 0) return false;
    this.#beginAt(at);
    return !this.#isShown(this.#text.slice(0, at), { start: at, end: at });
  }

  /** Text that the second reader reads at the end begins at a place. */
  #beginAt(from: number): void {
    this.#from = this.#unsent = from;
    this.#after = Math.min(from, this.#calls.end);
  }

  /** Decides about the held text without what follows it: a call, or the answer's end. */
  #decideHeld({ endsAnswer }: { readonly endsAnswer: boolean }): void {
    this.#send(this.#hold.push("", true, endsAnswer));
    while (this.#hold.isCall && !this.#canBeCall()) {
      this.#send(this.#hold.refuse() + this.#hold.push("", true, endsAnswer));
    }
  }

  /** Whether the text between the last call and a place is the rest of a call whose beginning is lost. */
  #isCallLost(start: number): boolean {
    const text = this.#text.slice(0, start);
    const isShown = (from: number, end: number) => this.#isShown(text, { start: from, end });
    return closesLostCall(text, { from: this.#calls.end, isShown });
  }

  #isShown(text: string, part: { readonly start: number; readonly end: number }): boolean {
    return this.#options.isShown({ text, ...part, beginsInReasoning: this.#options.beginsInReasoning });
  }

  /** The answer is too long, or its calls belong together: what waits is sent as it is. */
  #giveUp(): void {
    this.#isOver = true;
    this.#text = "";
    this.#sendWaiting();
  }

  #sendWaiting(): void {
    this.#send(this.#hold.release());
    for (const event of this.#queue ?? []) this.#give(event);
    this.#queue = undefined;
  }

  #end({ truncated, isAnswered }: TextEndEvent): void {
    if (this.#queue === undefined) this.#decideHeld({ endsAnswer: true });
    this.#isOver = true;
    const hasPlace = this.#queue !== undefined || this.#hold.held !== "";
    const read = !hasPlace || isAnswered ? undefined : this.#decide(truncated);
    if (read === undefined) this.#sendWaiting();
    else if (read.calls.length > 0 && this.#agrees(read.calls, truncated)) {
      if (this.#confirms(read.calls)) this.#sendWaiting();
      else this.#makeCalls(read.calls);
    } else if (this.#refutes(read)) this.#refuse(read);
    else this.#sendWaiting();
  }

  /** Whether evidence reads the calls of the rules and nothing else, so that these stay as the rules made them. */
  #confirms(calls: readonly ReadCall[]): boolean {
    const queue = this.#queue ?? [];
    const isBlank = (event: MatchEvent) => event.kind !== "text" || event.text.trim() === "";
    return this.#hold.held.trim() === "" &&
      queue.every((event) => event.kind !== "call_abort" && isBlank(event)) &&
      queue.filter(({ kind }) => kind === "call_end").length === calls.length;
  }

  /**
   * Whether calls of the rules that wait aren't made: they are others than evidence reads; or the text before them is a call that
   * can't be read; or a value can be another one, and evidence refuses it.
   */
  #refutes({ calls, refusal }: EvidenceResult): boolean {
    const queue = this.#queue ?? [];
    if (!queue.some(({ kind }) => kind === "call_end")) return false;
    if (refusal === undefined) return calls.length > 0;
    if (this.#isExample) return refusal.law === "shown";
    // What is closed like a call is one, also in a sentence.
    if (closesCall(this.#hold.held)) return refusal.law !== "shown";
    if (!refusal.isEvident) return false;
    if (this.#checked !== undefined) return LAWS_OF[this.#checked.ambiguity].has(refusal.law);
    return queue[0]?.kind === "call_start" && UNREADABLE.has(refusal.law);
  }

  /** Makes none of the calls that wait: they are text, and one that the client knows about breaks off. */
  #refuse({ refusal }: EvidenceResult): void {
    const queue = this.#queue ?? [];
    const reason = (refusal && REASON_OF[refusal.law]) ?? "two_readings";
    const [first] = queue;
    let from = this.#unsent;
    this.#hold.release();
    this.#queue = undefined;
    if (first?.kind === "call_end" || first?.kind === "call_abort") {
      const made = queue.find((event) =>
        event.kind === "note" && event.reason === "transformed" && event.call === first.call
      );
      if (made?.kind === "note") from = made.end;
      this.#out?.push({ kind: "call_abort", call: first.call, reason });
    }
    // A law without a reason of its own hasn't been noted.
    if (refusal === undefined || REASON_OF[refusal.law] === undefined) {
      const tool = refusal?.tool ?? this.#calls.last!.tool;
      this.#note({ reason, tool, start: this.#from, end: this.#text.length });
    }
    this.#send(this.#text.slice(from));
  }

  /** Whether the calls are all those that a rule made of the same text, and go on from what was sent of the last one. */
  #agrees(calls: readonly ReadCall[], isCut: boolean): boolean {
    const [broken, ...others] = this.#queue ?? [];
    const waiting = (this.#queue ?? []).filter((event) => event.kind === "call_end").map(({ call }) => call);
    if (this.#checked !== undefined && !this.#calls.has(calls[0]!, waiting.slice(0, 1))) return false;
    if (calls.filter((call) => this.#calls.has(call, waiting)).length !== waiting.length) return false;
    if (broken?.kind !== "call_abort") return !(this.#queue ?? []).some(({ kind }) => kind === "call_abort");
    if (isCut || others.some(({ kind }) => kind === "call_abort")) return false;
    const begun = this.#begun;
    const [first] = calls;
    return begun !== undefined && first!.tool.name === begun.tool &&
      JSON.stringify(first!.arguments).startsWith(begun.json);
  }

  /** The call of a rule that broke off and waits for its rest. */
  get #begun(): RuleCall | undefined {
    const broken = this.#queue?.[0];
    const isBegun = broken?.kind === "call_abort" || broken?.kind === "call_end";
    return isBegun ? this.#calls.of(broken.call) : undefined;
  }

  #decide(isCut: boolean): EvidenceResult {
    const text = this.#text;
    const { calls, refusal, unread } = readRepaired(text, {
      tools: this.#tools,
      from: this.#from,
      after: this.#after,
      isCut,
      isShown: (start, end) => this.#isShown(text, { start, end }),
    });
    if (refusal !== undefined) {
      const { law, at, tool } = refusal;
      const reason = REASON_OF[law];
      if (reason !== undefined) this.#note({ reason, tool, start: at, end: text.length });
      return { calls: [], refusal, unread };
    }
    const settled = calls.find((call) => this.#isSettled(call));
    const echo = settled ?? calls.find(({ start, end }) => this.#isEcho(text.slice(start, end)));
    if (echo === undefined) return { calls, unread };
    if (settled === undefined) {
      this.#note({ reason: "echo", tool: echo.tool.name, start: echo.start, end: echo.end });
    }
    return { calls: [], unread: [] };
  }

  /** Whether a rule decided about the text. What it takes for quoted inside of other marks, their position decides. */
  #isSettled({ start, end, isMarked }: ReadCall): boolean {
    return this.#settled.some((note) => {
      const isInner = note.reason === "quoted" && isMarked && start < note.start && note.end < end;
      return !isInner && note.start < end && start < note.end;
    });
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

  /** Sends the calls, and the text around them without the whitespace that is theirs. */
  #makeCalls(calls: readonly ReadCall[]): void {
    const text = this.#text;
    const begun = this.#begun;
    let last = this.#from;
    const waiting = this.#queue?.find((event) => event.kind === "call_start");
    let number = begun?.call ?? waiting?.call ?? this.#calls.count;
    for (const [index, read] of calls.entries()) {
      const { start, end } = read;
      const between = text.slice(last, Math.max(last, start));
      if (between.trim() !== "" && !isRestOfCall(between)) {
        this.#send(last === this.#from ? between : between.trimStart());
      }
      // A plugin can refuse the call: then whitespace that left with it is text again.
      const source = (between.trim() === "" ? between : "") + text.slice(Math.max(last, start), end);
      this.#makeCall(read, { call: number++, source, begun: index === 0 ? begun : undefined });
      last = Math.max(last, end);
    }
    const rest = text.slice(last).trimStart();
    if (!isRestOfCall(rest) && !isHalfCloser(rest)) this.#send(rest);
  }

  #makeCall(
    { tool, arguments: read, start, end }: ReadCall,
    { call, source, begun }: {
      readonly call: number;
      readonly source: string;
      readonly begun?: RuleCall | undefined;
    },
  ): void {
    const json = JSON.stringify(read);
    if (begun === undefined) {
      this.#out?.push({ kind: "call_start", call, tool: tool.name, rule: EVIDENCE, confidence: CONFIDENCE });
    }
    const ended = this.#queue?.find((event) => event.kind === "call_end" && event.call === call);
    // The rule can have written the same arguments in another way: with escapes, or in another order.
    const rest = begun !== undefined && ended !== undefined
      ? begun.rest
      : json.slice(begun?.json.length ?? 0);
    this.#out?.push({ kind: "arguments", call, json: rest });
    // What a rule repaired of the same call states what is wrong with it.
    const repaired = ended?.kind === "call_end" ? ended.repairs ?? [] : [];
    const repairs: Reason[] = [...repaired, "read_by_evidence"];
    const whole = this.#options.wholeCalls ? { repairs, source } : {};
    this.#out?.push({ kind: "call_end", call, ...whole });
    const about = { tool: tool.name, call, start, end };
    this.#note({ reason: "transformed", ...about });
    this.#note({ reason: "read_by_evidence", ...about });
  }
}

/** What is kept of a call's arguments, and where it begins, if it can be read again. */
function heldRest(
  event: MatchEvent,
): { readonly call: number; readonly start?: number; readonly rest?: string } {
  if (event.kind === "call_end") return { call: event.call, ...event.checked };
  return event.kind === "call_abort" ? event : { call: -1 };
}

function isCallPart(event: MatchEvent): event is Parameters<RuleCalls["see"]>[0] {
  return event.kind === "call_start" || event.kind === "arguments" || event.kind === "call_end" ||
    event.kind === "note";
}
