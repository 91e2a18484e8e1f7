/** Turns the pieces of one of the upstream's own calls into events, and notes every repair. @module */
import type { ArgumentsEvent, CallStartEvent, ContentEvent } from "../../engine/event/event.ts";
import type { Reason } from "../../engine/event/reason.ts";
import { isHighSurrogate } from "../../engine/json/escape.ts";
import { ArgumentsRepairer } from "../../engine/json/arguments_repairer.ts";
import { ArgumentsFitter, loneValueAsJson } from "../../engine/tool/arguments_fitter.ts";
import { elementsAsJson } from "../../engine/tool/element_arguments.ts";
import type { JsonSchema, OfferedTool, OfferedTools } from "../../engine/tool/offered.ts";
import { declares, requiredParameters } from "../../engine/tool/schema.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import { present } from "../../engine/object/present.ts";
import { FUNCTION_CALL_INDEX, type NativeEntry } from "./entry.ts";
import type { MarkedName, MarkedNameReader } from "./marked_name.ts";

/** The rule name in events about the upstream's own calls. */
export const NATIVE_RULE = "native";

/**
 * A piece of arguments in two forms: as the upstream sent it, and with only what no later repair can change, repaired if
 * necessary. If nothing of a call has to be repaired, both forms give the same JSON in the end.
 */
interface NativeArguments {
  readonly kind: "arguments";
  readonly call: number;
  readonly raw: string;
  readonly repaired: string;
}

export type NativeEvent = Exclude<ContentEvent, ArgumentsEvent> | NativeArguments;

interface CallContext {
  /** Its number among the upstream's calls: 0, 1, 2 … */
  readonly number: number;
  readonly wholeCalls: boolean;
  readonly offered: OfferedTools | undefined;
  readonly readName?: MarkedNameReader | undefined;
  readonly hasName: (name: string) => boolean;
  /** Takes an id for this call; returns whether another call already has it. */
  readonly takesId: (id: string) => boolean;
}

export class NativeCall {
  readonly number: number;
  readonly index: number | undefined;
  id: string | undefined;
  name: string | undefined;
  readonly #context: CallContext;
  readonly #repairer: ArgumentsRepairer;
  readonly #noted = new Set<Reason>();
  #events: NativeEvent[] = [];
  #extra: Readonly<Record<string, unknown>> | undefined;
  /** Repaired arguments that weren't passed on yet. */
  #held = "";
  #hasHead = false;
  #isStarted = false;
  #isEnded = false;
  #isRepaired = false;
  /** The call in its name, if marks of the model are in it. Its arguments decide at the end whether that is the call. */
  #marked: MarkedName | undefined;

  /** Begins a call with its first piece, which `add` gets, too. */
  constructor(entry: NativeEntry, context: CallContext) {
    this.#context = context;
    this.#repairer = new ArgumentsRepairer({
      fit: (out) => new ArgumentsFitter(out, () => this.#shape, (name) => this.#toolOf(name) === this.#tool),
      needsParameters: () => requiredParameters(this.#tool?.schema).length > 0,
      accepts: (json) => this.#accepts(json),
      readText: (text) =>
        elementsAsJson(text, this.#shape, this.#tool?.name) ?? loneValueAsJson(text, this.#shape),
    });
    this.number = context.number;
    this.index = entry.index;
    this.id = entry.id;
    this.#extra = entry.extra;
    const isNumbered = entry.index === context.number || entry.index === FUNCTION_CALL_INDEX;
    if (!isNumbered) this.#note("index_wrong");
    if (!entry.hasType) this.#note("type_missing");
  }

  get #tool(): OfferedTool | undefined {
    return this.name === undefined ? undefined : this.#toolOf(this.name);
  }

  get #shape(): JsonSchema | undefined {
    return this.#context.offered?.keepsShapes ? undefined : this.#tool?.schema;
  }

  /** Whether an object has what the tool requires, and nothing that it doesn't declare. */
  #accepts(json: string): boolean {
    const schema = this.#shape;
    const given = parseJson(json);
    return schema !== undefined && isRecord(given) &&
      requiredParameters(schema).every((name) => Object.hasOwn(given, name)) &&
      Object.keys(given).every((name) => declares(schema, name));
  }

  /** Further calls of the same tool, whose arguments were glued to these. */
  takeOthers(): readonly NativeEntry[] {
    const { others } = this.#repairer;
    this.#repairer.others = [];
    return others.map((json) => ({
      index: undefined,
      id: undefined,
      name: this.name,
      json,
      isText: true,
      hasType: true,
      isUsual: false,
      extra: undefined,
    }));
  }

  #toolOf(name: string): OfferedTool | undefined {
    const { offered } = this.#context;
    return offered?.resolve(name) ?? offered?.nearest?.(name);
  }

  get isBegun(): boolean {
    return this.#repairer.isBegun;
  }

  get isComplete(): boolean {
    return this.#repairer.isComplete;
  }

  /** Whether its arguments are an empty object, which others can replace. */
  get isPlaceholder(): boolean {
    return this.#repairer.isPlaceholder;
  }

  /** Whether the last of its arguments may still need a repair. */
  get isUncertain(): boolean {
    return this.#isStarted && this.#repairer.owed !== "";
  }

  /** Whether its events differ from its pieces. */
  get isRepaired(): boolean {
    return this.#isRepaired;
  }

  /** Whether a piece is the same call again, with its id. */
  isRepeatedBy({ id, name, json }: NativeEntry): boolean {
    return id !== undefined && id === this.id && name === this.name && this.#repairer.isRepetition(json);
  }

  /** Whether a piece has the rest of the name of an offered tool. */
  isNamedFurther({ id, name }: NativeEntry): boolean {
    const isSame = id === undefined || this.id === undefined || id === this.id;
    return name !== undefined && isSame && !this.isBegun && !this.#isStarted &&
      this.#context.offered?.resolve(name) === undefined &&
      this.#spellings.some((spelling) => spelling.startsWith(`${this.name ?? ""}${name}`));
  }

  get #spellings(): readonly string[] {
    return this.#context.offered?.spellings ?? [];
  }

  get #isNameOpen(): boolean {
    const { name } = this;
    return name !== undefined && !this.isBegun && !this.#isStarted &&
      this.#spellings.some((other) => other !== name && other.startsWith(name));
  }

  /** Whether it is empty so far, next to a call of the same tool, which requires arguments: then it isn't passed on. */
  get #isSpare(): boolean {
    return this.name !== undefined && !this.#isStarted && (!this.isBegun || this.isPlaceholder) &&
      requiredParameters(this.#tool?.schema).length > 0 && this.#context.hasName(this.name);
  }

  /** Passes on its head, and an empty object that nothing replaced, because another call begins. */
  settle(): NativeEvent[] {
    const isWhole = this.#repairer.isObject && this.#repairer.isRepaired;
    if ((this.isPlaceholder || isWhole || this.#marked) && !this.#isEnded) return this.end({ isCut: false });
    if (!this.#context.wholeCalls && !this.#isSpare) this.#passOn();
    return this.#take();
  }

  add(entry: NativeEntry): NativeEvent[] {
    const isNamedFurther = this.name !== undefined && this.isNamedFurther(entry);
    if (!isNamedFurther && this.name !== undefined && (entry.name !== undefined || entry.id !== undefined)) {
      this.#note("name_repeated");
    }
    this.#isRepaired ||= !this.#isFaithful(entry);
    this.#hasHead = true;
    if (isNamedFurther) {
      this.name += entry.name ?? "";
      this.#note("name_repaired", "its parts are joined");
    }
    if (this.name === undefined && entry.name !== undefined && this.#toolOf(entry.name) === undefined) {
      this.#marked = this.#context.readName?.(entry.name, this.#context.offered);
    }
    this.name ??= entry.name;
    this.id ??= entry.id;
    if (!entry.isText) this.#note("arguments_not_text");
    if (isHighSurrogate(entry.json.charCodeAt(entry.json.length - 1))) this.#note("surrogate_split");
    this.#held += this.#repairer.push(entry.json);
    this.#isRepaired ||= this.#repairer.isRepaired;
    // A head that may lack the rest of its name, or may be a call too many, can't be sent, so from here on the call is
    // written from its events.
    if (this.#isNameOpen || this.#isSpare || this.#marked) this.#isRepaired = true;
    else if (!this.#context.wholeCalls) this.#passOn(entry.json);
    // Repaired arguments wait for their end: what follows them can show that they are others.
    const isWhole = this.#repairer.isObject && !this.isPlaceholder && !this.#repairer.isRepaired;
    if (isWhole && !this.#isEnded && !this.#marked && this.name !== undefined) this.#finish();
    return this.#take();
  }

  /** Ends the call and returns the last events; `isCut`: the answer was cut off. */
  end(options: { readonly isCut: boolean }): NativeEvent[] {
    if (this.#isEnded) {
      if (this.#repairer.isFailed) this.#endAgain(options);
      return this.#take();
    }
    if (this.#marked && !options.isCut && (!this.isBegun || this.#repairer.isRepetition("{}"))) {
      this.#finishMarked(this.#marked);
      return this.#take();
    }
    const isSpare = this.#isSpare;
    const { json, isWhole } = this.#repairer.end(options);
    this.#held += json;
    this.#isEnded = true;
    if (isSpare) {
      this.#note("repeated_call", "an empty call next to a call to the same tool");
    } else if (this.name === undefined) {
      this.#note("malformed", "a call without a name");
    } else if (isWhole || (this.#context.wholeCalls && !options.isCut)) {
      // A client of whole calls also gets arguments that can't be repaired: its renderer shows them as text.
      this.#finish();
    } else if (this.#context.wholeCalls) {
      this.#note("truncated");
      this.#events.push({ kind: "text", text: this.#source });
    } else {
      this.#passOn();
      this.#abort(options.isCut ? "truncated" : "invalid_arguments");
    }
    return this.#take();
  }

  #finishMarked({ tool, json }: MarkedName): void {
    this.#note("name_repaired", "its marks are read as arguments");
    this.name = tool;
    this.#held = json;
    this.#finish();
  }

  /** Ends whole arguments after which more came: other arguments, or text, which follows them. */
  #endAgain(options: { readonly isCut: boolean }): void {
    if (this.#noted.has("invalid_arguments")) return;
    const { json, isWhole } = this.#repairer.end(options);
    this.#held += json;
    this.#passOn();
    if (isWhole) this.#noteRepairs();
    else this.#abort("invalid_arguments");
  }

  #noteRepairs(): void {
    for (const [reason, detail] of this.#repairer.repairs) this.#note(reason, detail);
  }

  get #source(): string {
    return `{"name": ${JSON.stringify(this.name)}, "arguments": ${this.#held}}`;
  }

  /** Whether a client that gets the raw piece reads the same as from the events: the head first, once, and whole. */
  #isFaithful({ index, id, name, isUsual }: NativeEntry): boolean {
    if (this.#hasHead) return isUsual && id === undefined && name === undefined;
    const hasId = id !== undefined || index === FUNCTION_CALL_INDEX;
    return isUsual && hasId && name !== undefined &&
      (this.#toolOf(name)?.name ?? name) === name;
  }

  #finish(): void {
    const source = this.#context.wholeCalls ? { source: this.#source } : {};
    this.#isEnded = true;
    this.#passOn();
    this.#noteRepairs();
    this.#events.push({ kind: "call_end", call: this.#context.number, ...source });
  }

  #abort(reason: Reason): void {
    this.#note(reason, this.#repairer.refusal);
    this.#events.push({ kind: "call_abort", call: this.#context.number, reason });
  }

  /** Passes on the head, once, and then the arguments; `raw`: those of the piece that was just added. */
  #passOn(raw = ""): void {
    if (this.name === undefined) return;
    const { number } = this.#context;
    if (!this.#isStarted) {
      this.#isStarted = true;
      const tool = this.#tool?.name ?? this.name;
      if (this.#tool && this.#context.offered?.resolve(this.name) === undefined) this.#note("name_repaired");
      this.#events.push({
        kind: "call_start",
        call: number,
        tool,
        rule: NATIVE_RULE,
        confidence: 1,
        ...this.#head(),
      });
    }
    if (raw + this.#held === "") return;
    this.#events.push({ kind: "arguments", call: number, raw, repaired: this.#held });
    this.#held = "";
  }

  #head(): Pick<CallStartEvent, "id" | "extra"> {
    const isLegacy = this.index === FUNCTION_CALL_INDEX;
    const isTaken = this.id !== undefined && this.#context.takesId(this.id);
    if (this.id === undefined && !isLegacy) this.#note("id_missing");
    if (isTaken) this.#note("id_repeated");
    return present({ id: isTaken ? undefined : this.id, extra: this.#extra });
  }

  #note(reason: Reason, detail?: string): void {
    if (this.#noted.has(reason)) return;
    this.#noted.add(reason);
    // A call that was cut off stays unchanged; only the end of the answer shows it.
    this.#isRepaired ||= reason !== "truncated" && reason !== "invalid_arguments";
    this.#events.push({
      kind: "note",
      reason,
      rule: NATIVE_RULE,
      ...present({ tool: this.name }),
      call: this.#context.number,
      start: 0,
      end: 0,
      ...present({ detail }),
    });
  }

  #take(): NativeEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}
