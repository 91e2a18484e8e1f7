/**
 * Writes one value from its text to the arguments. If the schema allows a string, the text is passed on while it
 * arrives; otherwise it is kept until it is whole and read according to the schema.
 *
 * @module
 */
import { WholeCharacters } from "../../json/escape.ts";
import { escapeJson } from "../../json/writer.ts";
import {
  allowedTypes,
  isMember,
  itemTypes,
  parameterSchema,
  VALUE_TYPES,
  type ValueType,
} from "../../tool/schema.ts";
import type { JsonSchema } from "../../tool/offered.ts";
import { readValue } from "../../tool/value.ts";
import type { ArgumentsWriter } from "../arguments_writer.ts";
import type { Escapes } from "../compiled_rule.ts";
import { createUnescape, type Unescape } from "./unescape.ts";

/** The longest value that is kept; a longer one is passed on as text, whatever the schema requires, or refused. */
export const KEPT_MAXIMUM = 1024 * 1024;

/** The length of `null`. A longer value is text if text is allowed. */
const NULL_LENGTH = 4;

export interface ValueNotation {
  /** The JSON type that the model states, or whether the value is a string; it counts if the schema has no type. */
  readonly type?: string | undefined;
  /** The notation of special characters. */
  readonly escapes?: Escapes;
  /** Reads items inside the value; returns undefined if there are none. */
  readonly nested?: ((text: string, schema: JsonSchema | undefined) => string | undefined) | undefined;
}

export interface ItemValue {
  readonly isText: boolean;
  /** Whether the value is a list and can't be text, so that consecutive values are its elements. */
  readonly isList: boolean;
  /**
   * Whether a text shows that it is whole: a closed value, one that the schema lists, or, with something after it, a number
   * or a word.
   */
  isComplete(text: string, isDelimited: boolean): boolean;
  /** The length of the end of the text that isn't passed on; undefined if nothing of it is. */
  readonly unsent: number | undefined;
  write(text: string): void;
  /** Ends an element of the list, which another follows. */
  next(): void;
  finish(): { isKeptAsText: boolean; isRepaired: boolean };
}

/** The marks of a CDATA section, which aren't part of a value's text. */
const CDATA = "<![CDATA[";
const CDATA_END = "]]>";

export class ValueWriter implements ItemValue {
  readonly #writer: ArgumentsWriter;
  readonly #types: ReadonlySet<ValueType>;
  readonly #schema: JsonSchema | undefined;
  readonly #nested: ValueNotation["nested"];
  readonly #unescape: Unescape | undefined;
  #kept = "";
  /** The JSON of the elements so far, each with a comma. */
  #elements = "";
  /** The beginning of the value, which decides whether it can be anything but text. */
  #head = "";
  readonly #items: ReadonlySet<ValueType>;
  readonly isText: boolean;
  #flows = false;
  readonly #characters = new WholeCharacters();

  constructor(writer: ArgumentsWriter, key: string, notation: ValueNotation = {}) {
    const { schema } = writer.tool;
    this.#writer = writer;
    this.#schema = parameterSchema(schema, key);
    this.#types = typesOf(this.#schema, { root: schema, written: notation.type });
    this.#nested = notation.nested;
    this.isText = this.#types.has("string") || (this.#types.size === 0 && notation.nested === undefined);
    // The strings in a list have escapes of their own.
    this.#unescape = this.isText || notation.escapes === "entities"
      ? createUnescape(notation.escapes)
      : undefined;
    this.#items = itemTypes(this.#schema, schema);
  }

  get isList(): boolean {
    return this.#types.has("array") && !this.#types.has("string") && !this.#flows;
  }

  get unsent(): number | undefined {
    return this.#flows ? (this.#unescape?.waiting ?? 0) + (this.#characters.isEmpty ? 0 : 1) : undefined;
  }

  isComplete(text: string, isDelimited: boolean): boolean {
    if (this.isText) return isMember(text.trim(), this.#schema);
    const { json, isKeptAsText, isRepaired } = readValue(text, this.#types, this.#items);
    const isClosed = json.startsWith("{") || json.startsWith("[");
    return !isKeptAsText && !isRepaired && (isDelimited || isClosed);
  }

  write(text: string): void {
    this.#write(this.#unescape?.push(text) ?? text);
  }

  #write(text: string): void {
    if (text === "") return;
    if (this.#flows) return this.#flow(text);
    this.#kept += text;
    const isText = this.isText && !this.#mayBeOther(text);
    if (isText || this.#elements.length + this.#kept.length > KEPT_MAXIMUM) this.#begin();
  }

  /** Whether the value can still be `null`, a CDATA section, or a list that the schema allows, after one more piece. */
  #mayBeOther(piece: string): boolean {
    this.#head = beginningOf(this.#head + piece);
    const text = this.#head.trimEnd();
    if (CDATA.startsWith(text) || text.startsWith(CDATA)) return true;
    // Up to four letters with whitespace around them can still be `null`.
    if (this.#types.has("null") && text.length <= NULL_LENGTH) return true;
    return this.#types.has("array") && text.startsWith("[");
  }

  finish(): { isKeptAsText: boolean; isRepaired: boolean } {
    this.#write(this.#unescape?.end() ?? "");
    if (this.#flows) {
      if (!this.#characters.isEmpty) this.#writer.stringPiece(escapeJson(this.#characters.end()));
      this.#writer.stringEnd();
      return { isKeptAsText: !this.isText, isRepaired: false };
    }
    if (this.#elements !== "") {
      this.#writer.scalar(`[${this.#elements}${this.#element}]`);
      return { isKeptAsText: false, isRepaired: false };
    }
    const nested = this.#nested?.(this.#kept, this.#schema);
    if (nested !== undefined) {
      this.#writer.scalar(nested);
      return { isKeptAsText: false, isRepaired: false };
    }
    const value = readValue(withoutCdata(this.#kept), this.#types, this.#items);
    this.#writer.scalar(value.json);
    return value;
  }

  next(): void {
    this.#write(this.#unescape?.end() ?? "");
    this.#elements += `${this.#element},`;
    this.#kept = this.#head = "";
  }

  get #element(): string {
    return readValue(withoutCdata(this.#kept), this.#items).json;
  }

  #begin(): void {
    // The elements before can't become text.
    if (this.#elements !== "") this.#writer.isRefused = true;
    this.#flows = true;
    this.#writer.stringBegin();
    this.#flow(this.#kept);
    this.#kept = "";
  }

  /** Passes text on. A high surrogate waits for its low surrogate. */
  #flow(text: string): void {
    this.#writer.stringPiece(escapeJson(this.#characters.push(text)));
  }
}

const OTHER_TYPES: ReadonlySet<ValueType> = new Set(VALUE_TYPES.filter((type) => type !== "string"));

/** The types that a value can have, from the schema or else from the model. */
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

/** The first characters of a text without the whitespace before them, and with one space for the whitespace after them. */
function beginningOf(text: string): string {
  const start = text.trimStart();
  const bare = start.trimEnd();
  if (bare.length > CDATA.length) return bare.slice(0, CDATA.length + 1);
  return bare.length < start.length ? `${bare} ` : bare;
}

/** The text of a value that is a CDATA section, which can show other ones; any other text is unchanged. */
function withoutCdata(text: string): string {
  const section = text.trim();
  return section.startsWith(CDATA) && section.endsWith(CDATA_END)
    ? section.slice(CDATA.length, -CDATA_END.length)
    : text;
}
