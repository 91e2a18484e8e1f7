/**
 * One value that comes as text, on its way into the arguments. Where the schema allows a string it flows; else it
 * is kept until it is whole and read as the schema asks.
 *
 * @module
 */
import { isHighSurrogate } from "../../json/reader.ts";
import { escapeJson } from "../../json/writer.ts";
import { allowedTypes, parameterSchema, type ValueType } from "../../tool/schema.ts";
import { readValue } from "../../tool/value.ts";
import type { ArgumentsWriter } from "../arguments_writer.ts";

/** Longer values flow as text, whatever the schema asks: nobody can wait for them. */
const KEPT_MAXIMUM = 1024 * 1024;

/** `null` in as many letters: once a value is longer it is text, where text is allowed. */
const NULL_LENGTH = 4;

/** Writes one value. */
export class ValueWriter {
  readonly #writer: ArgumentsWriter;
  readonly #types: ReadonlySet<ValueType>;
  #kept = "";
  #flows: boolean;
  #isText: boolean;
  #half = "";

  constructor(writer: ArgumentsWriter, key: string) {
    const { schema } = writer.tool;
    this.#writer = writer;
    this.#types = allowedTypes(parameterSchema(schema, key), schema);
    this.#isText = this.#types.size === 0 || this.#types.has("string");
    this.#flows = this.#isText && !this.#types.has("null");
    if (this.#flows) writer.stringBegin();
  }

  /** A piece of the text. */
  write(text: string): void {
    if (text === "") return;
    if (this.#flows) return this.#flow(text);
    this.#kept += text;
    // Four letters and white space around them may still be `null`.
    const isTooLong = this.#isText
      ? this.#kept.trim().length > NULL_LENGTH
      : this.#kept.length > KEPT_MAXIMUM;
    if (isTooLong) this.#begin();
  }

  /** The value is whole. */
  finish(): { isKeptAsText: boolean; isRepaired: boolean } {
    if (this.#flows) {
      if (this.#half !== "") this.#writer.stringPiece(escapeJson(this.#half));
      this.#writer.stringEnd();
      return { isKeptAsText: !this.#isText, isRepaired: false };
    }
    const value = readValue(this.#kept, this.#types);
    this.#writer.value(value.json);
    return value;
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
