/**
 * One candidate between its opener and its closer. Until the client has heard of the call its events wait and its
 * text is kept, so that on any failure the text comes back unchanged; from the commit point on they flow.
 *
 * @module
 */
import type { CallEvent, CallStartEvent } from "../event/event.ts";
import type { Reason } from "../event/reason.ts";
import type { OfferedTool } from "../tool/offered.ts";
import { ArgumentsWriter } from "./arguments_writer.ts";
import { createBody } from "./body/body.ts";
import { type BodyReader, type CallSink, type Failure, isFailure, type Progress } from "./call_sink.ts";
import type { Cursor } from "./cursor.ts";
import type { EchoCheck } from "./echo_guard.ts";
import { gateTool, isItemKey } from "./gate.ts";
import type { Group } from "./group.ts";
import type { CompiledRule } from "./program.ts";
import type { Session } from "./session.ts";

/** The longest text of a call that is kept before the client has heard of it. */
export const FRAME_MAXIMUM = 1024 * 1024;

/** A match of a rule's opener. */
export interface Opening {
  readonly rule: CompiledRule;
  readonly groups: Readonly<Record<string, string>>;
  /** The tool, if the opener or the rule names it. */
  readonly tool: OfferedTool | undefined;
  /** Where in the answer the opener stands. */
  readonly offset: number;
  readonly atLineStart: boolean;
  /** The group that the call stands in. */
  readonly group: Group | undefined;
}

/** A call that is being read. */
export class Frame implements CallSink {
  readonly opening: Opening;
  readonly #session: Session;
  readonly #body: BodyReader;
  #firstCall: number;
  #pending: CallEvent[] = [];
  #start: CallStartEvent | undefined;
  /** What is to be said of the call once it is whole. */
  #notes: { reason: Reason; detail?: string }[] = [];
  #refused: Failure | undefined;
  #raw = "";
  /** Where the text that is kept begins in what is at hand. */
  #from = 0;
  #isClosed = false;
  #waits = false;
  /** Whether the commit point was reached while the call could still be a quotation of the request. */
  #isDue = false;
  /** Whether the text so far repeats the request; nobody asks once the call is committed. */
  #echo: EchoCheck | undefined;
  /** Where in the answer the text begins that comes back on a failure. */
  offset: number;
  atLineStart: boolean;
  isCommitted = false;

  constructor(opening: Opening, session: Session) {
    this.opening = opening;
    this.offset = opening.offset;
    this.atLineStart = opening.atLineStart;
    this.#session = session;
    this.#firstCall = session.calls;
    this.#echo = session.options.echoGuard?.follow();
    this.#body = createBody(this, { rule: opening.rule, automata: session.program.automata });
  }

  get groups(): Readonly<Record<string, string>> {
    return this.opening.groups;
  }

  offers(name: string): boolean {
    return this.#session.options.offered.resolve(name) !== undefined;
  }

  get meta(): readonly string[] {
    return this.opening.group?.meta ?? [];
  }

  /** The text of the call so far, as long as it is kept. */
  get raw(): string {
    return this.#raw;
  }

  /** Where a group wants identifiers, or the client wants whole calls, nothing is said before the close. */
  get #commit(): CompiledRule["commit"] {
    const { rule, group } = this.opening;
    const waits = this.#waits || this.#session.options.wholeCalls || group || rule.where === "last";
    return waits ? "close" : rule.commit;
  }

  /** The opener's own text has been consumed: it belongs to the call. */
  keep(text: string): void {
    if (!this.isCommitted || this.#session.options.wholeCalls) this.#raw += text;
    this.#echo?.feed(text);
  }

  /** Reads on; the limit falls on the same character however the answer was cut. */
  read(cursor: Cursor): Progress {
    const room = this.offset + FRAME_MAXIMUM - cursor.base;
    if (this.isCommitted || cursor.text.length <= room) return this.#readSome(cursor);
    const { text, isEnd } = cursor;
    cursor.text = text.slice(0, Math.max(room, cursor.at));
    cursor.isEnd = false;
    const progress = this.#readSome(cursor);
    cursor.text = text;
    cursor.isEnd = isEnd;
    if (progress !== "more") return progress;
    return this.isCommitted ? this.read(cursor) : { reason: "over_limit", detail: "the call is too long" };
  }

  #readSome(cursor: Cursor): Progress {
    this.#from = cursor.at;
    const progress = this.#isClosed ? this.#awaitEnd(cursor) : this.#body.read(cursor);
    this.keep(cursor.text.slice(this.#from, cursor.at));
    if (this.#isDue && !this.#refused) this.#commitNow();
    if (progress !== "closed") return this.#refused ?? progress;
    if (this.#refused) return this.#refused;
    if (this.#isWholeEcho()) return { reason: "echo" };
    if (this.opening.rule.where === "last" && !this.#isClosed) {
      this.#isClosed = true;
      return this.#readSome(cursor);
    }
    this.#close();
    return "closed";
  }

  /** `where: last`: only white space may follow in the answer. */
  #awaitEnd(cursor: Cursor): Progress {
    cursor.at = cursor.spaceEnd;
    if (cursor.at < cursor.text.length) return { reason: "text_follows" };
    if (!cursor.isEnd) return "more";
    return cursor.isTruncated ? { reason: "truncated" } : "closed";
  }

  begin(name: string): ArgumentsWriter | Failure {
    const { rule } = this.opening;
    const tool = gateTool(rule, name, this.#session.options.offered);
    return isFailure(tool) ? tool : this.#open(tool);
  }

  beginNamed(): ArgumentsWriter {
    const tool = this.opening.tool;
    if (!tool) throw new Error(`Rule ${this.opening.rule.name} names no tool in its opener`);
    return this.#open(tool);
  }

  #open(tool: OfferedTool): ArgumentsWriter {
    const { rule } = this.opening;
    const call = this.#session.calls++;
    this.#start = { kind: "call_start", call, tool: tool.name, rule: rule.name, confidence: rule.confidence };
    this.#say(this.#start);
    if (this.#commit === "open") this.#commitNow();
    const writer = new ArgumentsWriter({
      tool,
      ...(rule.mapping ? { mapping: rule.mapping } : {}),
      meta: this.meta,
      write: (json) => this.#say({ kind: "arguments", call, json }),
      onKey: (key, isFirst) => this.#checkKey(tool, { key, isFirst }),
      onMeta: (key, value) => this.#addMeta(key, value),
      note: (reason, detail) => this.repair(reason, detail),
    });
    return writer;
  }

  /** The first parameter decides: a tag that looks like HTML is no call if it holds none of the tool's own. */
  #checkKey(tool: OfferedTool, about: { key: string; isFirst: boolean }): boolean {
    if (about.isFirst && !isItemKey(this.opening.rule, about.key, { tool, meta: [] })) {
      this.#refused = { reason: "undeclared_parameter" };
      return false;
    }
    if (this.#commit === "first_item") this.#commitNow();
    return true;
  }

  #addMeta(key: string, value: string): void {
    const index = this.#start ? this.#pending.indexOf(this.#start) : -1;
    if (index < 0 || !this.#start) return;
    this.#start = { ...this.#start, meta: { ...this.#start.meta, [key]: value } };
    this.#pending[index] = this.#start;
  }

  finish(): void {
    const start = this.#start;
    if (!start) return;
    this.#say({ kind: "call_end", call: start.call });
    this.#notes.unshift({ reason: "transformed" });
    const { rule, offset } = this.opening;
    const span = { start: offset, end: this.#session.offset() };
    const about = { rule: rule.name, tool: start.tool, call: start.call, ...span };
    for (const note of this.#notes) this.#say({ kind: "note", ...about, ...note });
    this.#notes = [];
    this.#start = undefined;
  }

  waitForClose(): void {
    this.#waits = true;
  }

  checkpoint(cursor: Cursor): void {
    if (this.#commit === "close" && this.opening.rule.where === "last") return;
    this.keep(cursor.text.slice(this.#from, cursor.at));
    this.#from = cursor.at;
    if (this.#isWholeEcho()) {
      this.#refused = { reason: "echo" };
      return;
    }
    this.#close();
    this.#raw = "";
    this.offset = cursor.offset;
    this.atLineStart = cursor.isLineStart(cursor.at);
    this.#firstCall = this.#session.calls;
    this.isCommitted = false;
    this.#echo = this.#session.options.echoGuard?.follow();
  }

  repair(reason: Reason, detail?: string): void {
    this.#notes.push({ reason, ...(detail === undefined ? {} : { detail }) });
  }

  /** The frame has failed. What the client has heard of is broken off; the rest is forgotten. */
  abort(failure: Failure): void {
    const start = this.#start;
    if (this.isCommitted && start) {
      this.#say({ kind: "call_abort", call: start.call, reason: failure.reason });
    }
    if (!this.isCommitted) this.#session.calls = this.#firstCall;
    this.#pending = [];
  }

  #close(): void {
    if (this.#waits) this.#endNotes();
    if (this.#session.options.wholeCalls) this.#addSource();
    this.#commitNow();
  }

  /** The calls of a list end with their frame: where each of them ended depends on how the answer was cut. */
  #endNotes(): void {
    const end = this.#session.offset();
    this.#pending = this.#pending.map((event) => event.kind === "note" ? { ...event, end } : event);
  }

  /** The text of the whole frame goes with its first call. */
  #addSource(): void {
    const index = this.#pending.findIndex((event) => event.kind === "call_end");
    const end = this.#pending[index];
    if (end?.kind === "call_end") this.#pending[index] = { ...end, source: this.#raw };
  }

  #commitNow(): void {
    if (this.isCommitted) return;
    this.#isDue = this.#echo?.isEcho ?? false;
    if (this.#isDue) return;
    this.isCommitted = true;
    this.#echo = undefined;
    this.opening.group?.open();
    for (const event of this.#pending) this.#session.push(event);
    this.#pending = [];
    if (!this.#session.options.wholeCalls) this.#raw = "";
  }

  /** Whether the call, which is whole now, stands in the request. */
  #isWholeEcho(): boolean {
    this.#echo?.end();
    return this.#echo?.isEcho ?? false;
  }

  #say(event: CallEvent): void {
    if (this.isCommitted) this.#session.push(event);
    else this.#pending.push(event);
  }
}
