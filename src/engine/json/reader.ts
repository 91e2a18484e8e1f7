/**
 * Reads one JSON value while its text arrives, even if it is only nearly valid JSON. The reader names every repair and
 * never invents a key or a value. It recognizes the end of the value at its last character.
 *
 * @module
 */
import { own } from "../object/own.ts";
import { isSpace } from "../pattern/node.ts";
import type { JsonHandler, JsonRepair } from "./handler.ts";
import { isBare, isScalar, isWord } from "./scalar.ts";
import { JsonString, openingMark } from "./json_string.ts";
import type { ValueFollower } from "./string_end.ts";

/** The state of the reader; "brace" means that at most the last closing brackets are missing. */
export type JsonState = "open" | "done" | "failed" | "brace";

type Expectation = "value" | "first" | "key" | "colon" | "comma" | "string" | "scalar" | "comment";

/** The deepest nesting of containers that is read in a model's text; less than JSON of a request may have. */
export const DEPTH_MAXIMUM = 128;

/** The longest number or bare key. */
const BARE_MAXIMUM = 256;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;

/** Python's names for JSON's values. */
const PYTHON: Readonly<Record<string, string>> = { True: "true", False: "false", None: "null" };

/** Reads one JSON value. Call `read` with its text; `state` shows whether the value is complete or has failed. */
export class JsonReader {
  /** The current state. */
  state: JsonState = "open";
  /** The repairs so far. */
  readonly repairs = new Set<JsonRepair>();
  /** Whether the text that is read is the last. */
  isLast = false;
  /** Why the value is ambiguous, if that has a name. */
  refusal: string | undefined;
  readonly #handler: JsonHandler;
  readonly #recovery: ValueFollower | undefined;
  readonly #kinds: ("object" | "array")[] = [];
  #expecting: Expectation = "value";
  #after: Expectation = "value";
  /** Whether the open object has no member yet, so that its end isn't a trailing comma. */
  #isFirst = true;
  #string: JsonString | undefined;
  #isKey = false;
  #key = "";
  #bare = "";
  #comment: "line" | "block" = "line";

  /**
   * A reader at the beginning of a value.
   *
   * @param handler receives the parts of the value
   * @param recovery enables the repair of unescaped quotes, triple quotes and several missing brackets
   */
  constructor(handler: JsonHandler, recovery?: ValueFollower) {
    this.#handler = handler;
    this.#recovery = recovery;
  }

  /** Whether the reader is inside a string or a quoted key. */
  get isInString(): boolean {
    return this.#expecting === "string";
  }

  /** Whether only the outermost object's opening brace was read. */
  get isBegun(): boolean {
    return this.#kinds.length === 1 && this.#expecting === "key" && this.#isFirst;
  }

  /** Whether the text so far is certain whatever follows, and the handler has received all of it. */
  get isSettled(): boolean {
    const expecting = this.#expecting;
    if (expecting === "string") return !this.#isKey;
    if (expecting === "key") return this.#isFirst;
    if (expecting === "value") return this.#kinds.at(-1) !== "array";
    return expecting === "first" || expecting === "comma";
  }

  /**
   * Reads from `at` as far as the text allows.
   *
   * @returns the first position that it didn't consume: after the value if done, at the offending character if failed
   */
  read(text: string, at: number): number {
    while (at < text.length && this.state === "open") {
      const next = this.#step(text, at);
      if (this.#handler.isRefused) this.state = "failed";
      if (next === at) break;
      at = next;
    }
    return at;
  }

  /**
   * Ends the text, which completes a number at its very end.
   *
   * @returns whether at most closing brackets are missing
   */
  finish(): boolean {
    if (this.state === "open" && this.#expecting === "scalar" && !this.#isKey) this.#scalarEnd();
    if (this.state === "open") this.state = this.#expecting === "comma" ? "brace" : "failed";
    return this.state !== "failed";
  }

  /** Closes the missing last brackets, whose position is certain. */
  close(): void {
    this.repairs.add("missing brace");
    while (this.#kinds.length > 0) this.#pop();
  }

  #step(text: string, at: number): number {
    const unit = text.charCodeAt(at);
    if (this.#expecting === "string") return this.#inString(text, at);
    if (this.#expecting === "scalar") return this.#inBare(text, at);
    if (this.#expecting === "comment") return this.#inComment(text, at);
    if (isSpace(unit)) return at + 1;
    if (unit === 0x2f || unit === 0x23) return this.#commentBegin(text, at);
    switch (this.#expecting) {
      case "colon":
        if (unit !== 0x3a) return this.#fail(at);
        this.#expecting = "value";
        return at + 1;
      case "comma":
        return this.#comma(unit, at);
      case "key":
        return this.#keyBegin(text, at);
      default:
        return this.#valueBegin(text, at);
    }
  }

  #fail(at: number): number {
    this.state = "failed";
    return at;
  }

  #valueBegin(text: string, at: number): number {
    const unit = text.charCodeAt(at);
    if (unit === 0x7b || unit === 0x5b) {
      if (this.#kinds.length >= DEPTH_MAXIMUM) return this.#fail(at);
      const kind = unit === 0x7b ? "object" : "array";
      this.#kinds.push(kind);
      this.#handler.begin(kind);
      this.#expecting = kind === "object" ? "key" : "first";
      this.#isFirst = true;
      return at + 1;
    }
    if (unit === 0x5d && this.#kinds.at(-1) === "array") {
      if (this.#expecting === "value") this.repairs.add("trailing comma");
      this.#pop();
      return at + 1;
    }
    if (unit === QUOTE || unit === APOSTROPHE) return this.#valueString(text, at);
    if (!isBare(unit)) return this.#fail(at);
    return this.#bareBegin(text, { at, isKey: false });
  }

  #keyBegin(text: string, at: number): number {
    const unit = text.charCodeAt(at);
    if (unit === 0x7d) {
      if (!this.#isFirst) this.repairs.add("trailing comma");
      this.#pop();
      return at + 1;
    }
    this.#isFirst = false;
    if (unit === QUOTE || unit === APOSTROPHE) {
      this.#stringStart(text[at]!, true);
      return at + 1;
    }
    if (!isWord(unit)) return this.#fail(at);
    this.repairs.add("bare key");
    return this.#bareBegin(text, { at, isKey: true });
  }

  #bareBegin(text: string, options: { at: number; isKey: boolean }): number {
    this.#isKey = options.isKey;
    this.#bare = "";
    this.#expecting = "scalar";
    return this.#inBare(text, options.at);
  }

  #comma(unit: number, at: number): number {
    const kind = this.#kinds.at(-1);
    if (unit === 0x2c) {
      this.#expecting = kind === "object" ? "key" : "value";
      this.#isFirst = false;
      return at + 1;
    }
    if ((unit === 0x7d && kind === "object") || (unit === 0x5d && kind === "array")) {
      this.#pop();
      return at + 1;
    }
    if (this.#kinds.length > 1 && !this.#recovery) return this.#fail(at);
    this.state = "brace";
    return at;
  }

  #pop(): void {
    this.#kinds.pop();
    this.#handler.end();
    this.#valueEnd();
  }

  #valueEnd(): void {
    this.#expecting = "comma";
    if (this.#kinds.length === 0) this.state = "done";
  }

  /** Opens a string, either with one quote or with three as in Python. */
  #valueString(text: string, at: number): number {
    const mark = this.#recovery ? openingMark(text, { at, isLast: this.isLast }) : text[at]!;
    if (mark === undefined) return at;
    if (mark.length === 3) this.repairs.add("triple quotes");
    this.#stringStart(mark, false);
    return at + mark.length;
  }

  #stringStart(mark: string, isKey: boolean): void {
    if (mark === "'") this.repairs.add("single quotes");
    this.#isKey = isKey;
    this.#key = "";
    this.#expecting = "string";
    const place = {
      kinds: this.#kinds,
      hasBareKeys: this.repairs.has("bare key"),
      follower: isKey ? undefined : this.#recovery,
    };
    this.#string = new JsonString(mark, place);
    if (!isKey) this.#handler.stringBegin();
  }

  /** Reads a piece of a string or its end. */
  #inString(text: string, at: number): number {
    const string = this.#string!;
    const end = string.read(text, at, this.isLast);
    if (string.repair) this.repairs.add(string.repair);
    this.refusal = string.refusal;
    if (string.isFailed) return this.#fail(at);
    if (string.isDone) this.#stringFinish();
    else if (this.#isKey) this.#key += string.piece;
    else if (string.piece !== "") this.#handler.stringPiece(string.piece);
    return end;
  }

  #stringFinish(): void {
    if (this.#isKey) {
      this.#keyEnd(JSON.parse(`"${this.#key}"`) as string);
    } else {
      this.#handler.stringEnd();
      this.#valueEnd();
    }
  }

  #keyEnd(key: string): void {
    this.#handler.key(key);
    this.#expecting = "colon";
  }

  #inBare(text: string, at: number): number {
    const unit = text.charCodeAt(at);
    if (isBare(unit)) {
      if (this.#bare.length >= BARE_MAXIMUM) return this.#fail(at);
      this.#bare += String.fromCharCode(unit);
      return at + 1;
    }
    // The character after the word belongs to the surrounding container.
    if (this.#isKey) this.#keyEnd(this.#bare);
    else this.#scalarEnd();
    return this.state === "open" && !this.#handler.isRefused ? this.#step(text, at) : at;
  }

  #scalarEnd(): void {
    const json = own(PYTHON, this.#bare) ?? this.#bare;
    if (json !== this.#bare) this.repairs.add("Python literal");
    if (!isScalar(json)) {
      this.state = "failed";
      return;
    }
    this.#handler.scalar(json);
    this.#valueEnd();
  }

  #commentBegin(text: string, at: number): number {
    if (text.charCodeAt(at) === 0x2f) {
      if (at + 1 >= text.length) return at;
      const second = text[at + 1];
      if (second !== "/" && second !== "*") return this.#fail(at);
      this.#comment = second === "/" ? "line" : "block";
    } else {
      this.#comment = "line";
    }
    this.repairs.add("comment");
    this.#after = this.#expecting;
    this.#expecting = "comment";
    return at + (text.charCodeAt(at) === 0x2f ? 2 : 1);
  }

  #inComment(text: string, at: number): number {
    const closer = this.#comment === "line" ? "\n" : "*/";
    const end = text.indexOf(closer, at);
    if (end >= 0) {
      this.#expecting = this.#after;
      return end + closer.length;
    }
    // An asterisk can be the first half of the closer.
    return text.endsWith("*") && this.#comment === "block" ? Math.max(at, text.length - 1) : text.length;
  }
}
