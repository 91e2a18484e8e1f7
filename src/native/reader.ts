/**
 * Reads the calls that an upstream sends itself in one choice of its answer, however odd, into the same events as for
 * calls that are found in text. It decides which piece belongs to which call: an index may be missing or always 0, an
 * id may be empty or change, a name may come again.
 *
 * @module
 */
import type { ContentEvent, NoteEvent } from "../event/event.ts";
import type { Reason } from "../event/reason.ts";
import { NATIVE_RULE, NativeCall } from "./call.ts";
import { FUNCTION_CALL_INDEX, type NativeEntry, readEntry, readFunctionCall } from "./entry.ts";

/** The most calls of a choice that are read; what is beyond is left out. */
const CALLS_MAX = 1024;

/** What is known of the request. */
export interface NativeOptions {
  /** Whether the client hears of a call only when it is whole. */
  readonly wholeCalls?: boolean;
  /** The offered tool that a name stands for; undefined where there is none. */
  readonly resolve?: (name: string) => string | undefined;
  /** The ids of the conversation so far. */
  readonly takenIds?: ReadonlySet<string>;
  /** Whether the client itself reads `function_call`. */
  readonly isLegacy?: boolean;
}

/** What a delta or a message says of calls. */
export interface NativeInput {
  /** Its `tool_calls`. */
  readonly toolCalls?: unknown;
  /** Its `function_call`. */
  readonly functionCall?: unknown;
}

/** The events of the calls in one message. If nothing has to be repaired, both lists give the same JSON in the end. */
export interface NativeEvents {
  /** With the upstream's raw pieces of the arguments. */
  readonly raw: readonly ContentEvent[];
  /** With only the pieces that no later repair can change, repaired if necessary. */
  readonly repaired: readonly ContentEvent[];
}

/** The calls of one choice. */
export class NativeReader {
  readonly #options: NativeOptions;
  readonly #calls: NativeCall[] = [];
  readonly #byIndex = new Map<number, NativeCall>();
  readonly #ids: Set<string>;
  readonly #noted = new Set<Reason>();
  #isRepaired: boolean;
  #raw: ContentEvent[] = [];
  #repaired: ContentEvent[] = [];
  /** A name that came again after a whole call: sent twice, or the head of another call of the same tool. */
  #doubtful: { readonly call: NativeCall; readonly entry: NativeEntry } | undefined;

  /**
   * The state before the first delta.
   *
   * @param options what is known of the request
   */
  constructor(options: NativeOptions = {}) {
    this.#options = options;
    this.#ids = new Set(options.takenIds);
    this.#isRepaired = options.wholeCalls ?? false;
  }

  /** Whether the upstream has sent a call. */
  get hasCalls(): boolean {
    return this.#calls.length > 0;
  }

  /** Whether the next message decides if this one can leave as it came. */
  get isUncertain(): boolean {
    return !this.isRepaired && this.#calls.some((call) => call.isUncertain);
  }

  /** Whether the calls have to be written anew from here on. There is no way back. */
  get isRepaired(): boolean {
    return this.#isRepaired ||= this.#calls.some((call) => call.isRepaired);
  }

  /** From here on the calls are written anew. */
  rewrite(): void {
    this.#isRepaired = true;
  }

  /** Takes what a delta says. */
  read({ toolCalls, functionCall }: NativeInput): NativeEvents {
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

  /** The choice is over; `isCut`: it broke off. */
  end(options: { readonly isCut: boolean }): NativeEvents {
    for (const call of this.#calls) this.#end(call, options);
    return this.#takeEvents();
  }

  #takeEvents(): NativeEvents {
    const events = { raw: this.#raw, repaired: this.#repaired };
    this.#raw = [];
    this.#repaired = [];
    return events;
  }

  #end(call: NativeCall, options: { readonly isCut: boolean }): void {
    const events = call.end(options);
    this.#repaired.push(...events);
    // Its arguments have all come before.
    this.#raw.push(...events.filter(({ kind }) => kind !== "arguments"));
  }

  #add(call: NativeCall, entry: NativeEntry): void {
    const events = call.add(entry);
    this.#repaired.push(...events);
    const rest = events.filter(({ kind }) => kind !== "arguments");
    const start = rest[0]?.kind === "call_start" ? rest.shift() : undefined;
    if (start !== undefined) this.#raw.push(start);
    if (entry.json !== "") this.#raw.push({ kind: "arguments", call: call.number, json: entry.json });
    this.#raw.push(...rest);
  }

  /** A server that sends its call both ways means one call. */
  #takeLegacy(entry: NativeEntry): void {
    const hasOther = this.#calls.some((call) => call.index !== FUNCTION_CALL_INDEX);
    if (hasOther) return this.#note("repeated_call");
    if (!this.#options.isLegacy) this.#note("function_call_mended");
    this.#take(entry);
  }

  #take(piece: NativeEntry): void {
    const entry = this.#withDoubtfulHead(piece);
    const known = this.#find(entry);
    if (known !== undefined) {
      if (known.isComplete && entry.name !== undefined) this.#doubtful = { call: known, entry };
      return this.#add(known, entry);
    }
    if (this.#calls.length >= CALLS_MAX) return this.#note("over_limit");
    // A call whose place is taken over can get nothing more.
    const replaced = entry.index === undefined ? this.#calls.at(-1) : this.#byIndex.get(entry.index);
    if (replaced !== undefined) this.#end(replaced, { isCut: false });
    const call = new NativeCall(entry, {
      number: this.#calls.length,
      wholeCalls: this.#options.wholeCalls ?? false,
      resolve: (name) => this.#options.resolve?.(name) ?? name,
      takesId: (id) => this.#takesId(id),
    });
    this.#calls.push(call);
    if (entry.index !== undefined) this.#byIndex.set(entry.index, call);
    this.#add(call, entry);
  }

  /** Arguments that begin after a whole call belong to the name that came before them. */
  #withDoubtfulHead(piece: NativeEntry): NativeEntry {
    const head = this.#doubtful;
    const isNameless = piece.name === undefined && piece.id === undefined;
    if (head === undefined || piece.json.trim() === "") return piece;
    this.#doubtful = undefined;
    const isNext = isNameless && piece.json.trimStart().startsWith("{") &&
      this.#candidate(piece) === head.call;
    return isNext ? { ...head.entry, json: piece.json, isText: piece.isText } : piece;
  }

  /** The call that a piece goes on with; undefined: it begins one. */
  #find(entry: NativeEntry): NativeCall | undefined {
    const candidate = this.#candidate(entry);
    return candidate !== undefined && goesOn(candidate, entry) ? candidate : undefined;
  }

  #candidate({ index, id, name }: NativeEntry): NativeCall | undefined {
    const latest = this.#calls.at(-1);
    if (index === undefined) return latest;
    const known = this.#byIndex.get(index);
    if (known !== undefined || name !== undefined) return known;
    return id === undefined ? latest : this.#calls.find((call) => call.id === id);
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
    const note: NoteEvent = { kind: "note", reason, rule: NATIVE_RULE, start: 0, end: 0 };
    this.#raw.push(note);
    this.#repaired.push(note);
  }
}

/**
 * Whether a piece at a call's place goes on with it. A call whose arguments have begun and are not whole cannot
 * be over; one that is whole cannot go on.
 */
function goesOn(call: NativeCall, entry: NativeEntry): boolean {
  const hasOtherId = entry.id !== undefined && call.id !== undefined && entry.id !== call.id;
  const hasOtherName = entry.name !== undefined && call.name !== undefined && entry.name !== call.name;
  const begins = entry.json.trimStart().startsWith("{");
  if (hasOtherName) return false;
  if (!call.isBegun) return !hasOtherId || entry.name === undefined;
  const isNamedAnew = hasOtherId && entry.name !== undefined;
  if (!call.isComplete) return !(isNamedAnew && begins);
  const hasText = entry.json.trim() !== "";
  if (hasOtherId) return entry.name === undefined && !hasText;
  return entry.name === undefined || !hasText;
}
