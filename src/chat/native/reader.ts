/**
 * Reads the upstream's own calls of one choice into the same events as for calls in text, even if they are malformed. It
 * decides which piece belongs to which call: an index can be missing or always 0, an id can be empty or change, and a name
 * can repeat.
 *
 *     message ─▶ read ─▶ held while the next message can show a repair ─▶ choose ─▶ the choice's stages
 *                 ╰ its events, with both forms of the arguments           ╰ with one of them
 *
 * With the raw arguments, the message stays unchanged. From the first repair on, the repaired ones are passed on, and
 * messages are written from them.
 *
 * @module
 */
import type { ContentEvent } from "../../engine/event/event.ts";
import type { Reason } from "../../engine/event/reason.ts";
import type { OfferedTools } from "../../engine/tool/offered.ts";
import { NATIVE_RULE, NativeCall, type NativeEvent } from "./call.ts";
import { FUNCTION_CALL_INDEX, type NativeEntry, readEntry, readFunctionCall } from "./entry.ts";
import type { MarkedNameReader } from "./marked_name.ts";

/** The most calls of a choice that are read; the others are left out. */
const CALLS_MAX = 1024;

export interface NativeOptions {
  readonly wholeCalls?: boolean;
  readonly offered?: OfferedTools;
  readonly takenIds?: ReadonlySet<string>;
  readonly isLegacy?: boolean;
  /** Reads a name in which the server left marks; without it, such a name stays. */
  readonly readName?: MarkedNameReader | undefined;
}

export interface NativeInput {
  readonly toolCalls?: unknown;
  readonly functionCall?: unknown;
}

export class NativeReader {
  readonly #options: NativeOptions;
  readonly #calls: NativeCall[] = [];
  readonly #byIndex = new Map<number, NativeCall>();
  #latest: NativeCall | undefined;
  readonly #ids: Set<string>;
  readonly #noted = new Set<Reason>();
  #isRepaired: boolean;
  #events: NativeEvent[] = [];
  /** A name that repeats after a whole call: a repetition, or the head of another call of the same tool. */
  #ambiguous: { readonly call: NativeCall; readonly entry: NativeEntry } | undefined;

  constructor(options: NativeOptions = {}) {
    this.#options = options;
    this.#ids = new Set(options.takenIds);
    this.#isRepaired = options.wholeCalls ?? false;
  }

  get hasCalls(): boolean {
    return this.#calls.length > 0;
  }

  /** Whether the next message decides if this one can be sent unchanged. */
  get isUncertain(): boolean {
    return !this.isRepaired && this.#calls.some((call) => call.isUncertain);
  }

  /** Whether the calls must be written from their events from here on. Once true, it stays true. */
  get isRepaired(): boolean {
    return this.#isRepaired ||= this.#calls.some((call) => call.isRepaired);
  }

  /** From here on, writes the calls from their events. */
  rewrite(): void {
    this.#isRepaired = true;
  }

  read({ toolCalls, functionCall }: NativeInput): readonly NativeEvent[] {
    const list = Array.isArray(toolCalls) ? toolCalls : toolCalls == null ? [] : [toolCalls];
    if (Array.isArray(toolCalls) && list.length === 0) this.#note("calls_empty");
    this.#isRepaired ||= toolCalls != null && (!Array.isArray(toolCalls) || this.#options.isLegacy === true);
    for (const value of list) {
      const entry = readEntry(value);
      if (entry === undefined) this.#isRepaired = true;
      else this.#take(entry);
    }
    const legacy = readFunctionCall(functionCall);
    if (legacy !== undefined) this.#takeLegacy(legacy);
    return this.#takeEvents();
  }

  /** The events of a message with the form of the arguments that applies by now. */
  choose(events: readonly NativeEvent[]): readonly ContentEvent[] {
    return inForm(this.isRepaired ? "repaired" : "raw", events);
  }

  /** Ends all calls; `isCut`: the choice was cut off. */
  end(options: { readonly isCut: boolean }): readonly NativeEvent[] {
    for (const call of this.#calls) {
      this.#events.push(...call.end(options));
      for (const entry of call.takeOthers()) this.#begin(entry);
    }
    return this.#takeEvents();
  }

  #takeEvents(): readonly NativeEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** A server that sends both `tool_calls` and `function_call` means one call. */
  #takeLegacy(entry: NativeEntry): void {
    const hasOther = this.#calls.some((call) => call.index !== FUNCTION_CALL_INDEX);
    if (hasOther) return this.#note("repeated_call");
    if (!this.#options.isLegacy) this.#note("function_call_repaired");
    this.#take(entry);
  }

  #take(piece: NativeEntry): void {
    const entry = this.#withAmbiguousHead(piece);
    const known = this.#find(entry);
    if (known !== undefined) {
      this.#hold(entry, known);
      if (known.isComplete && entry.name !== undefined) this.#ambiguous = { call: known, entry };
      this.#events.push(...known.add(entry));
      return;
    }
    const replaced = entry.index === undefined ? this.#latest : this.#byIndex.get(entry.index);
    if (replaced?.isRepeatedBy(entry)) return this.#note("repeated_call");
    for (const call of this.#calls) this.#events.push(...call.settle());
    // The place belongs to the new call, so only an id can bring the old one more pieces.
    const hasIds = replaced?.id !== undefined && entry.id !== undefined && replaced.id !== entry.id;
    if (!hasIds) this.#events.push(...replaced?.end({ isCut: false }) ?? []);
    this.#begin(entry);
  }

  #begin(entry: NativeEntry): void {
    if (this.#calls.length >= CALLS_MAX) return this.#note("over_limit");
    const call: NativeCall = new NativeCall(entry, {
      number: this.#calls.length,
      wholeCalls: this.#options.wholeCalls ?? false,
      offered: this.#options.offered,
      readName: this.#options.readName,
      hasName: (name) => this.#calls.some((one) => one !== call && one.name === name && one.isBegun),
      takesId: (id) => this.#takesId(id),
    });
    this.#calls.push(call);
    this.#hold(entry, call);
    this.#events.push(...call.add(entry));
  }

  /** Arguments that begin after a whole call belong to the name before them. */
  #withAmbiguousHead(piece: NativeEntry): NativeEntry {
    const head = this.#ambiguous;
    const isNameless = piece.name === undefined && piece.id === undefined;
    if (head === undefined || piece.json.trim() === "") return piece;
    this.#ambiguous = undefined;
    const isNext = isNameless && piece.json.trimStart().startsWith("{") &&
      this.#candidate(piece) === head.call;
    return isNext ? { ...head.entry, json: piece.json, isText: piece.isText } : piece;
  }

  /** The call that a piece continues; undefined: it begins a call. */
  #find(entry: NativeEntry): NativeCall | undefined {
    const candidate = this.#candidate(entry);
    return candidate !== undefined && continues(candidate, entry) ? candidate : undefined;
  }

  /** The call at the piece's index, or the latest without one. Where calls share that place, the id decides. */
  #candidate({ index, id, name }: NativeEntry): NativeCall | undefined {
    const placed = index === undefined ? this.#latest : this.#byIndex.get(index);
    if (id === undefined) return placed ?? (name === undefined ? this.#latest : undefined);
    if (placed?.id === id) return placed;
    const own = this.#calls.find((call) => call.id === id);
    const sharesPlace = index === undefined || own?.index === index || (placed ?? name) === undefined;
    return (sharesPlace ? own : undefined) ?? placed;
  }

  /** From here on, the piece's place is the call's. */
  #hold({ index }: NativeEntry, call: NativeCall): void {
    this.#latest = call;
    if (index !== undefined) this.#byIndex.set(index, call);
  }

  #takesId(id: string): boolean {
    const isTaken = this.#ids.has(id);
    this.#ids.add(id);
    return isTaken;
  }

  #note(reason: Reason): void {
    this.#isRepaired = true;
    if (this.#noted.has(reason)) return;
    this.#noted.add(reason);
    this.#events.push({ kind: "note", reason, rule: NATIVE_RULE, start: 0, end: 0 });
  }
}

export function inForm(form: "raw" | "repaired", events: readonly NativeEvent[]): ContentEvent[] {
  return events.flatMap((event) => {
    if (event.kind !== "arguments") return event;
    const { kind, call, [form]: json } = event;
    return json === "" ? [] : { kind, call, json };
  });
}

/** Whether a piece with a call's index continues it: one with unfinished arguments can't be over, a whole one can't go on. */
function continues(call: NativeCall, entry: NativeEntry): boolean {
  const hasOtherId = entry.id !== undefined && call.id !== undefined && entry.id !== call.id;
  const hasOtherName = entry.name !== undefined && call.name !== undefined && entry.name !== call.name;
  const begins = entry.json.trimStart().startsWith("{");
  if (hasOtherName) return call.isNamedFurther(entry);
  if (!call.isBegun) return !hasOtherId || entry.name === undefined;
  const hasNewName = hasOtherId && entry.name !== undefined;
  if (!call.isComplete) return !(hasNewName && begins);
  const hasText = entry.json.trim() !== "";
  if (hasOtherId) return entry.name === undefined && !hasText;
  if (call.isPlaceholder && entry.id !== undefined && entry.id === call.id) return true;
  return entry.name === undefined || !hasText;
}
