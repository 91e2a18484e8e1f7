/**
 * Reads one value while its text arrives, in JSON or as a literal in Python notation. It recognizes the end of the value
 * at its last character, and never invents a key or a value: anything that requires evaluation is refused. What a
 * notation has valid is read as it is; a repair has a name.
 *
 * | in the text                                             | JSON                     | Python                      |
 * | ------------------------------------------------------- | ------------------------ | --------------------------- |
 * | a comma before a closer, `'…'`, raw control characters  | repaired                 | valid                       |
 * | `True`, `False`, `None`, keys without quotes            | repaired                 | valid                       |
 * | escapes that JSON lacks                                 | repaired                 | Python's have their meaning |
 * | `"""…"""`                                               | repaired with a follower | valid                       |
 * | unescaped quotes, missing last brackets                 | repaired with a follower | refused                     |
 * | a comma before a parameter that is missing              | repaired with a follower | refused                     |
 * | comments, one missing last bracket                      | repaired                 | refused                     |
 * | a brace too many after an object in the outermost list  | repaired                 | refused                     |
 * | `(1, 2)`, `r'\x'`, `'a' 'b'`, `0x1F`, `1_000`           | refused                  | valid                       |
 * | strings in a dialect's mark: `{size:<|"|>L<|"|>}`       | refused                  | valid with a mark           |
 * | the arguments in parentheses: `(size: "L", on=true)`    | refused                  | valid with a mark           |
 * | strings without quotes or the first mark: `{size: L}`   | refused                  | repaired with a mark        |
 *
 * @module
 */
import { isSpace, spaceEnd } from "../pattern/node.ts";
import type { JsonHandler, JsonRepair, ValueFollower } from "./handler.ts";
import { JsonString, openingMark, type StringEscapes } from "./json_string.ts";
import { keyAt } from "./string_end.ts";
import { isBare, isKey, isWord, readPythonScalar, readScalar } from "./scalar.ts";
import { escapeJson, JsonWriter, unescapeJson } from "./writer.ts";

/** The state of the reader; "brace" means that at most the last closing brackets are missing. */
export type JsonState = "open" | "done" | "failed" | "brace";

/** How the text is written. Without any option it is JSON. */
export interface JsonNotation {
  /** Enables the repairs of JSON that depend on what can follow the value. */
  readonly follower?: ValueFollower;
  /** Whether the text is a literal of Python, of which JSON is a part. */
  readonly isPython?: boolean;
  /** In Python notation, a dialect's mark that encloses strings besides quotes. */
  readonly stringMark?: string | undefined;
}

/** What the next character is part of; at `first` and `key` also the container's closer, at `string` also what continues it. */
type Expectation = "value" | "first" | "key" | "colon" | "comma" | "bare" | "comment" | "string";

/** `arguments` is an object in parentheses. */
type Kind = "object" | "array" | "tuple" | "arguments";

/** A tuple is kept until it closes, because `(1)` is a number and `(1,)` a list. */
interface Tuple {
  readonly outer: JsonHandler;
  json: string;
  hasComma: boolean;
}

const OPENERS: Readonly<Record<string, Kind>> = { "{": "object", "[": "array", "(": "tuple" };
const CLOSERS: Readonly<Record<Kind, string>> = { object: "}", array: "]", tuple: ")", arguments: ")" };

/** The deepest nesting of containers that is read in a model's text; less than JSON of a request may have. */
export const DEPTH_MAXIMUM = 128;

const BLANK = 0x20;

/** The longest number, name or bare key. */
const BARE_MAXIMUM = 256;

/** The longest string without marks. */
const BARE_STRING_MAXIMUM = 64 * 1024;

/** The prefixes of a string in Python; `f` is missing because it requires evaluation. */
const PREFIXES: readonly string[] = ["r", "u", "b", "rb", "br"];

/** Reads one value. Call `read` with its text; `state` shows whether the value is complete or has failed. */
export class JsonReader {
  /** The current state. */
  state: JsonState = "open";
  /** The repairs so far. */
  readonly repairs = new Set<JsonRepair>();
  /** Whether the text that is read is the last. */
  isLast = false;
  /** Why the value is ambiguous, if that has a name. */
  refusal: string | undefined;
  /** The number of characters read since the handler last passed on a piece. */
  unsent = 0;
  /** The pieces that the handler had passed on by then. */
  #sent = 0;
  #handler: JsonHandler;
  readonly #follower: ValueFollower | undefined;
  readonly #isPython: boolean;
  readonly #mark: string | undefined;
  /** The open containers, and the tuples among them, innermost last. */
  readonly #kinds: Kind[] = [];
  readonly #tuples: Tuple[] = [];
  #expecting: Expectation = "value";
  /** Whether the innermost container has no comma yet, so that its end isn't a trailing comma. */
  #isFirst = true;
  #string: JsonString | undefined;
  #isKey = false;
  /** The text of a key or of a value without quotes. */
  #text = "";
  /** The number of open brackets in a string without marks. */
  #brackets = 0;
  /** The closer of the comment, and what is expected after it. */
  #commentCloser = "";
  #after: Expectation = "value";

  /**
   * A reader at the beginning of a value.
   *
   * @param handler receives the parts of the value
   */
  constructor(handler: JsonHandler, { follower, isPython = false, stringMark }: JsonNotation = {}) {
    this.#handler = handler;
    this.#follower = follower;
    this.#isPython = isPython;
    this.#mark = stringMark;
  }

  /** Whether the reader is inside a string or a quoted key. */
  get isInString(): boolean {
    return this.#string !== undefined;
  }

  /** Whether only the outermost object's opening brace was read. */
  get isBegun(): boolean {
    return this.#kinds.length === 1 && this.#expecting === "key" && this.#isFirst;
  }

  /** Whether the text so far is certain whatever follows, and the handler has received all of it. */
  get isSettled(): boolean {
    if (this.#string) return !this.#isKey;
    const expecting = this.#expecting;
    return expecting === "value" || expecting === "comma" ||
      ((expecting === "first" || expecting === "key") && this.#isFirst);
  }

  /**
   * Reads from `at` as far as the text allows.
   *
   * @returns the first position that it didn't consume: after the value if done, at the offending character if failed
   */
  read(text: string, at: number): number {
    this.unsent -= at;
    while (at < text.length && this.state === "open") {
      const next = this.#step(text, at);
      this.#countSent(next);
      if (this.#handler.isRefused) this.state = "failed";
      if (next === at) break;
      at = next;
    }
    this.unsent += at;
    return at;
  }

  /** Notes that the handler has passed on what is before an index. While text is read, `unsent` lacks the current index. */
  #countSent(at: number): void {
    const { sent } = this.#handler;
    if (sent === undefined || sent === this.#sent) return;
    this.#sent = sent;
    this.unsent = -at;
  }

  /**
   * Ends the text. A number or a word at its very end can be half of one: `10` of `100`.
   *
   * @returns whether at most closing brackets are missing
   */
  finish(): boolean {
    if (this.#isPython) return this.state === "done";
    if (this.state === "open") {
      if (this.#expecting === "comma") this.#bracketMissing();
      else this.state = "failed";
    }
    return this.state !== "failed";
  }

  /** Ends where brackets are missing. A text that also has one too many isn't that certain. */
  #bracketMissing(): void {
    this.state = this.repairs.has("extra brace") ? "failed" : "brace";
  }

  /** Closes the missing last brackets, whose position is certain. */
  close(): void {
    this.repairs.add("missing brace");
    while (this.#kinds.length > 0) this.#containerEnd();
  }

  #step(text: string, at: number): number {
    if (this.#string) return this.#inString(this.#string, text, at);
    if (this.#expecting === "bare") return this.#inBare(text, at);
    if (this.#expecting === "comment") return this.#inComment(text, at);
    const unit = text.charCodeAt(at);
    if (isSpace(unit)) return at + 1;
    if ((unit === 0x2f || unit === 0x23) && !this.#isPython) return this.#commentBegin(text, at);
    switch (this.#expecting) {
      case "colon":
        return this.#colon(text[at]!, at);
      case "comma":
        return this.#comma(text, at);
      case "string":
        return this.#continuation(text, at);
      default:
        return this.#begin(text, at);
    }
  }

  #fail(at: number): number {
    this.state = "failed";
    return at;
  }

  /** Records a repair of JSON. Python has the same as valid text. */
  #repair(repair: JsonRepair): void {
    if (!this.#isPython) this.repairs.add(repair);
  }

  /** Reads the first character of a key or a value, or the closer of the container. */
  #begin(text: string, at: number): number {
    this.#isKey = this.#expecting === "key";
    const string = this.#stringBegin(text, at);
    if (string !== undefined) return string;
    const character = text[at]!;
    const kind = this.#kinds.at(-1);
    if (this.#expecting !== "value" && kind && character === CLOSERS[kind]) {
      if (!this.#isFirst) this.#repair("trailing comma");
      return this.#containerEnd(at);
    }
    const opened = this.#isKey ? undefined : OPENERS[character];
    if (opened && (opened !== "tuple" || this.#isPython)) return this.#containerBegin(opened, at);
    if (!this.#mayBeBare(character)) return this.#fail(at);
    if (this.#isKey) this.#repair("bare key");
    this.#brackets = 0;
    this.#text = "";
    this.#expecting = "bare";
    return this.#inBare(text, at);
  }

  /** Whether a character can begin a word or a string without quotes, which doesn't begin with the rest of a damaged mark. */
  #mayBeBare(character: string): boolean {
    const unit = character.charCodeAt(0);
    if (this.#isKey) return this.#isPython ? isKey(unit) : isWord(unit);
    return isBare(unit) || (this.#takesBareStrings && !`}]),:${this.#mark}`.includes(character));
  }

  #containerBegin(kind: Kind, at: number): number {
    if (this.#kinds.length >= DEPTH_MAXIMUM) return this.#fail(at);
    if (kind === "tuple" && this.#kinds.length === 0 && this.#mark !== undefined) kind = "arguments";
    if (kind === "tuple") {
      const tuple: Tuple = { outer: this.#handler, json: "", hasComma: false };
      this.#handler = new JsonWriter((piece) => tuple.json += piece);
      this.#tuples.push(tuple);
    }
    this.#kinds.push(kind);
    this.#handler.begin(isObject(kind) ? "object" : "array");
    this.#expecting = isObject(kind) ? "key" : "first";
    this.#isFirst = true;
    return at + 1;
  }

  #containerEnd(at = 0): number {
    const kind = this.#kinds.pop();
    this.#handler.end();
    if (kind === "tuple") {
      const { outer, json, hasComma } = this.#tuples.pop()!;
      this.#handler = outer;
      new JsonReader(outer).read(hasComma || json === "[]" ? json : `${json.slice(1, -1)} `, 0);
    }
    this.#valueEnd();
    return at + 1;
  }

  #comma(text: string, at: number): number {
    const character = text[at]!;
    const kind = this.#kinds.at(-1)!;
    if (character === ",") {
      if (kind === "tuple") this.#tuples.at(-1)!.hasComma = true;
      this.#isFirst = false;
      this.#expecting = isObject(kind) ? "key" : "first";
      return at + 1;
    }
    if (character === CLOSERS[kind]) return this.#containerEnd(at);
    if (character === '"' && kind === "object" && this.#follower) return this.#commaMissing(text, at);
    if (this.#isPython || (this.#kinds.length > 1 && !this.#follower)) return this.#fail(at);
    if (character === "}" && kind === "array" && this.#kinds.length === 1) {
      this.repairs.add("extra brace");
      return at + 1;
    }
    this.#bracketMissing();
    return at;
  }

  /** Reads a key without a comma before it, if it is a parameter that is missing. */
  #commaMissing(text: string, at: number): number {
    const key = keyAt(text, at);
    if (key === undefined && !this.#isEnd) return at;
    if (key === undefined || this.#follower?.isMissing?.(key) !== true) return this.#fail(at);
    this.#repair("missing comma");
    this.#isFirst = false;
    this.#expecting = "key";
    return this.#begin(text, at);
  }

  #colon(character: string, at: number): number {
    const isSign = character === ":" || (character === "=" && this.#kinds.at(-1) === "arguments");
    if (!isSign) return this.#fail(at);
    this.#handler.key(this.#text);
    this.#expecting = "value";
    return at + 1;
  }

  #valueEnd(): void {
    this.#expecting = "comma";
    if (this.#kinds.length === 0) this.state = "done";
  }

  /** Opens a string and returns the position of its first character, or undefined if no string begins here. */
  #stringBegin(text: string, at: number): number | undefined {
    const mark = this.#mark;
    if (mark !== undefined) {
      if (text.startsWith(mark, at)) return this.#stringOpen(mark, "none", at);
      if (mark.startsWith(text.slice(at))) return at;
    }
    return text[at] === '"' || text[at] === "'" ? this.#quoteBegin(text, at) : undefined;
  }

  /** Opens a string with one quote or three. */
  #quoteBegin(text: string, at: number, escapes: StringEscapes = this.#isPython ? "python" : "json"): number {
    const mayBeTriple = this.#isPython || (this.#follower !== undefined && !this.#isKey);
    const mark = mayBeTriple ? openingMark(text, { at, isLast: this.#isEnd }) : text[at]!;
    if (mark === undefined) return at;
    if (mark.length === 3) this.#repair("triple quotes");
    if (mark === "'") this.#repair("single quotes");
    return this.#stringOpen(mark, escapes, at);
  }

  #stringOpen(mark: string, escapes: StringEscapes, at: number): number {
    if (this.#expecting !== "string") {
      this.#text = "";
      if (!this.#isKey) this.#handler.stringBegin();
    }
    this.#expecting = "string";
    const place = {
      kinds: this.#kinds,
      hasBareKeys: this.repairs.has("bare key"),
      follower: this.#isKey ? undefined : this.#follower,
    };
    this.#string = new JsonString(mark, place, escapes);
    return at + mark.length;
  }

  /** Whether text that is missing can be guessed, which only JSON's repairs do. */
  get #isEnd(): boolean {
    return this.isLast && !this.#isPython;
  }

  #inString(string: JsonString, text: string, at: number): number {
    const end = string.read(text, at, this.#isEnd);
    if (string.repair) this.#repair(string.repair);
    this.refusal = string.refusal;
    if (string.isFailed) return this.#fail(at);
    if (string.isDone) {
      this.#string = undefined;
      // A string outside all containers can't continue.
      if (!this.#isPython || this.#kinds.length === 0) this.#stringEnd();
    } else if (this.#isKey) this.#text += string.piece;
    else if (string.piece !== "") this.#handler.stringPiece(string.piece);
    return end;
  }

  /** Continues a string: `"a" "b"` is one string, as in Python. */
  #continuation(text: string, at: number): number {
    if (text[at] === '"' || text[at] === "'") return this.#quoteBegin(text, at);
    this.#stringEnd();
    return this.#step(text, at);
  }

  #stringEnd(): void {
    if (this.#isKey) return this.#keyEnd(unescapeJson(this.#text));
    this.#handler.stringEnd();
    this.#valueEnd();
  }

  /** The handler gets the key with its colon: a word without one can be anything. */
  #keyEnd(key: string): void {
    this.#text = key;
    this.#expecting = "colon";
  }

  #inBare(text: string, at: number): number {
    if (!this.#isKey && this.#takesBareStrings) return this.#inBareString(text, at, this.#mark!);
    const unit = text.charCodeAt(at);
    if (this.#isKey ? isKey(unit) || (unit === BLANK && this.#takesBareStrings) : isBare(unit)) {
      if (this.#text.length >= BARE_MAXIMUM) return this.#fail(at);
      this.#text += text[at]!;
      return at + 1;
    }
    if (this.#isPython && (text[at] === '"' || text[at] === "'")) return this.#prefixed(text, at);
    if (this.#isKey) this.#keyEnd(this.#text.trimEnd());
    else this.#scalarEnd();
    this.#countSent(at);
    return this.#afterBare(text, at);
  }

  #afterBare(text: string, at: number): number {
    return this.state === "open" && !this.#handler.isRefused ? this.#step(text, at) : at;
  }

  #scalarEnd(): void {
    const json = this.#isPython ? readPythonScalar(this.#text) : readScalar(this.#text);
    if (json === undefined) {
      this.state = "failed";
      return;
    }
    if (json !== this.#text) this.#repair("Python literal");
    this.#handler.scalar(json);
    this.#valueEnd();
  }

  #prefixed(text: string, at: number): number {
    const prefix = this.#text.toLowerCase();
    if (!PREFIXES.includes(prefix)) return this.#fail(at);
    return this.#quoteBegin(text, at, prefix.includes("r") ? "none" : "python");
  }

  /** Whether a string can lack its marks: in a container whose dialect has marks of its own. */
  get #takesBareStrings(): boolean {
    return this.#mark !== undefined && this.#kinds.length > 0;
  }

  /** Reads a value without marks up to the container's closer or the comma before the next member. */
  #inBareString(text: string, at: number, mark: string): number {
    const kind = this.#kinds.at(-1)!;
    const character = text[at]!;
    if (text.startsWith(mark, at)) return this.#markEnd(at + mark.length);
    if (mark.startsWith(text.slice(at))) return at;
    if (this.#brackets === 0) {
      if (character === CLOSERS[kind]) return this.#bareStringEnd(text, at);
      if (character === ",") {
        const isNext = isObject(kind) ? this.#isMember(text, at + 1, mark) : true;
        if (isNext === undefined) return at;
        if (isNext) return this.#bareStringEnd(text, at);
      }
    }
    if ("{[(".includes(character)) this.#brackets++;
    else if ("}])".includes(character) && this.#brackets > 0) this.#brackets--;
    if (this.#text.length >= BARE_STRING_MAXIMUM) return this.#fail(at);
    this.#text += character;
    return at + 1;
  }

  /**
   * Whether a key and a colon follow a comma, or undefined if more text decides. A key with blanks can follow a whole
   * number or literal; after other text without marks, it would be words of that text.
   */
  #isMember(text: string, from: number, mark: string): boolean | undefined {
    const begin = spaceEnd(text, from);
    if (text.startsWith(mark, begin) || text[begin] === '"') return true;
    let end = begin;
    const hasBlanks = readPythonScalar(this.#text.trim()) !== undefined;
    while (
      end <= begin + BARE_MAXIMUM &&
      (isKey(text.charCodeAt(end)) || (hasBlanks && text.charCodeAt(end) === BLANK))
    ) end++;
    const at = spaceEnd(text, end);
    if (at === text.length || mark.startsWith(text.slice(begin))) return undefined;
    return end > begin && (text[at] === ":" || text[at] === "=");
  }

  #bareStringEnd(text: string, at: number): number {
    const word = this.#text.trim();
    const json = readPythonScalar(word);
    // A quote without a counterpart belongs to a string whose other mark is missing.
    if (word === "" || word.split('"').length % 2 === 0) return this.#fail(at);
    if (json === undefined) this.#bareString(word);
    else this.#handler.scalar(json);
    this.#valueEnd();
    return this.#afterBare(text, at);
  }

  /** Ends a string that has only its last mark, unless it can have begun in a string without marks before it. */
  #markEnd(at: number): number {
    if (this.#text === "" || this.repairs.has("bare string")) return this.#fail(at);
    this.#bareString(this.#text);
    this.#valueEnd();
    return at;
  }

  #bareString(text: string): void {
    this.repairs.add("bare string");
    this.#handler.stringBegin();
    this.#handler.stringPiece(escapeJson(text));
    this.#handler.stringEnd();
  }

  #commentBegin(text: string, at: number): number {
    const isLine = text[at] === "#";
    if (!isLine && at + 1 >= text.length) return at;
    const second = text[at + 1];
    if (!isLine && second !== "/" && second !== "*") return this.#fail(at);
    this.#commentCloser = isLine || second === "/" ? "\n" : "*/";
    this.#repair("comment");
    this.#after = this.#expecting;
    this.#expecting = "comment";
    return at + (isLine ? 1 : 2);
  }

  #inComment(text: string, at: number): number {
    const closer = this.#commentCloser;
    const end = text.indexOf(closer, at);
    if (end >= 0) {
      this.#expecting = this.#after;
      return end + closer.length;
    }
    // An asterisk can be the first half of the closer.
    return text.endsWith("*") && closer === "*/" ? Math.max(at, text.length - 1) : text.length;
  }
}

/**
 * Rewrites a text that is one value as JSON without whitespace; undefined if it isn't.
 *
 * @example
 * ```ts
 * import { readWhole } from "./reader.ts";
 * console.assert(readWhole("[1, 2,]")?.json === "[1,2]");
 * ```
 */
export function readWhole(
  text: string,
  notation?: JsonNotation,
): { readonly json: string; readonly isRepaired: boolean } | undefined {
  let json = "";
  const reader = new JsonReader(new JsonWriter((piece) => json += piece), notation);
  const end = reader.read(text, 0);
  return reader.state === "done" && end === text.length
    ? { json, isRepaired: reader.repairs.size > 0 }
    : undefined;
}

function isObject(kind: Kind): boolean {
  return kind === "object" || kind === "arguments";
}
