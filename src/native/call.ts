/**
 * One call that an upstream sends itself, while it comes: its pieces become events, and every repair is noted. Which
 * piece belongs to which call is not decided here.
 *
 * @module
 */
import type { CallStartEvent, ContentEvent } from "../event/event.ts";
import type { Reason } from "../event/reason.ts";
import { isHighSurrogate } from "../json/escape.ts";
import { ArgumentsMender } from "../json/arguments_mender.ts";
import { FUNCTION_CALL_INDEX, type NativeEntry } from "./entry.ts";

/** The name that stands for a rule in events about the upstream's own calls. */
export const NATIVE_RULE = "native";

/** What a call has to know of the answer around it. */
export interface CallContext {
  /** Its number among the upstream's calls: 0, 1, 2 … */
  readonly number: number;
  /** Whether the client hears of a call only when it is whole. */
  readonly wholeCalls: boolean;
  /** The tool that a name stands for. */
  readonly resolve: (name: string) => string;
  /** Whether another call has this id; the id is this call's from now on. */
  readonly takesId: (id: string) => boolean;
}

/** One call. */
export class NativeCall {
  /** Its number among the upstream's calls. */
  readonly number: number;
  /** The upstream's index for it. */
  readonly index: number | undefined;
  /** The id that the upstream gave it. */
  id: string | undefined;
  /** The name that the upstream gave it. */
  name: string | undefined;
  readonly #context: CallContext;
  readonly #mender = new ArgumentsMender();
  readonly #noted = new Set<Reason>();
  #events: ContentEvent[] = [];
  #extra: Readonly<Record<string, unknown>> | undefined;
  /** Arguments that the client has not heard of. */
  #waiting = "";
  #hasHead = false;
  #isStarted = false;
  #isEnded = false;
  #isRepaired = false;

  /**
   * A call that begins.
   *
   * @param entry its first piece; `add` takes it again
   * @param context what is around it
   */
  constructor(entry: NativeEntry, context: CallContext) {
    this.#context = context;
    this.number = context.number;
    this.index = entry.index;
    this.id = entry.id;
    this.#extra = entry.extra;
    const isNumbered = entry.index === context.number || entry.index === FUNCTION_CALL_INDEX;
    if (!isNumbered) this.#note("index_wrong");
    if (!entry.hasType) this.#note("type_missing");
  }

  /** Whether anything of its arguments has come. */
  get isBegun(): boolean {
    return this.#mender.isBegun;
  }

  /** Whether its arguments are whole. */
  get isComplete(): boolean {
    return this.#mender.isComplete;
  }

  /** Whether the last of its arguments may still need a repair. */
  get isUncertain(): boolean {
    return this.#isStarted && this.#mender.owed !== "";
  }

  /** Whether its events say something else than its pieces do. */
  get isRepaired(): boolean {
    return this.#isRepaired;
  }

  /** Takes a piece and gives what it comes to. */
  add(entry: NativeEntry): ContentEvent[] {
    if (this.name !== undefined && (entry.name !== undefined || entry.id !== undefined)) {
      this.#note("name_repeated");
    }
    this.#isRepaired ||= !this.#isFaithful(entry);
    this.#hasHead = true;
    this.name ??= entry.name;
    this.id ??= entry.id;
    if (!entry.isText) this.#note("arguments_not_text");
    if (isHighSurrogate(entry.json.charCodeAt(entry.json.length - 1))) this.#note("surrogate_split");
    const hadFailed = this.#mender.isFailed;
    this.#waiting += this.#mender.push(entry.json);
    this.#isRepaired ||= this.#mender.isRepaired;
    if (!this.#context.wholeCalls) this.#say();
    if (this.#mender.isObject && !this.#isEnded && this.name !== undefined) this.#finish();
    if (this.#isEnded && this.#mender.isFailed && !hadFailed) this.#abort("invalid_arguments");
    return this.#take();
  }

  /** The call is over; `isCut`: the answer broke off. */
  end(options: { readonly isCut: boolean }): ContentEvent[] {
    if (this.#isEnded) return this.#take();
    const { json, isWhole } = this.#mender.end(options);
    this.#waiting += json;
    this.#isEnded = true;
    if (this.name === undefined) {
      this.#note("malformed", "a call without a name");
    } else if (isWhole || (this.#context.wholeCalls && !options.isCut)) {
      // A client of whole calls is given what cannot be mended too: its renderer shows it as text.
      this.#finish();
    } else if (this.#context.wholeCalls) {
      this.#note("truncated");
      this.#events.push({ kind: "text", text: this.#source });
    } else {
      this.#say();
      this.#abort(options.isCut ? "truncated" : "invalid_arguments");
    }
    return this.#take();
  }

  get #source(): string {
    return `{"name": ${JSON.stringify(this.name)}, "arguments": ${this.#waiting}}`;
  }

  /** Whether a client that gets the piece as it came reads what the events say: the head first, once, and whole. */
  #isFaithful({ index, id, name, isUsual }: NativeEntry): boolean {
    if (this.#hasHead) return isUsual && id === undefined && name === undefined;
    const hasId = id !== undefined || index === FUNCTION_CALL_INDEX;
    return isUsual && hasId && name !== undefined && this.#context.resolve(name) === name;
  }

  #finish(): void {
    const source = this.#context.wholeCalls ? { source: this.#source } : {};
    this.#isEnded = true;
    this.#say();
    for (const [reason, detail] of this.#mender.repairs) this.#note(reason, detail);
    this.#events.push({ kind: "call_end", call: this.#context.number, ...source });
  }

  #abort(reason: Reason): void {
    this.#note(reason);
    this.#events.push({ kind: "call_abort", call: this.#context.number, reason });
  }

  /** Says what the client can hear now: the head once, then the arguments. */
  #say(): void {
    if (this.name === undefined) return;
    const { number } = this.#context;
    if (!this.#isStarted) {
      this.#isStarted = true;
      const tool = this.#context.resolve(this.name);
      this.#events.push({
        kind: "call_start",
        call: number,
        tool,
        rule: NATIVE_RULE,
        confidence: 1,
        ...this.#head(),
      });
    }
    if (this.#waiting === "") return;
    this.#events.push({ kind: "arguments", call: number, json: this.#waiting });
    this.#waiting = "";
  }

  #head(): Pick<CallStartEvent, "id" | "extra"> {
    const isLegacy = this.index === FUNCTION_CALL_INDEX;
    const isTaken = this.id !== undefined && this.#context.takesId(this.id);
    if (this.id === undefined && !isLegacy) this.#note("id_missing");
    if (isTaken) this.#note("id_repeated");
    return {
      ...(this.id === undefined || isTaken ? {} : { id: this.id }),
      ...(this.#extra === undefined ? {} : { extra: this.#extra }),
    };
  }

  #note(reason: Reason, detail?: string): void {
    if (this.#noted.has(reason)) return;
    this.#noted.add(reason);
    // A call that broke off leaves as it came; only the end of the answer says so.
    this.#isRepaired ||= reason !== "truncated" && reason !== "invalid_arguments";
    this.#events.push({
      kind: "note",
      reason,
      rule: NATIVE_RULE,
      ...(this.name === undefined ? {} : { tool: this.name }),
      call: this.#context.number,
      start: 0,
      end: 0,
      ...(detail === undefined ? {} : { detail }),
    });
  }

  #take(): ContentEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}
