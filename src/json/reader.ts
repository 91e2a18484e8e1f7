/**
 * Reads one JSON value out of a text that is still coming, also one that is only nearly JSON: what can be mended
 * without inventing a key or a value is mended and named. Where the value ends is known at its last character.
 *
 * @module
 */
import { isSpace } from "../pattern/node.ts";
import type { JsonHandler, JsonRepair } from "./handler.ts";
import { isBare, isHex, isScalar, isWord } from "./scalar.ts";
import { escapeJson } from "./writer.ts";

/** Where the reader stands; "brace": all that can be missing is the last closing brace. */
export type JsonState = "open" | "done" | "failed" | "brace";

type Expecting = "value" | "first" | "key" | "colon" | "comma" | "string" | "scalar" | "comment";

/** Longer numbers and bare keys than this are no JSON. */
const BARE_MAXIMUM = 256;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const BACKSLASH = 0x5c;

/** Python's names of JSON's values. */
const PYTHON: Readonly<Record<string, string>> = { True: "true", False: "false", None: "null" };

/** One JSON value. Feed it text with `read`; `state` says when it is whole or cannot become one. */
export class JsonReader {
  /** Where it stands. */
  state: JsonState = "open";
  /** What was mended so far. */
  readonly repairs = new Set<JsonRepair>();
  readonly #handler: JsonHandler;
  readonly #kinds: ("object" | "array")[] = [];
  #expecting: Expecting = "value";
  #after: Expecting = "value";
  /** Whether the object that is open has no member yet: then its end is no repair. */
  #isFirst = true;
  #quote = 0;
  #isKey = false;
  #bare = "";
  #key = "";
  #comment: "line" | "block" = "line";

  /**
   * A reader at the beginning of a value.
   *
   * @param handler takes the parts of the value
   */
  constructor(handler: JsonHandler) {
    this.#handler = handler;
  }

  /** Whether the reader stands inside a string or a quoted key. */
  get isInString(): boolean {
    return this.#expecting === "string";
  }

  /** Whether what was read stands whatever follows, and the handler has heard of all of it. */
  get isSettled(): boolean {
    const expecting = this.#expecting;
    if (expecting === "string") return !this.#isKey;
    if (expecting === "key") return this.#isFirst;
    if (expecting === "value") return this.#kinds.at(-1) !== "array";
    return expecting === "first" || expecting === "comma";
  }

  /**
   * Reads on from `at` as far as the text allows.
   *
   * @returns the first place that was not consumed: behind the value when done, the offending character when failed
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

  /** The text is over: a number at its very end is whole now. */
  finish(): void {
    if (this.state === "open" && this.#expecting === "scalar" && !this.#isKey) this.#scalarEnd();
    if (this.state === "open") this.state = "failed";
  }

  /** The last brace was missing and its place is certain. */
  close(): void {
    this.repairs.add("missing brace");
    this.#pop();
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
    if (unit === QUOTE || unit === APOSTROPHE) {
      this.#stringStart(unit, false);
      return at + 1;
    }
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
      this.#stringStart(unit, true);
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
    if (this.#kinds.length > 1) return this.#fail(at);
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

  #stringStart(quote: number, isKey: boolean): void {
    if (quote === APOSTROPHE) this.repairs.add("single quotes");
    this.#quote = quote;
    this.#isKey = isKey;
    this.#key = "";
    this.#expecting = "string";
    if (!isKey) this.#handler.stringBegin();
  }

  /** Inside a string: everything up to the next quote, backslash or control character goes on at once. */
  #inString(text: string, at: number): number {
    let end = at;
    let unit = 0;
    for (; end < text.length; end++) {
      unit = text.charCodeAt(end);
      if (unit === QUOTE || unit === BACKSLASH || unit < 0x20 || unit === this.#quote) break;
    }
    // Half a surrogate pair waits for the other half.
    if (end === text.length && isHighSurrogate(text.charCodeAt(end - 1))) end--;
    if (end > at) {
      const piece = text.slice(at, end);
      // A half without its other half cannot be sent as it is.
      this.#piece(piece.isWellFormed() ? piece : escapeJson(piece));
      return end;
    }
    if (end === text.length || isHighSurrogate(unit)) return at;
    if (unit === this.#quote) {
      this.#stringFinish();
      return at + 1;
    }
    if (unit === BACKSLASH) return this.#escape(text, at);
    if (unit < 0x20) this.repairs.add("raw control character");
    this.#piece(escapeJson(text[at]!));
    return at + 1;
  }

  /** `\n` and its like stay; what JSON does not know is mended so that the characters stay what they were. */
  #escape(text: string, at: number): number {
    if (at + 1 >= text.length) return at;
    const letter = text[at + 1]!;
    if ('"\\/bfnrt'.includes(letter)) {
      this.#piece(text.slice(at, at + 2));
      return at + 2;
    }
    const digits = letter === "u" ? 4 : letter === "x" ? 2 : 0;
    const code = text.slice(at + 2, at + 2 + digits);
    if (digits > 0 && code.length < digits && isHex(code)) return at;
    if (letter === "u" && isHex(code)) {
      this.#piece(text.slice(at, at + 6));
      return at + 6;
    }
    this.repairs.add("escape");
    if (letter === "x" && isHex(code)) {
      this.#piece(`\\u00${code}`);
      return at + 4;
    }
    if (letter === "'") {
      this.#piece("'");
      return at + 2;
    }
    this.#piece("\\\\");
    return at + 1;
  }

  #piece(escaped: string): void {
    if (this.#isKey) this.#key += escaped;
    else this.#handler.stringPiece(escaped);
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
    // The character behind the word belongs to what is around it.
    if (this.#isKey) this.#keyEnd(this.#bare);
    else this.#scalarEnd();
    return this.state === "open" && !this.#handler.isRefused ? this.#step(text, at) : at;
  }

  #scalarEnd(): void {
    const json = PYTHON[this.#bare] ?? this.#bare;
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
    // A star may be the first half of the closer.
    return text.endsWith("*") && this.#comment === "block" ? Math.max(at, text.length - 1) : text.length;
  }
}

/** Whether a code unit is the first half of a surrogate pair. */
export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
