/**
 * The normal form of a text, for comparing a call with text that it might repeat. It removes what a file viewer, a
 * diff, a serializer or a web page adds to a text.
 *
 *     as the model writes it      <function=read_file>⏎<parameter=path>⏎a.txt
 *     numbered                    12 | <function=read_file>⏎13 | <parameter=path>⏎14 | a.txt
 *     as JSON                     <function=read_file>\n<parameter=path>\na.txt
 *     as HTML                     &lt;function=read_file&gt;⏎…
 *     normal form of all          <function=read_file><parameter=path>a.txt
 *
 * The form loses information intentionally. It serves only to decide whether two texts are the same in different
 * notations.
 *
 * @module
 */
import { isDigit, unitsOf } from "../pattern/characters.ts";
import { isSpace } from "../pattern/node.ts";
import { Decoder, isInvisible } from "./decoder.ts";

/** The whitespace that the original text has between two characters of the normal form. */
export const GAP = { none: 0, space: 1, line: 2 } as const;

export interface NormalFormSink {
  unit(unit: number): void;
  /** Whitespace that the normal form drops: `GAP.space` or `GAP.line`. */
  gap(gap: number): void;
}

const TAB = 0x09;
const SLASH = 0x2f;
const BAR = 0x7c;

const NUMBER_MAXIMUM = 12;

/** The marks that diffs, quotations, lists, comments and tables add before a line. */
const LINE_PREFIXES = unitsOf("+->|*#;%:→│┃▌•·");

/**
 * Characters that separate a line number from the line: always, or only before a space or markup (`3.14` is a value).
 */
const SEPARATORS = unitsOf("|:→│");
const WEAK_SEPARATORS = unitsOf(").-+>");

const MARKUP = unitsOf('<[{"`');

/**
 * The position in a line: before its text, in a number before it, after that number, or in the text. A text can begin
 * in the middle of a line, so a mark at its very beginning is part of it unless a space follows.
 */
type Place =
  | "beginning"
  | "mark"
  | "start"
  | "slash"
  | "number"
  | "after number"
  | "after separator"
  | "line";

/** Creates the normal form of a text while it arrives, with the same result for every cut. */
export class NormalForm {
  readonly #sink: NormalFormSink;
  readonly #decoder = new Decoder((unit) => this.#read(unit));
  #place: Place;
  /** The number before the line, with its separator, or the slash that can begin a comment. */
  #number = "";
  /** Whether a bar waits, which ends a row of a table if nothing follows it on its line. */
  #hasBar = false;

  /** @param place `start` if marks that can be those of a line are dropped at the very beginning, too */
  constructor(sink: NormalFormSink, place: "beginning" | "start" = "beginning") {
    this.#sink = sink;
    this.#place = place;
  }

  feed(text: string): void {
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (!this.#decoder.isPlain(unit)) this.#decoder.read(unit);
      else if (this.#place === "line" && unit > 0x20 && unit < 0x7f) this.#unit(unit);
      else this.#read(unit);
    }
  }

  /** Ends the text. An unfinished escape is text, and a number at the end isn't a line number. */
  end(): void {
    this.#decoder.end();
    this.#keepNumber();
    this.#keepBar();
  }

  #unit(unit: number): void {
    this.#keepBar();
    if (unit === BAR) this.#hasBar = true;
    else this.#sink.unit(unit);
  }

  #keepBar(): void {
    if (this.#hasBar) this.#sink.unit(BAR);
    this.#hasBar = false;
  }

  /** Reads a decoded unit, and drops whitespace and line prefixes. */
  #read(unit: number): void {
    if (this.#place === "line") {
      if (!isBlank(unit)) this.#unit(narrow(unit));
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
    this.#hasBar = false;
    this.#sink.gap(GAP.line);
  }

  /** Reads before the line's text. A possible line number waits until it is certain. */
  #readPrefix(unit: number): void {
    switch (this.#place) {
      case "number":
        return this.#readNumber(unit);
      case "after number":
        // A number on a line of its own is a value; before other text it is a line number.
        if (isBlank(unit)) return;
        this.#dropNumber();
        return this.#read(unit);
      case "after separator":
        if (!isBlank(unit) && !MARKUP.has(unit)) return this.#keepNumber(unit);
        this.#dropNumber();
        return this.#read(unit);
      case "slash":
        return unit === SLASH ? this.#dropNumber() : this.#keepNumber(unit);
      case "mark":
        return isBlank(unit) ? this.#dropNumber() : this.#keepNumber(unit);
      default:
        if (isDigit(unit) || (this.#place === "beginning" && LINE_PREFIXES.has(unit))) {
          this.#number = String.fromCharCode(unit);
          this.#place = isDigit(unit) ? "number" : "mark";
        } else if (unit === SLASH) {
          this.#number = "/";
          this.#place = "slash";
        } else if (!isBlank(unit) && !LINE_PREFIXES.has(unit)) {
          this.#place = "line";
          this.#unit(narrow(unit));
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

  /** Keeps the number as part of the line, with the character that follows it. */
  #keepNumber(next?: number): void {
    const number = this.#number;
    this.#number = "";
    if (number !== "") this.#place = "line";
    for (let at = 0; at < number.length; at++) this.#unit(number.charCodeAt(at));
    if (next !== undefined) this.#read(next);
  }
}

/** Whether a unit is invisible or whitespace. */
function isBlank(unit: number): boolean {
  if (unit < 0x80) return unit <= 0x20 || unit === 0x7f;
  if (unit < 0x200) return unit <= 0xa0 || unit === 0xad;
  return isSpace(unit) || isInvisible(unit);
}

/** Replaces a full-width character: `＜` becomes `<`. */
function narrow(unit: number): number {
  return unit >= 0xff01 && unit <= 0xff5e ? unit - 0xfee0 : unit;
}

function isLineEnd(unit: number): boolean {
  return (unit >= 0x0a && unit <= 0x0d) || unit === 0x85 || unit === 0x2028 || unit === 0x2029;
}
