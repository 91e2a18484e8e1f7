/**
 * Reads one call, or a list of calls in brackets, in Python notation:
 *
 *     [get_weather(city="Paris", days=2), list_files()]
 *      ^^^^^^^^^^^ name
 *                  ^^^^ key
 *                       ^^^^^^^ value: any literal, see `JsonReader`
 *
 * An object alone in the parentheses contains all the arguments: `f({"city": "Paris"})`, `f(**{"city": "Paris"})`. A
 * value without a name is refused, because its parameter would be a guess.
 *
 * @module
 */
import type { JsonHandler } from "../../json/handler.ts";
import { JsonReader, type JsonState } from "../../json/reader.ts";
import { isKey } from "../../json/scalar.ts";
import { isDigit } from "../../pattern/characters.ts";
import { isSpace } from "../../pattern/node.ts";

export interface CallListHandler {
  /** A list opens. It can contain more than one call, and either all of them count or none. */
  listBegin(): void;
  /** A call begins. Returns the handler of its arguments, or undefined to refuse the list. */
  callBegin(name: string): JsonHandler | undefined;
}

type Expectation =
  | "list"
  | "call"
  | "name"
  | "round"
  | "first"
  | "argument"
  | "key"
  | "equals"
  | "value"
  | "comma"
  | "object"
  | "close"
  | "next";

const WORD_MAXIMUM = 128;

/** Reads one call or one list. Call `read` with its text; `state` shows whether it is complete or has failed. */
export class CallListReader {
  state: JsonState = "open";
  readonly #calls: CallListHandler;
  #expecting: Expectation = "list";
  #isList = false;
  #word = "";
  #arguments: JsonHandler | undefined;
  /** The number of characters read since a piece of the arguments was last passed on. */
  unsent = 0;
  #sent = 0;
  #value: JsonReader | undefined;

  constructor(calls: CallListHandler) {
    this.#calls = calls;
  }

  /** Reads from `at` and returns the first position that it didn't consume. */
  read(text: string, at: number): number {
    this.unsent -= at;
    while (at < text.length && this.state === "open") {
      const next = this.#step(text, at);
      this.#countSent(next);
      if (next === at) break;
      at = next;
    }
    this.unsent += at;
    return at;
  }

  /** Notes that what is before an index was passed on. While text is read, `unsent` lacks the current index. */
  #countSent(at: number): void {
    const sent = this.#arguments?.sent;
    if (sent === undefined || sent === this.#sent) return;
    this.#sent = sent;
    this.unsent = -at;
  }

  #step(text: string, at: number): number {
    if (this.#value) return this.#inValue(this.#value, { text, at });
    const unit = text.charCodeAt(at);
    if (this.#expecting === "name" || this.#expecting === "key") return this.#inWord(text, at);
    if (isSpace(unit)) return at + 1;
    const character = text[at]!;
    switch (this.#expecting) {
      case "list":
        return this.#list(text, at);
      case "call":
        // A comma can precede the end of the list.
        return character === "]" && this.#isList ? this.#done(at + 1) : this.#wordBegin("name", text, at);
      case "round":
        return character === "(" ? this.#callBegin(at + 1) : this.#fail(at);
      case "first":
      case "argument":
        return this.#argument(text, at);
      case "equals":
        return character === "=" ? this.#valueBegin(at + 1) : this.#fail(at);
      case "comma":
        if (character === ")") return this.#callEnd(at + 1, true);
        return character === "," ? this.#expect("argument", at + 1) : this.#fail(at);
      case "close":
        return character === ")" ? this.#callEnd(at + 1, false) : this.#fail(at);
      default:
        if (character === "]") return this.#done(at + 1);
        return character === "," ? this.#expect("call", at + 1) : this.#fail(at);
    }
  }

  #fail(at: number): number {
    this.state = "failed";
    return at;
  }

  #done(at: number): number {
    this.state = "done";
    return at;
  }

  #expect(expecting: Expectation, at: number): number {
    this.#expecting = expecting;
    return at;
  }

  #list(text: string, at: number): number {
    if (text[at] !== "[") return this.#wordBegin("name", text, at);
    this.#isList = true;
    this.#calls.listBegin();
    return this.#expect("call", at + 1);
  }

  #wordBegin(expecting: "name" | "key", text: string, at: number): number {
    const unit = text.charCodeAt(at);
    if (!isKey(unit) || isDigit(unit)) return this.#fail(at);
    this.#word = "";
    this.#expecting = expecting;
    return this.#inWord(text, at);
  }

  #inWord(text: string, at: number): number {
    const isName = this.#expecting === "name";
    if (isKey(text.charCodeAt(at)) || (isName && ":/".includes(text[at]!))) {
      if (this.#word.length >= WORD_MAXIMUM) return this.#fail(at);
      this.#word += text[at]!;
      return at + 1;
    }
    this.#expecting = isName ? "round" : "equals";
    return this.#step(text, at);
  }

  #callBegin(at: number): number {
    this.#arguments = this.#calls.callBegin(this.#word);
    if (!this.#arguments) return this.#fail(at);
    return this.#expect("first", at);
  }

  /** Reads a key, the end of the arguments, or an object as the only argument. */
  #argument(text: string, at: number): number {
    const isFirst = this.#expecting === "first";
    if (isFirst && (text[at] === "{" || text[at] === "*")) return this.#objectBegin(text, at);
    if (isFirst) this.#arguments?.begin("object");
    if (text[at] === ")") return this.#callEnd(at + 1, true);
    return this.#wordBegin("key", text, at);
  }

  #objectBegin(text: string, at: number): number {
    if (text[at] === "*") {
      if (at + 1 >= text.length) return at;
      if (text[at + 1] !== "*") return this.#fail(at);
      at += 2;
    }
    this.#expecting = "object";
    this.#value = new JsonReader(this.#arguments!, { isPython: true });
    return this.#inValue(this.#value, { text, at });
  }

  #valueBegin(at: number): number {
    this.#expecting = "value";
    this.#arguments?.key(this.#word);
    if (this.#arguments?.isRefused) return this.#fail(at);
    this.#value = new JsonReader(this.#arguments!, { isPython: true });
    return at;
  }

  #inValue(value: JsonReader, { text, at }: { text: string; at: number }): number {
    const end = value.read(text, at);
    this.#countSent(end - value.unsent);
    if (value.state === "failed") this.state = "failed";
    if (value.state !== "done") return end;
    this.#value = undefined;
    this.#expecting = this.#expecting === "object" ? "close" : "comma";
    return end < text.length ? this.#step(text, end) : end;
  }

  #callEnd(at: number, isOpen: boolean): number {
    if (isOpen) this.#arguments?.end();
    this.#arguments = undefined;
    if (!this.#isList) return this.#done(at);
    return this.#expect("next", at);
  }
}
