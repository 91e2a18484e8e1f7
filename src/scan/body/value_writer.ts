/**
 * One value that comes as text, on its way into the arguments. Where the schema allows a string it flows; else it
 * is kept until it is whole and read as the schema asks.
 *
 * @module
 */
import { isHighSurrogate } from "../../json/escape.ts";
import { escapeJson } from "../../json/writer.ts";
import { allowedTypes, itemSchema, parameterSchema, VALUE_TYPES, type ValueType } from "../../tool/schema.ts";
import type { JsonSchema } from "../../tool/offered.ts";
import { readValue } from "../../tool/value.ts";
import type { ArgumentsWriter } from "../arguments_writer.ts";
import type { Escapes } from "../program.ts";
import { createUnescape, type Unescape } from "./unescape.ts";

/** Longer values flow as text, whatever the schema asks: nobody can wait for them. */
const KEPT_MAXIMUM = 1024 * 1024;

/** `null` in as many letters: once a value is longer it is text, where text is allowed. */
const NULL_LENGTH = 4;

/** How a value is written, beyond being text. */
export interface ValueNotation {
  /** The JSON type that the model gives it, or whether it is a string; it counts if the schema has no type. */
  readonly type?: string | undefined;
  /** How special characters are written. */
  readonly escapes?: Escapes;
  /** Reads items that stand in the value; undefined if there are none. */
  readonly nested?: ((text: string, schema: JsonSchema | undefined) => string | undefined) | undefined;
}

/** Takes the text of an item's value. */
export interface ItemValue {
  /** Whether the value may be text. */
  readonly isText: boolean;
  /** Whether the value is a list and cannot be text: then several values in a row are its elements. */
  readonly isList: boolean;
  /** A piece of the text. */
  write(text: string): void;
  /** The text of a value that is one of several. */
  take(): string;
  /** The value is whole. */
  finish(): { isKeptAsText: boolean; isRepaired: boolean };
  /** Several values in a row are the elements of a list. */
  finishList(texts: readonly string[]): void;
}

/** What a value may begin with whose whole is not its text. */
const CDATA = "<![CDATA[";
const CDATA_END = "]]>";

/** Writes one value. */
export class ValueWriter implements ItemValue {
  readonly #writer: ArgumentsWriter;
  readonly #types: ReadonlySet<ValueType>;
  readonly #schema: JsonSchema | undefined;
  readonly #nested: ValueNotation["nested"];
  readonly #unescape: Unescape | undefined;
  #kept = "";
  readonly #items: ReadonlySet<ValueType>;
  readonly isText: boolean;
  #flows = false;
  #half = "";

  constructor(writer: ArgumentsWriter, key: string, notation: ValueNotation = {}) {
    const { schema } = writer.tool;
    this.#writer = writer;
    this.#schema = parameterSchema(schema, key);
    this.#types = typesOf(this.#schema, { root: schema, written: notation.type });
    this.#nested = notation.nested;
    this.#unescape = createUnescape(notation.escapes ?? "none");
    this.isText = this.#types.has("string") || (this.#types.size === 0 && notation.nested === undefined);
    this.#items = allowedTypes(itemSchema(this.#schema), schema);
  }

  get isList(): boolean {
    return this.#types.has("array") && !this.#types.has("string");
  }

  /** A piece of the text. */
  write(text: string): void {
    this.#write(this.#unescape?.push(text) ?? text);
  }

  #write(text: string): void {
    if (text === "") return;
    if (this.#flows) return this.#flow(text);
    this.#kept += text;
    const isText = this.isText && !this.#mayBeOther();
    if (isText || this.#kept.length > KEPT_MAXIMUM) this.#begin();
  }

  /** Whether a text may still be `null`, a section, or a list, where the schema allows these. */
  #mayBeOther(): boolean {
    const text = this.#kept.trim();
    if (CDATA.startsWith(text) || text.startsWith(CDATA)) return true;
    // Four letters and white space around them may still be `null`.
    if (this.#types.has("null") && text.length <= NULL_LENGTH) return true;
    return this.#types.has("array") && text.startsWith("[");
  }

  /** The value is whole. */
  finish(): { isKeptAsText: boolean; isRepaired: boolean } {
    this.#write(this.#unescape?.end() ?? "");
    if (this.#flows) {
      if (this.#half !== "") this.#writer.stringPiece(escapeJson(this.#half));
      this.#writer.stringEnd();
      return { isKeptAsText: !this.isText, isRepaired: false };
    }
    const nested = this.#nested?.(this.#kept, this.#schema);
    if (nested !== undefined) {
      this.#writer.value(nested);
      return { isKeptAsText: false, isRepaired: false };
    }
    const value = readValue(withoutCdata(this.#kept), this.#types, this.#items);
    this.#writer.value(value.json);
    return value;
  }

  take(): string {
    this.#write(this.#unescape?.end() ?? "");
    return withoutCdata(this.#kept);
  }

  finishList(texts: readonly string[]): void {
    this.#writer.value(`[${texts.map((text) => readValue(text, this.#items).json).join()}]`);
  }

  #begin(): void {
    this.#flows = true;
    this.#writer.stringBegin();
    this.#flow(this.#kept);
    this.#kept = "";
  }

  /** Half a surrogate pair waits for the other half. */
  #flow(text: string): void {
    const whole = this.#half + text;
    const isHalf = isHighSurrogate(whole.charCodeAt(whole.length - 1));
    this.#half = isHalf ? whole.slice(-1) : "";
    this.#writer.stringPiece(escapeJson(isHalf ? whole.slice(0, -1) : whole));
  }
}

/** The types of a value that isn't a string. */
const OTHER_TYPES: ReadonlySet<ValueType> = new Set(VALUE_TYPES.filter((type) => type !== "string"));

/** The types that a value can have: those of the schema, or what the model states. */
function typesOf(
  schema: JsonSchema | undefined,
  { root, written }: { root: JsonSchema | undefined; written: string | undefined },
): ReadonlySet<ValueType> {
  const types = allowedTypes(schema, root);
  if (types.size > 0 || written === undefined) return types;
  if (written === "false") return OTHER_TYPES;
  const type = VALUE_TYPES.find((one) => one === written || (one === "string" && written === "true"));
  return type === undefined ? types : new Set([type]);
}

/** The text of a value that is one CDATA section; any other text stays as it is. */
function withoutCdata(text: string): string {
  const section = text.trim();
  const end = section.length - CDATA_END.length;
  if (!section.startsWith(CDATA) || section.indexOf(CDATA_END) !== end) return text;
  return section.slice(CDATA.length, end);
}
