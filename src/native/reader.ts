/**
 * Reads the calls that an upstream sends itself in one choice of its answer. In: the `tool_calls` and the
 * `function_call` of its deltas, however odd. Out: the same events as for calls that were found in text. It
 * decides which piece belongs to which call: an index may be missing or always 0, an id may be empty or change,
 * a name may come again.
 *
 * @module
 */
import type { Event, NoteEvent } from "../event/event.ts";
import type { Reason } from "../event/reason.ts";
import { NATIVE_RULE, NativeCall } from "./call.ts";
import { FUNCTION_CALL_INDEX, type NativeEntry, readEntry, readFunctionCall } from "./entry.ts";

/** The most calls of a choice that are read; what is beyond is left out. */
const CALLS_MAX = 1024;

const NOTHING_OWED: ReadonlyMap<number, string> = new Map();

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

/** The calls of one choice. */
export class NativeReader {
  readonly #options: NativeOptions;
  readonly #calls: NativeCall[] = [];
  readonly #byIndex = new Map<number, NativeCall>();
  readonly #ids: Set<string>;
  readonly #noted = new Set<Reason>();
  /** A name that came again behind a whole call: said twice, or the head of another call of the same tool. */
  #doubtful: { readonly call: NativeCall; readonly entry: NativeEntry } | undefined;

  /**
   * The state before the first delta.
   *
   * @param options what is known of the request
   */
  constructor(options: NativeOptions = {}) {
    this.#options = options;
    this.#ids = new Set(options.takenIds);
  }

  /** Whether the upstream has sent a call. */
  get hasCalls(): boolean {
    return this.#calls.length > 0;
  }

  /** The upstream's index of a call → what came of its arguments and has not left yet. */
  get owed(): ReadonlyMap<number, string> {
    if (this.#calls.length === 0) return NOTHING_OWED;
    const owing = this.#calls.filter((call) => call.owed !== "");
    return new Map(owing.map((call) => [call.index ?? 0, call.owed]));
  }

  /** Takes what a delta says. */
  read({ toolCalls, functionCall }: NativeInput): Event[] {
    const list = Array.isArray(toolCalls) ? toolCalls : toolCalls == null ? [] : [toolCalls];
    const events: Event[] = [];
    if (Array.isArray(toolCalls) && list.length === 0) events.push(...this.#note("calls_empty"));
    for (const value of list) {
      const entry = readEntry(value);
      if (entry !== undefined) events.push(...this.#take(entry));
    }
    const legacy = readFunctionCall(functionCall);
    if (legacy !== undefined) events.push(...this.#takeLegacy(legacy));
    return events;
  }

  /** The choice is over; `isCut`: it broke off. */
  end(options: { readonly isCut: boolean }): Event[] {
    return this.#calls.flatMap((call) => call.end(options));
  }

  /** A server that says its call both ways means one call. */
  #takeLegacy(entry: NativeEntry): Event[] {
    const hasOther = this.#calls.some((call) => call.index !== FUNCTION_CALL_INDEX);
    if (hasOther) return this.#note("repeated_call");
    const notes = this.#options.isLegacy ? [] : this.#note("function_call_mended");
    return [...notes, ...this.#take(entry)];
  }

  #take(piece: NativeEntry): Event[] {
    const entry = this.#withDoubtfulHead(piece);
    const known = this.#find(entry);
    if (known !== undefined) {
      if (known.isComplete && entry.name !== undefined) this.#doubtful = { call: known, entry };
      return known.add(entry);
    }
    if (this.#calls.length >= CALLS_MAX) return this.#note("over_limit");
    // A call whose place is taken over can get nothing more.
    const replaced = entry.index === undefined ? this.#calls.at(-1) : this.#byIndex.get(entry.index);
    const ended = replaced?.end({ isCut: false }) ?? [];
    const call = new NativeCall(entry, {
      number: this.#calls.length,
      wholeCalls: this.#options.wholeCalls ?? false,
      resolve: (name) => this.#options.resolve?.(name) ?? name,
      takesId: (id) => this.#takesId(id),
    });
    this.#calls.push(call);
    if (entry.index !== undefined) this.#byIndex.set(entry.index, call);
    return [...ended, ...call.add(entry)];
  }

  /** Arguments that begin behind a whole call belong to the name that came before them. */
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

  #note(reason: Reason): NoteEvent[] {
    if (this.#noted.has(reason)) return [];
    this.#noted.add(reason);
    return [{ kind: "note", reason, rule: NATIVE_RULE, start: 0, end: 0 }];
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
