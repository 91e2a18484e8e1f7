/**
 * Converts the calls of a frame to events. The body begins and ends them, and the arguments writer of each gives their
 * JSON. The events wait until the frame releases them, so that nothing of a failed call is sent.
 *
 * @module
 */
import type { CallAbortEvent, CallEvent, CallStartEvent, CheckedEnd, TextEvent } from "../event/event.ts";
import type { Reason } from "../event/reason.ts";
import { TAG_REPAIRS } from "./tag_repairs.ts";
import type { JsonHandler, JsonRepair } from "../json/handler.ts";
import type { ArgumentShapes } from "../tool/shapes.ts";
import type { OfferedTool } from "../tool/offered.ts";
import { type ArgumentsSink, ArgumentsWriter, type WrittenArguments } from "./arguments_writer.ts";
import { type Failure, isFailure } from "./body_reader.ts";
import { declares, parameterSchema } from "../tool/schema.ts";
import { gateTool, isItemKey, isNearName } from "./gate.ts";
import { isBare } from "./body/tags.ts";
import type { Surroundings } from "./body/value_ambiguity.ts";
import { unescapeText } from "./body/unescape.ts";
import type { CompiledRule } from "./compiled_rule.ts";
import type { Group } from "./group.ts";
import type { Session } from "./session.ts";
import { present } from "../object/present.ts";

/** A match of an opener, and what is known there. */
export interface Opening {
  readonly rule: CompiledRule;
  readonly groups: Readonly<Record<string, string>>;
  /** The tool, if the opener or the rule names it. */
  readonly tool: OfferedTool | undefined;
  readonly offset: number;
  readonly atLineStart: boolean;
  readonly group: Group | undefined;
  /** Whether the text after the call decides whether it is meant, so that nothing is sent before it is whole. */
  readonly isAmbiguous?: boolean;
  /** Whether it is in a fence where only the client's own calls are read, so that one with any note, such as a repair, is an example. */
  readonly isInFence?: boolean;
}

/** The part of the call that was read: nothing, its beginning, or its first item. */
type CallProgress = "nothing" | "call" | "item";

/** The notes after which a call without a required parameter isn't meant. */
const EVIDENT: ReadonlySet<Reason> = new Set<Reason>(["unknown_parameter", ...TAG_REPAIRS]);

/** The most repairs of a call that are noted; of each further kind, one is. All are sent at once when the call ends. */
const NOTES_MAXIMUM = 100;

/** The repairs of JSON after which its members can be others; the other ones change only a notation. */
const DAMAGES: readonly JsonRepair[] = ["unescaped quote", "missing brace", "extra brace", "bare string"];

export class Calls implements ArgumentsSink {
  readonly #opening: Opening;
  readonly #session: Session;
  /** The number of the first call that a failure removes. */
  #first: number;
  #pending: (CallEvent | TextEvent)[] = [];
  #isReleased = false;
  #start: CallStartEvent | undefined;
  #writer: ArgumentsWriter | undefined;
  #fitter: ReturnType<ArgumentShapes["fit"]> | undefined;
  #notes: { reason: Reason; detail?: string }[] = [];
  #finished = 0;
  #isAmbiguous = false;
  /** What a second reader checks before it is sent. */
  #rest: string | undefined;
  /** The offset up to which the call's text is in its events: in the arguments, or as a mark of the call. */
  sentTo = 0;
  /** The text to send after the call, its offset, and that of the closer, which it precedes. */
  #following = "";
  #followingOffset = Infinity;
  #closerOffset = 0;
  /** The progress of the body since the last checkpoint. */
  reached: CallProgress = "nothing";
  /** Whether a later call can undo the others. */
  waits = false;
  /** Whether the call is sent while it is read, although whole calls are wanted. */
  flows = false;
  /** Whether the wrapper's closer wasn't where it belongs; it can follow a few words later. */
  lacksWrapperCloser = false;
  /** The reason that the current call can't be one, whatever follows. */
  refused: Failure | undefined;

  constructor(opening: Opening, session: Session) {
    this.#opening = opening;
    this.#session = session;
    this.#first = session.calls;
  }

  get groups(): Readonly<Record<string, string>> {
    return this.#opening.groups;
  }

  get startsLine(): boolean {
    return this.#opening.atLineStart;
  }

  /** Items that name the call and aren't arguments. */
  get meta(): readonly string[] {
    return this.#opening.group?.meta ?? [];
  }

  /** The tool of the call that is read, as far as its name was read. */
  get tool(): string | undefined {
    return this.#start?.tool ?? this.#opening.tool?.name;
  }

  /** Whether a name refers to an offered tool, and whether that tool can have a parameter. */
  offers(name: string, parameter?: string): boolean {
    const { offered } = this.#session.options;
    const tool = offered.resolve(name) ?? offered.nearest?.(name);
    return tool !== undefined && (parameter === undefined || declares(tool.schema, parameter));
  }

  /** The names of the offered tools. */
  get spellings(): readonly string[] {
    return this.#session.options.offered.spellings ?? [];
  }

  isItemKey(key: string): boolean {
    return isItemKey(this.#opening.rule, key, { tool: this.#writer?.tool, meta: this.meta });
  }

  /** Whether a key is a parameter of the call's tool that it doesn't have yet. */
  isMissing(key: string): boolean {
    const { tool } = this.#writer ?? {};
    return tool !== undefined && parameterSchema(tool.schema, key) !== undefined && !this.#writer!.has(key);
  }

  /** Begins a call after checking its tool: offered, allowed, on the rule's list. */
  begin(name: string): ArgumentsWriter | Failure {
    const tool = gateTool(this.#opening.rule, name, this.#session.options.offered);
    return isFailure(tool) ? tool : this.#open(tool, name);
  }

  /** Begins a call whose tool the opener named. */
  beginNamed(): ArgumentsWriter {
    const { tool, rule } = this.#opening;
    if (!tool) throw new Error(`Rule ${rule.name} names no tool in its opener`);
    const named = rule.tools ? undefined : this.#opening.groups["tool"];
    return this.#open(tool, named && unescapeText(named, rule.nameEscapes));
  }

  /** Opens a call; `written` is the tool's name in the text. */
  #open(tool: OfferedTool, written: string | undefined): ArgumentsWriter {
    const { rule } = this.#opening;
    if (written !== undefined && isNearName(rule, written, this.#session.options.offered)) {
      this.repair("name_repaired");
    }
    const { name, confidence, mapping } = rule;
    const { readAgain } = this.#session.options;
    this.#start = {
      kind: "call_start",
      call: this.#session.calls++,
      tool: tool.name,
      rule: name,
      confidence,
      ...(readAgain && { start: this.#opening.offset }),
    };
    this.#send(this.#start);
    if (this.reached === "nothing") this.reached = "call";
    const { offered, keepsTypes = offered.keepsShapes } = this.#session.options;
    this.#writer = new ArgumentsWriter(this, { tool, mapping, meta: this.meta, ...present({ keepsTypes }) });
    return this.#writer;
  }

  /** What receives the arguments in JSON: they are fitted to the tool's schema, where the policy wants that. */
  fitted(writer: ArgumentsWriter): JsonHandler {
    this.#fitter = this.#session.options.shapes?.fit(writer, writer.tool);
    return this.#fitter ?? writer;
  }

  /** The arguments in JSON that one string is. */
  argumentsOf(escaped: string, { tool }: ArgumentsWriter): string | undefined {
    // A key in the string shows that it is an object without its bracket.
    if (escaped.includes('\\":')) return undefined;
    return this.#session.options.shapes?.ofString(`"${escaped}"`, tool.schema);
  }

  /** Notes what the fitter changed, or refuses the call. */
  #endFitter(): void {
    const { change, refusal } = this.#fitter ?? {};
    this.#fitter = undefined;
    if (refusal !== undefined) this.refuse(refusal);
    else if (change !== undefined) this.repair("arguments_fitted", change);
  }

  finish(): void {
    const start = this.#start;
    if (!start) return;
    this.#endFitter();
    if (this.#opening.isInFence && !this.#isClientsOwn(start.tool)) {
      this.refused ??= { reason: "quoted" };
      return;
    }
    if (this.#isForeign()) {
      this.refused ??= { reason: "missing_required", detail: "the parameters of another tool" };
      return;
    }
    const { call, tool } = start;
    const checked = this.#finishArguments();
    const repairs = this.#session.options.wholeCalls ? this.#notes.map(({ reason }) => reason) : [];
    this.#send({
      kind: "call_end",
      call,
      ...(repairs.length > 0 ? { repairs } : {}),
      ...present({ checked }),
    });
    const { rule, offset } = this.#opening;
    const about = { rule: rule.name, tool, call, start: offset, end: this.#session.cursor.offset };
    this.#send({ kind: "note", reason: "transformed", ...about });
    for (const { reason, detail } of this.#notes) {
      this.#send({ kind: "note", reason, ...about, ...present({ detail }) });
    }
    if (this.#following !== "") this.#send({ kind: "text", text: this.#following });
    this.#notes = [];
    this.#start = undefined;
  }

  /** Writes the rest of the arguments; if the call was repaired, a second reader gets it with the end. */
  #finishArguments(): CheckedEnd | undefined {
    const { ambiguityOf } = this.#session.options.readAgain ?? {};
    // Where a later call of a list begins isn't known.
    const isFirst = this.#finished++ === 0;
    const ambiguity = isFirst
      ? ambiguityOf?.(this.#notes.map(({ reason }) => reason), this.#isAmbiguous)
      : undefined;
    this.#isAmbiguous = false;
    if (ambiguity !== undefined) this.#rest = "";
    this.#writer?.finish();
    const rest = this.#rest;
    this.#rest = undefined;
    return ambiguity && { start: this.#opening.offset, rest: rest ?? "", ambiguity };
  }

  /** Whether the text is a call as the client itself reads it: nothing is repaired, and the names are the client's own. */
  #isClientsOwn(tool: string): boolean {
    const { names = [], tool: { documented, schema } = {} } = this.#writer ?? {};
    return this.#notes.length === 0 && (this.groups["tool"] ?? tool) === tool &&
      [...names].every((name) => declares(documented ?? schema, name));
  }

  /** Sends text after the call, which came before the closer at the cursor and isn't part of the call's arguments. */
  follow(text: string, offset = Infinity): void {
    this.#following = text;
    this.#followingOffset = offset;
    this.#closerOffset = this.#session.cursor.offset;
  }

  /**
   * Whether a parameter that the tool requires is missing, and the others show that it isn't forgotten: unknown ones are those
   * of another tool, and where marks were repaired, one of them can be in a value.
   */
  #isForeign(): boolean {
    const writer = this.#writer;
    if (!writer || writer.isComplete) return false;
    return this.#notes.some(({ reason, detail = "" }) =>
      EVIDENT.has(reason) || (reason === "json_repaired" && DAMAGES.some((one) => detail.includes(one)))
    );
  }

  compareNames(name: string, known: string): void {
    this.#isAmbiguous ||= this.#session.options.readAgain?.lacksLetter(name, known) ?? false;
  }

  /** Whether a value can hold damaged marks of the call, and no second reader can check that, because the client gets it already. */
  isDamaged(text: string, surroundings: Surroundings): boolean {
    const isAmbiguous = this.#session.options.readAgain?.isAmbiguousValue(text, surroundings) ?? false;
    this.#isAmbiguous ||= isAmbiguous;
    return isAmbiguous && this.flows;
  }

  /** Sends nothing before the close, because a later call can undo the others. */
  waitForClose(): void {
    this.waits = true;
  }

  repair(reason: Reason, detail?: string): void {
    if (reason === "wrapper_closer_missing") this.lacksWrapperCloser = true;
    const isFull = this.#notes.length >= NOTES_MAXIMUM;
    if (isFull && this.#notes.some((note) => note.reason === reason)) return;
    this.#notes.push({ reason, ...present({ detail }) });
  }

  json(piece: string): void {
    if (this.#rest !== undefined) this.#rest += piece;
    else if (this.#start) this.#send({ kind: "arguments", call: this.#start.call, json: piece });
  }

  /** Checks the first parameter. A tag that looks like HTML isn't a call unless the parameter is declared. */
  parameter(name: string, before: WrittenArguments): boolean {
    if (before.names.size === 0 && !this.isItemKey(name)) {
      this.refused = { reason: "undeclared_parameter" };
      return false;
    }
    this.reached = "item";
    if (!this.flows && this.#canFlow(name, before)) this.flows = this.#change({ isFlowing: true });
    return true;
  }

  /**
   * Whether the call can be sent early. It can't if it waits for other calls, later text, or its wrapper's identifiers.
   */
  #canFlow(parameter: string, { tool, names: before, values }: WrittenArguments): boolean {
    const { rule, group, groups, isAmbiguous } = this.#opening;
    if (this.waits || group !== undefined || rule.followedBy === "nothing" || isAmbiguous) return false;
    const { canFlow } = this.#session.options;
    const call = { rule: rule.name, tool: tool.name, written: groups["tool"], parameter, before, values };
    return canFlow?.(call) ?? false;
  }

  /** Changes the start of the call while it waits. Returns whether it waits. */
  #change(change: Partial<CallStartEvent>): boolean {
    const start = this.#start;
    const index = this.#pending.findIndex((event) => event === start);
    if (!start || index < 0) return false;
    this.#pending[index] = this.#start = { ...start, ...change };
    return true;
  }

  refuse(detail: string): void {
    this.refused ??= { reason: "invalid_arguments", detail };
  }

  identifier(key: string, value: string): void {
    this.#change({ meta: { ...this.#start?.meta, [key]: value } });
  }

  /** Sends the waiting events, and all later ones immediately. */
  release(): void {
    this.#isReleased = true;
    for (const event of this.#pending) this.#emit(event);
    this.#pending = [];
  }

  /**
   * Closes the frame. Its whole text, without what follows it, goes with its first call, and the calls of a list end
   * with their frame.
   */
  close(source: string | undefined): void {
    const following = this.#following;
    this.#following = "";
    // The end of each call in a list depends on how the answer is cut.
    if (this.waits) this.#endNotes();
    if (source === undefined) return;
    const index = this.#pending.findIndex(({ kind }) => kind === "call_end");
    const end = this.#pending[index];
    if (end?.kind !== "call_end") return;
    const closer = source.length - this.#session.cursor.offset + this.#closerOffset;
    const at = source.lastIndexOf(following, closer - following.length);
    this.#pending[index] = { ...end, source: source.slice(0, at) + source.slice(at + following.length) };
  }

  /** Confirms the calls so far; later ones wait again. */
  checkpoint(): void {
    this.#isReleased = this.flows = false;
    this.#first = this.#session.calls;
    this.reached = "nothing";
  }

  /**
   * Ends a failed frame. Aborts a call that the client knows about, and discards the rest.
   *
   * @param options `unsent`: the call's text from `sentTo` on, which follows the call unless it is bare; `offset`: where it begins
   */
  abort({ reason }: Failure, { unsent, offset }: { readonly unsent: string; readonly offset: number }): void {
    if (!this.#isReleased) this.#session.calls = this.#first;
    else if (this.#start) {
      this.#send({ kind: "call_abort", call: this.#start.call, reason, ...this.#endUncertain(offset) });
      const before = unsent.slice(0, Math.max(0, this.#followingOffset - this.sentTo));
      const text = (isBare(before) ? "" : before) + this.#following;
      if (text !== "") this.#send({ kind: "text", text });
    }
    this.#pending = [];
  }

  /** Sends what isn't certain of the arguments, or keeps it for a reader that can finish the call. */
  #endUncertain(start: number): Pick<CallAbortEvent, "start" | "rest"> {
    const rest = this.#writer?.takeHeld() ?? "";
    if (this.#session.options.readAgain) return { start, rest };
    if (rest !== "") this.json(rest);
    return {};
  }

  #endNotes(): void {
    const end = this.#session.cursor.offset;
    this.#pending = this.#pending.map((event) => event.kind === "note" ? { ...event, end } : event);
  }

  #send(event: CallEvent | TextEvent): void {
    if (this.#isReleased) this.#emit(event);
    else this.#pending.push(event);
  }

  #emit(event: CallEvent | TextEvent): void {
    if (event.kind === "text") this.#session.emission.text(event.text);
    else this.#session.emission.push(event);
  }
}
