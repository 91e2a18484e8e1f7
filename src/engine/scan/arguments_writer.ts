/**
 * Writes the arguments of one call as JSON text: it converts values whose type the schema doesn't allow, renames them according to the rule's mapping, adds constants,
 * removes the wrapper's identifiers, and notes unknown and repeated parameters.
 *
 *     {"days": "3"}                         →   {"days":3}
 *     {"path": "a.ts", "path": "b.ts", …}   →   {"path":"b.ts", …
 *                                                held until another key shows that it isn't repeated
 *
 * @module
 */
import type { Reason } from "../event/reason.ts";
import type { JsonHandler } from "../json/handler.ts";
import { areAkin } from "../tool/akin_names.ts";
import { JsonReader } from "../json/reader.ts";
import { JsonWriter, unescapeJson } from "../json/writer.ts";
import type { OfferedTool } from "../tool/offered.ts";
import {
  canEnd,
  declares,
  itemTypes,
  parameterNames,
  parameterSchema,
  parameterTypes,
  requiredParameters,
  type ValueType,
} from "../tool/schema.ts";
import { isExact, readValue, wantsText } from "../tool/value.ts";
import type { Mapping } from "./compiled_rule.ts";

/** What is known of a call's arguments so far. */
export interface WrittenArguments {
  readonly tool: OfferedTool;
  readonly names: ReadonlySet<string>;
  /** The short values of those parameters as JSON text. */
  readonly values: ReadonlyMap<string, string>;
}

/** Receives the written arguments. */
export interface ArgumentsSink {
  /** Whether the client receives each piece immediately, so that no value can be replaced. */
  readonly flows?: boolean;
  json(piece: string): void;
  /** Checks a parameter before its value; false refuses the arguments. */
  parameter(name: string, before: WrittenArguments): boolean;
  /** An item that names the call and isn't an argument. */
  identifier(key: string, value: string): void;
  repair(reason: Reason, detail?: string): void;
  /** A parameter's name may lack a letter: a second reader checks the call, although nothing was repaired. */
  compareNames(name: string, known: string): void;
  /** Refuses the arguments, whatever follows. */
  refuse(detail: string): void;
}

export interface ArgumentsOptions {
  readonly tool: OfferedTool;
  readonly mapping?: Mapping | undefined;
  /** Items that name the call and aren't arguments. */
  readonly meta: readonly string[];
  readonly keepsTypes?: boolean;
}

/** A parameter whose value can still be replaced. */
interface LastParameter {
  readonly key: string;
  json: string;
  /** The values so far of a list. */
  elements?: readonly string[];
}

/** The longest text, in characters, that waits until it can be converted; a longer one stays a string. */
const CONVERTED_MAXIMUM = 1024 * 1024;

const NO_TYPES: ReadonlySet<ValueType> = new Set();

/** The longest value that is compared with its repetition. */
const COMPARED_MAXIMUM = 64 * 1024;

/** The longest JSON text of a value that can be replaced. A longer one, or one of several lines, is sent at once. */
const REPLACEABLE_MAXIMUM = 128;
const LINE_BREAK = "\\n";

/**
 * Writes the parts of the arguments object. The outermost `begin` and `end` belong to it; its brace waits for `finish`.
 */
export class ArgumentsWriter implements JsonHandler, WrittenArguments {
  readonly tool: OfferedTool;
  readonly names = new Set<string>();
  /** These are compared with repeated ones. */
  readonly values = new Map<string, string>();
  readonly #sink: ArgumentsSink;
  readonly #options: ArgumentsOptions;
  readonly #writer: JsonWriter;
  readonly #renamed: ReadonlyMap<string, string>;
  #depth = 0;
  #isBegun = false;
  /** Whether the outermost brackets are those of an object in the place of the arguments' members. */
  #isUnwrapping = false;
  /** The value that is kept out of the arguments: that of an identifier or of a repeated parameter. */
  #aside:
    | { readonly key: string; readonly isRepeated: boolean; json: string; writer: JsonWriter }
    | undefined;
  /** The value that is being written, while it is short. */
  #value: { readonly name: string; json: string } | undefined;
  /** The types that the schema allows for the value that begins. */
  #types = NO_TYPES;
  /** The text of a string that can be another value, or the object, escaped, until it ends. */
  #text: string | undefined;
  /** The last parameter, while its value isn't sent and can be replaced. */
  #last: LastParameter | undefined;
  /** What was written from an undeclared parameter on, while a required one is missing. */
  #unsure: { readonly key: string; json: string } | undefined;
  /** The pieces that aren't kept. */
  sent = 0;
  /** Whether the outermost value isn't an object, or its first key isn't a parameter of the tool. */
  isRefused = false;

  constructor(sink: ArgumentsSink, options: ArgumentsOptions) {
    this.#sink = sink;
    this.tool = options.tool;
    this.#options = options;
    this.#writer = new JsonWriter((piece) => this.#write(piece));
    this.#renamed = new Map(Object.entries(options.mapping?.from ?? {}).map(([to, from]) => [from, to]));
  }

  has(key: string): boolean {
    return this.names.has(key);
  }

  /** Whether the object or list that is a parameter's value is open. */
  get isInValue(): boolean {
    return this.#depth > 1;
  }

  /** Whether all parameters that the tool requires were written. */
  get hasRequired(): boolean {
    return requiredParameters(this.tool.schema).every((name) => this.has(name));
  }

  /** Whether the call can be whole although nothing closes it. */
  canEnd(isBetween: boolean): boolean {
    return canEnd(this.tool, (name) => this.has(name), isBetween);
  }

  /**
   * Whether a parameter is the last one and a short line, so that a repetition directly after it replaces its value.
   */
  isReplaceable(key: string): boolean {
    return this.#last?.key === key;
  }

  /** Writes the members of an object, which is JSON without whitespace. */
  members(json: string): void {
    this.#depth = 0;
    this.#isUnwrapping = true;
    new JsonReader(this).read(json, 0);
    this.#isUnwrapping = false;
    this.#depth = 1;
  }

  /** Writes the last brace once the end of the call is certain, so that a value that was cut off never looks whole. */
  finish(): void {
    this.settle();
    if (this.#depth === 0 && this.#isBegun) this.#writer.end();
  }

  /**
   * Sends what waited from an undeclared parameter on. If it is the only required one that is missing, in another spelling, it
   * gets that one's name.
   */
  settle(): void {
    const unsure = this.#unsure;
    if (unsure === undefined) return;
    this.sendLast();
    this.#unsure = undefined;
    const to = this.#meantBy(unsure);
    if (to !== undefined) {
      this.names.add(to);
      this.#sink.repair("arguments_fitted", `${unsure.key} for ${to}`);
    }
    const key = JSON.stringify(unsure.key);
    this.#sink.json(to === undefined ? unsure.json : unsure.json.replace(key, () => JSON.stringify(to)));
  }

  /** Whether all required parameters were written, one perhaps in another spelling. */
  get isComplete(): boolean {
    return this.hasRequired || this.#meantBy(this.#unsure) !== undefined;
  }

  /** The one required parameter that is missing and that an undeclared key can be; all others are declared. */
  #meantBy(unsure: { readonly key: string } | undefined): string | undefined {
    if (unsure === undefined) return undefined;
    const { key } = unsure;
    const { schema } = this.tool;
    const [to, ...others] = requiredParameters(schema).filter((name) => !this.names.has(name));
    const isOnly = [...this.names].every((name) => name === key || declares(schema, name));
    if (to === undefined || others.length > 0 || !isOnly || !areAkin(to, key)) return undefined;
    const types = parameterTypes(schema, to);
    return types.has("string") ? to : undefined;
  }

  /** Sends a piece, or keeps it from an undeclared parameter on. */
  #send(json: string): void {
    if (this.#unsure === undefined) return this.#sink.json(json);
    this.#unsure.json += json;
    if (this.#unsure.json.length <= CONVERTED_MAXIMUM) return;
    this.#sink.json(this.#unsure.json);
    this.#unsure = undefined;
  }

  /** Sends the held text, because the last parameter can't be repeated or the call has failed. */
  sendLast(): void {
    const json = this.#last?.json ?? "";
    this.#last = undefined;
    if (json !== "") this.#send(json);
  }

  /** Takes all held text, so that it isn't sent. */
  takeHeld(): string {
    const json = (this.#unsure?.json ?? "") + (this.#last?.json ?? "");
    this.#unsure = this.#last = undefined;
    return json;
  }

  /** Receives the value: what is kept out of the arguments has a writer of its own. */
  get #out(): JsonWriter {
    return this.#aside?.writer ?? this.#writer;
  }

  begin(kind: "object" | "array"): void {
    this.#types = NO_TYPES;
    if (this.#depth++ === 0) {
      if (this.#isUnwrapping) return;
      this.#isBegun = true;
      if (kind === "array") this.isRefused = true;
    }
    this.#out.begin(kind);
  }

  end(): void {
    if (--this.#depth === 0) {
      if (this.#isUnwrapping) return;
      this.sendLast();
      return this.#constants();
    }
    this.#out.end();
    this.#valueEnd();
  }

  key(key: string): void {
    this.#types = NO_TYPES;
    if (this.#depth !== 1) return this.#out.key(key);
    const name = this.#renamed.get(key) ?? key;
    if (this.#last && this.#last.key !== key) this.sendLast();
    if (this.#options.meta.includes(key)) return this.#takeAside(key, false);
    if (this.names.has(name)) return this.#takeAside(name, true);
    if (!this.#sink.parameter(name, this)) this.isRefused = true;
    if (!declares(this.tool.schema, name)) this.#beginUnsure(name);
    this.names.add(name);
    if (this.#unsure !== undefined && this.hasRequired) this.settle();
    this.#writer.key(name);
    if (!this.#options.keepsTypes) this.#types = parameterTypes(this.tool.schema, name);
    this.#value = { name, json: "" };
    this.#last = this.#sink.flows ? undefined : { key, json: "" };
  }

  /** What can be a required parameter in another spelling waits for the other ones. */
  #beginUnsure(name: string): void {
    this.#sink.repair("unknown_parameter", name);
    const { schema } = this.tool;
    for (const known of parameterNames(schema)) {
      if (!this.names.has(known)) this.#sink.compareNames(name, known);
    }
    if (this.hasRequired || this.#sink.flows || this.#options.keepsTypes) return;
    this.#unsure ??= { key: name, json: "" };
  }

  stringBegin(): void {
    const { size } = this.#types;
    if (this.#depth === 0 || (size > 0 && !this.#types.has("string"))) this.#text = "";
    else this.#out.stringBegin();
  }

  stringPiece(escaped: string): void {
    if (this.#text === undefined) return this.#out.stringPiece(escaped);
    this.#text += escaped;
    if (this.#text.length <= CONVERTED_MAXIMUM) return;
    this.isRefused ||= this.#depth === 0;
    this.#writer.stringBegin();
    this.#writer.stringPiece(this.#text);
    this.#text = undefined;
  }

  stringEnd(): void {
    if (this.#text === undefined) this.#out.stringEnd();
    else if (this.#depth === 0) return this.#decode(this.#text);
    else this.#convert(this.#text);
    this.#valueEnd();
  }

  scalar(json: string): void {
    if (this.#depth === 0) this.isRefused = true;
    const isConverted = wantsText(this.#types) && isExact(json);
    if (isConverted) this.#noteConversion();
    this.#out.scalar(isConverted ? `"${json}"` : json);
    this.#valueEnd();
  }

  /** Writes the object that a string contains: `"{\\"city\\": \\"Oslo\\"}"` → `{"city": "Oslo"}`. */
  #decode(escaped: string): void {
    this.#text = undefined;
    const text = unescapeJson(escaped).trim() || "{}";
    const reader = new JsonReader(this);
    this.isRefused ||= reader.read(text, 0) < text.length || reader.state !== "done";
    if (escaped !== "") this.#sink.repair("arguments_decoded");
    noteRepairs(this.#sink, reader);
  }

  /** Writes the string of a parameter as the value that the schema allows, if its text shows one. */
  #convert(escaped: string): void {
    this.#text = undefined;
    const items = this.#itemTypesOf(this.#value?.name ?? "");
    const { json, isKeptAsText } = readValue(unescapeJson(escaped), this.#types, items);
    if (!isKeptAsText) this.#noteConversion();
    this.#writer.scalar(isKeptAsText ? `"${escaped}"` : json);
  }

  #noteConversion(): void {
    this.#sink.repair("arguments_fitted", "a value of another type");
  }

  #itemTypesOf(name: string): ReadonlySet<ValueType> {
    const { schema } = this.tool;
    return itemTypes(parameterSchema(schema, name), schema);
  }

  #takeAside(key: string, isRepeated: boolean): void {
    const aside = { key, isRepeated, json: "", writer: new JsonWriter((piece) => aside.json += piece) };
    this.#aside = aside;
  }

  #write(piece: string): void {
    this.sent++;
    if (this.#last) {
      this.#last.json += piece;
      if (!isShortLine(this.#last.json)) this.sendLast();
    } else this.#send(piece);
    if (!this.#value) return;
    this.#value.json += piece;
    if (this.#value.json.length > COMPARED_MAXIMUM) this.#value = undefined;
  }

  #valueEnd(): void {
    if (this.#depth !== 1) return;
    if (this.#value) this.values.set(this.#value.name, this.#value.json);
    this.#value = undefined;
    const aside = this.#aside;
    this.#aside = undefined;
    if (aside?.isRepeated) this.#compare(aside.key, aside.json);
    else if (aside) {
      const value: unknown = JSON.parse(aside.json);
      this.#sink.identifier(aside.key, typeof value === "string" ? value : aside.json);
    }
  }

  /**
   * Compares a repeated parameter: equal values count once; of two short lines in a row, the last counts; of any other
   * two values, neither is certain.
   */
  #compare(name: string, json: string): void {
    if (this.values.get(name) === json) return this.#sink.repair("repeated_parameter", name);
    if (this.#last && isShortLine(json)) {
      this.values.set(name, json);
      return this.#replace(this.#last, { name, json });
    }
    this.isRefused = true;
    this.#sink.refuse(`\`${name}\` came twice`);
  }

  /** Replaces the last value. If the schema allows a list, consecutive values are its elements. */
  #replace(last: LastParameter, { name, json }: { name: string; json: string }): void {
    const { schema } = this.tool;
    const isList = parameterTypes(schema, name).has("array");
    if (isList && !json.startsWith("[") && (last.elements || !last.json.startsWith("["))) {
      last.elements = [...last.elements ?? [last.json], json];
      last.json = `[${last.elements.join()}]`;
    } else {
      last.json = json;
      this.#sink.repair("replaced_parameter", name);
    }
  }

  #constants(): void {
    for (const [name, value] of Object.entries(this.#options.mapping?.constants ?? {})) {
      if (this.names.has(name)) continue;
      this.#writer.key(name);
      this.#writer.scalar(this.#constantJson(name, value));
    }
  }

  /** A constant as JSON; a text is the value that the parameter's type makes of it, and another value a text if it must be one. */
  #constantJson(name: string, value: unknown): string {
    const json = JSON.stringify(value);
    if (this.#options.keepsTypes) return json;
    const types = parameterTypes(this.tool.schema, name);
    if (typeof value === "string") {
      const items = this.#itemTypesOf(name);
      return types.size === 0 || types.has("string") ? json : readValue(value, types, items).json;
    }
    return wantsText(types) ? JSON.stringify(json) : json;
  }
}

function isShortLine(json: string): boolean {
  return json.length <= REPLACEABLE_MAXIMUM && !json.includes(LINE_BREAK);
}

export function noteRepairs(
  sink: Pick<ArgumentsSink, "repair">,
  { repairs }: Pick<JsonReader, "repairs">,
): void {
  if (repairs.size > 0) sink.repair("json_repaired", [...repairs].join(", "));
}
