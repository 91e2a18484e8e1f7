/**
 * The normal form of the request text that a model can repeat, with the gaps between its characters.
 *
 * @module
 */
import { Decoder } from "./decoder.ts";
import { withoutLineMarks } from "./line_marks.ts";
import { tableColumns } from "./table_columns.ts";
import { NormalForm, type NormalFormSink } from "./normal_form.ts";

/** The number of characters of the request that are compared, counted from its end. */
export const QUOTABLE_MAXIMUM = 512 * 1024;

/** The normal form of the request's text, with its gaps. */
export class QuotableText implements NormalFormSink {
  readonly text: string;
  readonly #units: Uint16Array;
  readonly #gaps: Uint8Array;
  readonly #ends: number[] = [];
  #length = 0;

  /** @param texts the messages, newest last */
  constructor(texts: readonly string[]) {
    const messages = newest(texts).map((text) => new Message(text));
    // A message whose lines have marks is added again without them.
    const parts = [
      ...messages.map(({ text }) => text),
      ...messages.flatMap((message) =>
        withoutLineMarks(message.text) ?? withoutLineMarks(message.decoded) ?? []
      ),
      ...columnsOf(messages),
    ];
    const size = parts.reduce((sum, part) => sum + part.length, 0);
    this.#units = new Uint16Array(size);
    this.#gaps = new Uint8Array(size + 1);
    for (const part of parts) {
      const form = new NormalForm(this);
      form.feed(part);
      form.end();
      this.#ends.push(this.#length);
    }
    this.text = textOf(this.#units.subarray(0, this.#length));
  }

  unit(unit: number): void {
    this.#units[this.#length++] = unit;
  }

  gap(gap: number): void {
    if (gap > this.#gaps[this.#length]!) this.#gaps[this.#length] = gap;
  }

  gapBefore(index: number): number {
    return this.#gaps[index]!;
  }

  /** The first end of a message at or after an index. */
  nextMessageEnd(index: number): number {
    return this.#ends.find((end) => end >= index) ?? this.text.length;
  }

  /** The last end of a message at or before an index, or -1. */
  messageEnd(index: number): number {
    return this.#ends.findLast((end) => end <= index) ?? -1;
  }
}

/** A message, whose escapes are decoded at most once. */
class Message {
  readonly text: string;
  #decoded: string | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get decoded(): string {
    return this.#decoded ??= decode(this.text);
  }
}

/** The ways to read a message with a table in it, of which the first one that finds any counts. */
const READINGS: readonly ((message: Message) => string)[] = [
  ({ text }) => text,
  ({ text }) => inString(text),
  ({ decoded }) => decoded,
];

/** The last messages within the limit; the oldest can lack its beginning. */
function newest(texts: readonly string[]): string[] {
  const parts: string[] = [];
  let room = QUOTABLE_MAXIMUM;
  for (let at = texts.length - 1; at >= 0 && room > 0; at--) {
    const text = texts[at]!;
    parts.unshift(text.length > room ? text.slice(-room) : text);
    room -= text.length;
  }
  return parts;
}

/** The columns of the tables in the messages, of which the newest count. */
function columnsOf(messages: readonly Message[]): string[] {
  const columns: string[] = [];
  let room = QUOTABLE_MAXIMUM;
  for (const message of messages.toReversed()) {
    for (const readingOf of READINGS) {
      const found = tableColumns(readingOf(message), room);
      room -= found.reduce((sum, column) => sum + column.length, 0);
      columns.push(...found);
      if (found.length > 0) break;
    }
  }
  return columns;
}

/** A text that is a string of JSON, without its own escapes; a call in it keeps those of its values. */
function inString(text: string): string {
  return text.split("\\\\").map((part) => part.replaceAll("\\n", "\n").replaceAll('\\"', '"')).join("\\");
}

function decode(text: string): string {
  const units = new Uint16Array(text.length);
  let length = 0;
  const decoder = new Decoder((unit) => units[length++] = unit);
  for (let at = 0; at < text.length; at++) decoder.read(text.charCodeAt(at));
  decoder.end();
  return textOf(units.subarray(0, length));
}

function textOf(units: Uint16Array): string {
  let text = "";
  for (let at = 0; at < units.length; at += 8192) {
    text += String.fromCharCode(...units.subarray(at, at + 8192));
  }
  return text;
}
