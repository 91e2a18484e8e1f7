/**
 * Refuses a call whose closing marks come again after other text, although nothing opens them there: its last value can go on
 * to these, so two readings are possible.
 *
 *     <p=content>a = 1</p></f>⏎b = 2</p></f>     the value is `a = 1`, or `a = 1</p></f>⏎b = 2`
 *
 * So the brace that completes the arguments waits until the next call or the end of the answer. Text doesn't wait with it, unless
 * the client gets calls in the text, or each call at once.
 *
 * @module
 */
import type { ArgumentsEvent, CallStartEvent, MatchEvent, NoteEvent } from "../../engine/event/event.ts";
import type { Sink, TextStage } from "../../engine/event/stage.ts";
import { present } from "../../engine/object/present.ts";
import { beginsAgain, type ClosingMarks, closingMarksOf, comeAgain } from "./closing_marks.ts";

/** The longest call with the text after it, in characters; a longer one is made. */
const COMPARED_MAXIMUM = 512 * 1024;

/** What completes the arguments of a call. */
const BRACE = "}";

/** A call that can still be refused. */
interface WaitingCall {
  readonly start: CallStartEvent;
  /** Whether the client doesn't know of it. */
  readonly isUnknown: boolean;
  json: string;
  /** The last piece of its arguments; between texts, only the brace that can complete them. */
  last: ArgumentsEvent | undefined;
  /** Its last events, and what follows it. */
  queue: MatchEvent[] | undefined;
  made?: NoteEvent;
  marks?: ClosingMarks | undefined;
}

export class ClosedAgain implements TextStage {
  readonly #reader: TextStage;
  readonly #wholeCalls: boolean;
  readonly #sink: Sink;
  #out: Sink | undefined;
  /** The answer's text from `#base` on. */
  #text = "";
  #base = 0;
  #waiting: WaitingCall | undefined;
  /** The next call, while its place decides about the one that waits. */
  #next: MatchEvent[] | undefined;
  #isOver = false;

  /** @param options `wholeCalls`: the client gets each call at once */
  constructor(reader: TextStage, { wholeCalls }: { readonly wholeCalls: boolean }) {
    this.#reader = reader;
    this.#wholeCalls = wholeCalls;
    this.#sink = { push: (event) => this.#pass(event) };
  }

  get citedFrom(): number {
    const from = this.#reader.citedFrom ?? 0;
    return this.#waiting === undefined ? from : Math.min(from, this.#base);
  }

  push(event: MatchEvent, out: Sink): void {
    this.#out = out;
    if (!this.#isOver && event.kind === "text") this.#text += event.text;
    this.#reader.push(event, this.#sink);
    if (this.#isOver) return;
    this.#keepBrace();
    if (event.kind === "text_end") this.#end();
    else if (this.#text.length > COMPARED_MAXIMUM) this.#giveUp();
    else if (this.#waiting === undefined) this.#forget(this.#reader.citedFrom ?? 0);
  }

  #forget(to: number): void {
    if (to <= this.#base) return;
    this.#text = this.#text.slice(to - this.#base);
    this.#base = to;
  }

  #pass(event: MatchEvent): void {
    // The calls of a group belong together.
    if (event.kind === "group_start") this.#giveUp();
    if (this.#isOver || event.kind === "reasoning") return void this.#out?.push(event);
    if (this.#next !== undefined) return this.#defer(event, this.#next);
    if (event.kind === "call_start") return this.#follow(event);
    if (event.kind === "call_abort") this.#release();
    const waiting = this.#waiting;
    if (waiting === undefined || (event.kind === "note" && event.call === undefined)) {
      return void this.#out?.push(event);
    }
    if (event.kind === "arguments") return this.#write(waiting, event);
    if (event.kind === "call_end") waiting.queue ??= [];
    const isApart = event.kind === "text" && !waiting.isUnknown && !waiting.start.isFlowing;
    if (isApart) this.#keepBrace();
    if (waiting.queue === undefined || isApart) this.#out?.push(event);
    else waiting.queue.push(event);
    if (event.kind === "note" && event.reason === "transformed") this.#compare(waiting, event);
  }

  /** Another call begins: the one that waits is made, unless what closes it can have come again. */
  #follow(event: CallStartEvent): void {
    if (this.#comesAgain()) {
      this.#next = [event];
      return;
    }
    this.#release();
    const isUnknown = this.#wholeCalls && event.isFlowing !== true;
    this.#waiting = {
      start: event,
      isUnknown,
      json: "",
      last: undefined,
      queue: isUnknown ? [event] : undefined,
    };
    if (!isUnknown) this.#out?.push(event);
  }

  #defer(event: MatchEvent, next: MatchEvent[]): void {
    const [start] = next;
    next.push(event);
    if (start?.kind !== "call_start" || !("call" in event) || event.call !== start.call) return;
    const isMade = event.kind === "note" && event.reason === "transformed";
    if (isMade || event.kind === "call_abort") this.#decide(isMade ? event.start : Infinity);
  }

  #write(waiting: WaitingCall, event: ArgumentsEvent): void {
    waiting.json += event.json;
    if (waiting.queue !== undefined) return void waiting.queue.push(event);
    if (waiting.last !== undefined) this.#out?.push(waiting.last);
    waiting.last = event;
  }

  /** Sends what was read of the arguments, without the brace that can complete them. */
  #keepBrace(): void {
    const { last } = this.#waiting ?? {};
    if (this.#waiting === undefined || last === undefined || last.json === BRACE) return;
    const isEnd = last.json.endsWith(BRACE);
    this.#out?.push(isEnd ? { ...last, json: last.json.slice(0, -1) } : last);
    this.#waiting.last = isEnd ? { ...last, json: BRACE } : undefined;
  }

  /** A call is whole. If nothing closes its last value but marks of text, it waits. */
  #compare(waiting: WaitingCall, made: NoteEvent): void {
    waiting.made = made;
    const call = this.#cut(made.start, made.end);
    const about = { tool: made.tool ?? "", json: waiting.json };
    waiting.marks = closingMarksOf(call, about);
    if (waiting.marks === undefined) this.#release();
    else if (beginsAgain(call, about)) this.#refuse(made.end);
  }

  #cut(from: number, to?: number): string {
    return this.#text.slice(from - this.#base, to === undefined ? undefined : to - this.#base);
  }

  /** Makes or refuses the call that waits, by the text up to the next one. */
  #decide(to: number): void {
    if (this.#comesAgain(to)) this.#refuse(to);
    else this.#release();
    const next = this.#next ?? [];
    this.#next = undefined;
    const [start, ...others] = next;
    if (start?.kind === "call_start") this.#follow(start);
    for (const event of others) this.#pass(event);
  }

  /** Whether what closes the call that waits comes again, up to an offset or where a call can have begun. */
  #comesAgain(to?: number): boolean {
    const { made, marks } = this.#waiting ?? {};
    return made !== undefined && marks !== undefined &&
      comeAgain(this.#cut(made.end, to), marks, { isWhole: to !== undefined });
  }

  #refuse(to: number): void {
    const { isUnknown, start: { call }, made } = this.#waiting!;
    const { rule, tool, start } = made!;
    this.#waiting = undefined;
    const end = Math.min(to, this.#base + this.#text.length);
    const reason = "two_readings";
    if (!isUnknown) this.#out?.push({ kind: "call_abort", call, reason });
    this.#out?.push({ kind: "note", rule, ...present({ tool }), reason, start, end });
    if (isUnknown) this.#out?.push({ kind: "text", text: this.#cut(start, end) });
  }

  #release(): void {
    const { queue = [], last, made } = this.#waiting ?? {};
    this.#waiting = undefined;
    this.#forget(made?.end ?? 0);
    if (last !== undefined) this.#out?.push(last);
    for (const event of queue) this.#out?.push(event);
  }

  #giveUp(): void {
    this.#isOver = true;
    this.#text = "";
    this.#release();
    for (const event of this.#next ?? []) this.#out?.push(event);
    this.#next = undefined;
  }

  #end(): void {
    // A call after the one that waits can be one, too.
    while (this.#waiting !== undefined || this.#next !== undefined) this.#decide(Infinity);
    this.#isOver = true;
    this.#text = "";
  }
}
