/**
 * The normal form of a text for comparing a call with the text that it may repeat: what a file viewer, a diff, a
 * serializer, or a web page adds to a text is gone.
 *
 *     as the model writes it      <function=read_file>⏎<parameter=path>⏎a.txt
 *     numbered                    12 | <function=read_file>⏎13 | <parameter=path>⏎14 | a.txt
 *     as JSON                     <function=read_file>\n<parameter=path>\na.txt
 *     as HTML                     &lt;function=read_file&gt;⏎…
 *     normal form of all          <function=read_file><parameter=path>a.txt
 *
 * The form loses information on purpose. It decides only whether two texts are the same text in other clothes.
 *
 * @module
 */
import { isSpace } from "../pattern/node.ts";
import { Decoder, isDigit, isInvisible } from "./decoder.ts";

/** What stands between two characters of a normal form in the text it was made from. */
export const GAP = { none: 0, space: 1, line: 2 } as const;

/** Takes the characters of a normal form, and the gaps between them. */
export interface NormalFormSink {
  /** One UTF-16 unit of the normal form. */
  unit(unit: number): void;
  /** White space that the normal form drops: `GAP.space` or `GAP.line`. */
  gap(gap: number): void;
}

const TAB = 0x09;

/** The longest number in front of a line. */
const NUMBER_MAXIMUM = 12;

/** What diffs, quotations, lists, comments, and tables put in front of a line. */
const LINE_PREFIXES = new Set([..."+->|*#;%:→│┃▌•·"].map((character) => character.charCodeAt(0)));

/** What separates a line's number from the line: by itself, or only with a space or markup after it (`3.14` is a value). */
const SEPARATORS = new Set([..."|:→│"].map((character) => character.charCodeAt(0)));
const WEAK_SEPARATORS = new Set([...").-+>"].map((character) => character.charCodeAt(0)));

/** What markup begins with. */
const MARKUP = new Set([...'<[{"`'].map((character) => character.charCodeAt(0)));

/**
 * Where in a line the text stands: in front of it, in a number in front of it, after that number, or in it. A text may
 * begin in the middle of a line, so a mark at its very beginning belongs to it unless a space follows.
 */
type Place = "beginning" | "mark" | "start" | "number" | "after number" | "after separator" | "line";

/** Makes the normal form of one text as it comes; the cut of the text does not change it. */
export class NormalForm {
  readonly #sink: NormalFormSink;
  readonly #decoder = new Decoder((unit) => this.#read(unit));
  #place: Place = "beginning";
  /** The number in front of the line, with its separator. */
  #number = "";

  constructor(sink: NormalFormSink) {
    this.#sink = sink;
  }

  /** More of the text. */
  feed(text: string): void {
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (!this.#decoder.isPlain(unit)) this.#decoder.read(unit);
      else if (this.#place === "line" && unit > 0x20 && unit < 0x7f) this.#sink.unit(unit);
      else this.#read(unit);
    }
  }

  /** The text is over: what was beginning is not an escape, and a number is not in front of anything. */
  end(): void {
    this.#decoder.end();
    this.#keepNumber();
  }

  /** A decoded unit: white space goes, and so does what stands in front of a line. */
  #read(unit: number): void {
    if (this.#place === "line") {
      if (!isBlank(unit)) this.#sink.unit(narrow(unit));
      else if (isLineEnd(unit)) this.#endLine();
      else this.#sink.gap(GAP.space);
      return;
    }
    if (isLineEnd(unit)) {
      this.#keepNumber();
      return this.#endLine();
    }
    this.#readPrefix(unit);
  }

  #endLine(): void {
    this.#place = "start";
    this.#sink.gap(GAP.line);
  }

  /** In front of the line: what may belong to a line's number waits until it is one. */
  #readPrefix(unit: number): void {
    switch (this.#place) {
      case "number":
        return this.#readNumber(unit);
      case "after number":
        // A number on a line of its own is a value; in front of something else it counts the lines.
        if (isBlank(unit)) return;
        this.#dropNumber();
        return this.#read(unit);
      case "after separator":
        if (!isBlank(unit) && !MARKUP.has(unit)) return this.#keepNumber(unit);
        this.#dropNumber();
        return this.#read(unit);
      case "mark":
        return isBlank(unit) ? this.#dropNumber() : this.#keepNumber(unit);
      default:
        if (isDigit(unit) || (this.#place === "beginning" && LINE_PREFIXES.has(unit))) {
          this.#number = String.fromCharCode(unit);
          this.#place = isDigit(unit) ? "number" : "mark";
        } else if (!isBlank(unit) && !LINE_PREFIXES.has(unit)) {
          this.#place = "line";
          this.#sink.unit(narrow(unit));
        }
    }
  }

  #readNumber(unit: number): void {
    const isNumber = isDigit(unit) && this.#number.length < NUMBER_MAXIMUM;
    if (isNumber || WEAK_SEPARATORS.has(unit)) {
      this.#number += String.fromCharCode(unit);
      if (!isNumber) this.#place = "after separator";
    } else if (unit === TAB || SEPARATORS.has(unit)) this.#dropNumber();
    else if (isBlank(unit)) this.#place = "after number";
    else this.#keepNumber(unit);
  }

  #dropNumber(): void {
    this.#number = "";
    this.#place = "start";
  }

  /** The number belongs to the line, and so does what follows it. */
  #keepNumber(next?: number): void {
    const number = this.#number;
    this.#number = "";
    if (number !== "") this.#place = "line";
    for (let at = 0; at < number.length; at++) this.#sink.unit(number.charCodeAt(at));
    if (next !== undefined) this.#read(next);
  }
}

/** White space in the widest sense: what is invisible, or only moves other text. */
function isBlank(unit: number): boolean {
  if (unit < 0x80) return unit <= 0x20 || unit === 0x7f;
  if (unit < 0x200) return unit <= 0xa0 || unit === 0xad;
  return isSpace(unit) || isInvisible(unit);
}

/** The same character as wide as others: `＜` is `<`. */
function narrow(unit: number): number {
  return unit >= 0xff01 && unit <= 0xff5e ? unit - 0xfee0 : unit;
}

function isLineEnd(unit: number): boolean {
  return (unit >= 0x0a && unit <= 0x0d) || unit === 0x85 || unit === 0x2028 || unit === 0x2029;
}
