/**
 * The inside of one string of nearly JSON: pieces of it as JSON writes them, and where it ends.
 *
 * @module
 */
import { isHighSurrogate, readEscape } from "./escape.ts";
import type { JsonRepair } from "./handler.ts";
import {
  endsString,
  type KeySeparator,
  keySeparator,
  type StringPlace,
  TAIL_MAXIMUM,
  type ValueFollower,
} from "./string_end.ts";
import { escapeJson } from "./writer.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Where a string is. */
type Surroundings = Omit<StringPlace, "isLast" | "follower"> & {
  /** Knows what may follow the whole value; without it every closing mark ends the string. */
  readonly follower: ValueFollower | undefined;
};

/**
 * The mark that opens a string: a quote, or three of them.
 *
 * @returns undefined: more text decides
 */
export function openingMark(
  text: string,
  { at, isLast }: { at: number; isLast: boolean },
): string | undefined {
  const quote = text[at]!;
  const mark = text.slice(at, at + 3);
  if (mark === quote.repeat(3)) return mark;
  return mark.length < 3 && !isLast && mark === quote.repeat(mark.length) ? undefined : quote;
}

/** Reads one string from after its opening mark. */
export class JsonString {
  readonly #mark: string;
  readonly #place: Surroundings;
  readonly #quote: number;
  /** The end of what was read. */
  #tail = "";
  /**
   * How many braces are open in the string, whether one closed that was not open, whether keys stand in the string,
   * and in how many braces the outermost object with keys stands.
   *
   *     x { {"k": 1, "l": {"m": 2}} , "n": 3
   *         ^ object depth 2         ^ not a member of this object, nor of one that began with a key
   */
  #braces = 0;
  #isUnbalanced = false;
  #hasKeys = false;
  #objectDepth = Infinity;
  /** How many quotes were not escaped, and whether the last character is one of them. */
  #quotes = 0;
  #isAfterQuote = false;
  /** What the last `read` found, escaped as JSON asks. */
  piece = "";
  /** What the last `read` repaired. */
  repair: JsonRepair | undefined;
  /** Whether the closing mark has come. */
  isDone = false;
  /** Whether it cannot be told what the string means. */
  isFailed = false;

  /** @param mark what opens and closes it */
  constructor(mark: string, place: Surroundings) {
    this.#mark = mark;
    this.#place = place;
    this.#quote = mark.charCodeAt(0);
  }

  /** Reads on: everything up to the next quote, backslash or control character at once, or one of these. */
  read(text: string, at: number, isLast: boolean): number {
    this.piece = "";
    this.repair = undefined;
    let end = at;
    let unit = 0;
    for (; end < text.length; end++) {
      unit = text.charCodeAt(end);
      if (unit === QUOTE || unit === BACKSLASH || unit < 0x20 || unit === this.#quote) break;
      if (unit === 0x7b) this.#braces++;
      else if (unit === 0x7d) this.#closeBrace();
    }
    // Half a surrogate pair waits for the other half.
    if (end === text.length && isHighSurrogate(text.charCodeAt(end - 1))) end--;
    if (end > at) {
      const piece = text.slice(at, end);
      if (this.#place.follower) this.#remember(piece);
      // A half without its other half cannot be sent as it is.
      this.piece = piece.isWellFormed() ? piece : escapeJson(piece);
      return end;
    }
    if (end === text.length || isHighSurrogate(unit)) return at;
    if (unit === this.#quote) return this.#closingMark(text, at, isLast);
    if (unit === BACKSLASH) return this.#escape(text, at);
    if (unit < 0x20) this.repair = "raw control character";
    this.#remember(text[at]!);
    this.piece = escapeJson(text[at]!);
    return at + 1;
  }

  #closeBrace(): void {
    this.#braces--;
    if (this.#braces < 0) this.#isUnbalanced = true;
    if (this.#braces < this.#objectDepth) this.#objectDepth = Infinity;
  }

  #remember(piece: string): void {
    this.#tail = piece.length < TAIL_MAXIMUM
      ? (this.#tail + piece).slice(-TAIL_MAXIMUM)
      : piece.slice(-TAIL_MAXIMUM);
    this.#isAfterQuote = false;
  }

  /** A quote: it ends the string, or it was not escaped. */
  #closingMark(text: string, at: number, isLast: boolean): number {
    const ends = this.#ends(text, at, isLast);
    if (ends === undefined) return at;
    if (ends) {
      // One quote too many at the end: it is the string's, or the closing one came twice.
      this.isFailed = (this.#isAfterQuote && this.#quotes % 2 === 1) || (this.#hasKeys && this.#braces !== 0);
      this.isDone = !this.isFailed;
      return this.isDone ? at + this.#mark.length : at;
    }
    if (this.#mark.length === 1) {
      const separator = keySeparator(text, at + 1, { before: this.#tail, kinds: this.#place.kinds, isLast });
      if (separator === undefined) return at;
      if (separator) this.#addKey(separator);
      if (this.isFailed) return at;
      this.repair = "unescaped quote";
      this.#quotes++;
    }
    this.#remember(text[at]!);
    this.#isAfterQuote = true;
    this.piece = escapeJson(text[at]!);
    return at + 1;
  }

  /** A key seems to stand in the string; if it is not a member of an object in the string, a quote is missing. */
  #addKey(separator: KeySeparator): void {
    this.#hasKeys = true;
    if (separator === "{") this.#objectDepth = Math.min(this.#objectDepth, this.#braces);
    this.isFailed = this.#isUnbalanced || this.#braces <= 0 || this.#braces < this.#objectDepth;
  }

  #ends(text: string, at: number, isLast: boolean): boolean | undefined {
    const { follower } = this.#place;
    if (!follower) return true;
    const place: StringPlace = { ...this.#place, follower, isLast };
    if (this.#mark.length === 1) return endsString(text, at + 1, place);
    const quote = text[at]!;
    const mark = text.slice(at, at + 4);
    if (mark.length < 4 && !isLast && mark === quote.repeat(mark.length)) return undefined;
    // The last three of four quotes end it.
    return mark.startsWith(this.#mark) && mark[3] !== quote ? endsString(text, at + 3, place) : false;
  }

  /** What a backslash means in Python's triple quotes nobody can tell: the text may be code, or the data itself. */
  #escape(text: string, at: number): number {
    const escape = readEscape(text, at);
    this.isFailed = this.#mark.length === 3;
    if (!escape || this.isFailed) return at;
    if (escape.isRepaired) this.repair = "escape";
    this.#remember(text.slice(at, escape.end));
    this.piece = escape.json;
    return escape.end;
  }
}
