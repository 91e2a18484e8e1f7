/**
 * Reads the inside of one string, in pieces that are valid JSON, and finds where the string ends. In nearly valid JSON,
 * that depends on the text after each quote.
 *
 *     "say "hi" there"      'Martha\'s'      """two\nlines"""      <|"|>raw \ text<|"|>
 *      ^^^^^^^^^^^^^^ read up to the closing mark
 *
 * @module
 */
import {
  type Escape,
  isDrive,
  isHighSurrogate,
  readEscape,
  readPythonEscape,
  unescapedPathEnd,
} from "./escape.ts";
import { spaceEnd } from "../pattern/node.ts";
import type { JsonRepair, ValueFollower } from "./handler.ts";
import { endsString, type KeySeparator, keySeparator, type StringPlace, TAIL_MAXIMUM } from "./string_end.ts";
import { escapeJson, unescapeJson } from "./writer.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The number of characters that show whether a string begins with a drive. */
const HEAD_MAXIMUM = 3;

/** The longest end of a string that isn't cut to `TAIL_MAXIMUM`, so that not each piece is copied. */
const KEPT_MAXIMUM = 8 * TAIL_MAXIMUM;

/** Whose escapes a backslash begins. */
export type StringEscapes = "json" | "python" | "none";

type Surroundings = Omit<StringPlace, "isLast" | "follower"> & {
  /** Decides what can follow the whole value; without it, every closing mark ends the string. */
  readonly follower: ValueFollower | undefined;
};

const ANYWHERE: Surroundings = { kinds: [], hasBareKeys: false, follower: undefined };

/** The mark that opens a string: one quote or three; undefined if more text decides. */
export function openingMark(
  text: string,
  { at, isLast }: { at: number; isLast: boolean },
): string | undefined {
  const quote = text[at]!;
  const mark = text.slice(at, at + 3);
  if (mark === quote.repeat(3)) return mark;
  return mark.length < 3 && !isLast && mark === quote.repeat(mark.length) ? undefined : quote;
}

/** Reads one string, starting after its opening mark. */
export class JsonString {
  readonly #mark: string;
  readonly #place: Surroundings;
  readonly #escapes: StringEscapes;
  /** The first code unit of the mark. */
  readonly #quote: number;
  /** The end of the text that was read, which is cut when it is much longer than needed. */
  #tail = "";
  /**
   * The number of braces open in the string, whether a brace closed without an opening one, whether the string contains
   * keys, and the brace depth of the outermost object with keys.
   *
   *     x { {"k": 1, "l": {"m": 2}} , "n": 3
   *         ^ object depth 2         ^ neither a member of this object nor of one that began with a key
   */
  #braces = 0;
  #isUnbalanced = false;
  #hasKeys = false;
  #objectDepth = Infinity;
  #quotes = 0;
  /** The beginning of the string, as far as it decides whether that is a drive. */
  #head = "";
  /** Whether JSON has the escapes of this string; undefined if there is none that shows whether the model escapes backslashes. */
  #isEscaped: boolean | undefined;
  /** The text that the last `read` found, escaped for JSON. */
  piece = "";
  /** The repair that the last `read` made. */
  repair: JsonRepair | undefined;
  /** Whether the closing mark was read. */
  isDone = false;
  /** Whether the meaning of the string is ambiguous. */
  isFailed = false;
  /** Why, if that has a name. */
  refusal: string | undefined;

  /** @param mark the mark that closes the string; if it is empty, the string continues to the end of the text */
  constructor(mark: string, place: Surroundings = ANYWHERE, escapes: StringEscapes = "json") {
    this.#mark = mark;
    this.#place = place;
    this.#escapes = escapes;
    this.#quote = mark === "" ? QUOTE : mark.charCodeAt(0);
  }

  /** Reads either all text up to the next quote, backslash or control character, or one of these. */
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
    // A high surrogate waits for its low surrogate.
    if (end === text.length && isHighSurrogate(text.charCodeAt(end - 1))) end--;
    if (end > at) {
      const piece = text.slice(at, end);
      this.#remember(piece);
      this.#begin(piece);
      // A lone surrogate is sent as an escape.
      this.piece = piece.isWellFormed() ? piece : escapeJson(piece);
      return end;
    }
    if (end === text.length || isHighSurrogate(unit)) return at;
    if (unit === this.#quote && this.#mark !== "") return this.#closingMark(text, at, isLast);
    if (unit === BACKSLASH && this.#escapes !== "none") return this.#backslash(text, at, isLast);
    if (unit < 0x20) this.repair = "raw control character";
    return this.#character(text, at);
  }

  /** Reads one character, whatever it means elsewhere. */
  #character(text: string, at: number): number {
    this.#remember(text[at]!);
    this.piece = escapeJson(text[at]!);
    return at + 1;
  }

  #closeBrace(): void {
    this.#braces--;
    if (this.#braces < 0) this.#isUnbalanced = true;
    if (this.#braces < this.#objectDepth) this.#objectDepth = Infinity;
  }

  /** Keeps the beginning of the string, and no more: a long one would be copied with each backslash. */
  #begin(piece: string): void {
    if (this.#head.length < HEAD_MAXIMUM) this.#head += piece.slice(0, HEAD_MAXIMUM);
  }

  #remember(piece: string): void {
    if (!this.#place.follower) return;
    this.#tail += piece;
    if (this.#tail.length > KEPT_MAXIMUM) this.#tail = this.#tail.slice(-TAIL_MAXIMUM);
  }

  /** Handles the first character of the closing mark: it ends the string, or it is an unescaped part of it. */
  #closingMark(text: string, at: number, isLast: boolean): number {
    const { kinds, hasBareKeys, follower } = this.#place;
    if (!follower) {
      this.isDone = text.startsWith(this.#mark, at);
      if (this.isDone) return at + this.#mark.length;
      return this.#mark.startsWith(text.slice(at)) ? at : this.#character(text, at);
    }
    const ends = this.#ends(text, at, { kinds, hasBareKeys, follower, isLast });
    if (ends === undefined) return at;
    if (ends) {
      // Unescaped quotes come in pairs. A lone one is ambiguous: it is part of the string, or a mark is doubled or lost.
      const isExtra = this.#quotes % 2 === 1;
      this.isFailed = isExtra || this.#holdsSign(text, at + 1) || (this.#hasKeys && this.#braces !== 0);
      this.isDone = !this.isFailed;
      return this.isDone ? at + this.#mark.length : at;
    }
    if (this.#mark.length === 1) {
      const separator = keySeparator(text, at + 1, {
        before: this.#tail.slice(-TAIL_MAXIMUM),
        kinds,
        isLast,
      });
      if (separator === undefined) return at;
      if (separator) this.#addKey(separator);
      if (this.isFailed) return at;
      this.repair = "unescaped quote";
      this.#quotes++;
    }
    return this.#character(text, at);
  }

  /**
   * Whether what seems to follow the string is in it: after a doubled mark, its text looks like a comment (`""# Title`); the
   * comma that is missing before a key can be its last character (`"a.ts," "content"`).
   */
  #holdsSign(text: string, at: number): boolean {
    if (this.#tail === "") return "#/".includes(text[at] ?? " ");
    return this.#tail.endsWith(",") && text[spaceEnd(text, at, at + TAIL_MAXIMUM)] === '"';
  }

  /** Records a key in the string. If the key isn't a member of an object in the string, a quote is missing. */
  #addKey(separator: KeySeparator): void {
    this.#hasKeys = true;
    if (separator === "{") this.#objectDepth = Math.min(this.#objectDepth, this.#braces);
    this.isFailed = this.#isUnbalanced || this.#braces <= 0 || this.#braces < this.#objectDepth;
  }

  #ends(text: string, at: number, place: StringPlace): boolean | undefined {
    if (this.#mark.length === 1) return endsString(text, at + 1, place);
    const quote = text[at]!;
    const mark = text.slice(at, at + 4);
    if (mark.length < 4 && !place.isLast && mark === quote.repeat(mark.length)) return undefined;
    // The last three of four quotes end the string.
    return mark.startsWith(this.#mark) && mark[3] !== quote ? endsString(text, at + 3, place) : false;
  }

  #backslash(text: string, at: number, isLast: boolean): number {
    const isPath = this.#mark.length === 1 && isDrive(this.#head);
    this.#begin("\\");
    const end = isPath ? unescapedPathEnd(text, { at, quote: this.#quote }) : -1;
    if (end === undefined && !isLast) {
      this.#head = this.#head.slice(0, 2);
      return at;
    }
    if (end === undefined || end < 0) return this.#escape(text, at);
    this.#remember(text.slice(at, end));
    this.repair = "escape";
    this.piece = escapeJson(text.slice(at, end));
    return end;
  }

  #escape(text: string, at: number): number {
    const escape = this.#escapes === "json" ? readEscape(text, at) : readPythonEscape(text, at);
    if (this.#escapes === "json" && this.#isAmbiguous(text, at, escape)) {
      this.isFailed = true;
      return at;
    }
    if (!escape) return at;
    if (escape.isRepaired) this.repair = "escape";
    this.#remember(text.slice(at, escape.end));
    this.piece = escape.json;
    return escape.end;
  }

  /**
   * Whether a backslash in JSON is ambiguous. In triple quotes it can be Python's escape or the data itself. It is ambiguous,
   * too, if the same string has escapes of JSON and backslashes that aren't: `"\d\n"` may mean four characters or three.
   */
  #isAmbiguous(text: string, at: number, escape: Escape | undefined): boolean {
    if (this.#mark.length === 3) return true;
    if (!escape || isQuote(text[at + 1])) return false;
    this.#isEscaped ??= !escape.isRepaired;
    if (this.#isEscaped !== escape.isRepaired) return false;
    this.refusal = "escaped and unescaped backslashes in a string";
    return true;
  }
}

/** Decodes Python's escapes in a text; `end` is where an escape begins that more text decides. */
export function decodePython(text: string): { readonly decoded: string; readonly end: number } {
  const string = new JsonString("", undefined, "python");
  let json = "";
  let at = 0;
  while (at < text.length) {
    const end = string.read(text, at, false);
    if (end === at) break;
    json += string.piece;
    at = end;
  }
  return { decoded: unescapeJson(json), end: at };
}

/** Quotes are escaped even where backslashes aren't. */
function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'";
}
