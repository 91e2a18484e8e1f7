/**
 * Reads one literal in Python or JSON notation while it streams: strings in single quotes, double quotes, triple quotes
 * or the dialect's own mark; numbers; the names of true, false and null in both languages; lists, tuples, and
 * dictionaries with quoted or bare keys. Anything that requires evaluation is refused.
 *
 *     {'size': (1, 2), "on": True}   →   {"size":[1,2],"on":true}
 *     {size:<|"|>L<|"|>}             →   {"size":"L"}
 *     (size: L, on: true)           →   {"size":"L","on":true}, where a mark encloses strings
 *
 * @module
 */
import { isSpace } from "../pattern/node.ts";
import type { JsonHandler, JsonRepair } from "./handler.ts";
import { DEPTH_MAXIMUM, JsonReader, type JsonState } from "./reader.ts";
import { isBare } from "./scalar.ts";
import { readPythonScalar } from "./python_scalar.ts";
import { StringReader } from "./string_reader.ts";
import { escapeJson, JsonWriter } from "./writer.ts";

type Expectation = "value" | "first" | "key" | "colon" | "comma" | "string" | "bare";

/** An open container. The values of a tuple are kept until it closes, because `(1)` is a number and `(1,)` a list. */
type Container = { readonly kind: "object" | "array"; readonly closer: string } | Tuple;

interface Tuple {
  readonly kind: "tuple";
  readonly closer: string;
  readonly outer: JsonHandler;
  json: string;
  values: number;
  hasComma: boolean;
}

const OPENERS: Readonly<Record<string, Container["kind"]>> = { "{": "object", "[": "array", "(": "tuple" };
const CLOSERS: Readonly<Record<Container["kind"], string>> = { object: "}", array: "]", tuple: ")" };

/** The longest number, name or bare key. */
const BARE_MAXIMUM = 256;

/** The longest string without marks. */
const BARE_STRING_MAXIMUM = 64 * 1024;

/** The prefixes of a string; `f` is missing because it requires evaluation. */
const PREFIXES: readonly string[] = ["r", "u", "b", "rb", "br"];

/** Reads one literal. Call `read` with its text; `state` shows whether the literal is complete or has failed. */
export class LiteralReader {
  state: JsonState = "open";
  /** The repairs so far: only strings without marks, because everything else that this reader accepts is valid. */
  readonly repairs = new Set<JsonRepair>();
  #handler: JsonHandler;
  readonly #delimiter: string | undefined;
  readonly #open: Container[] = [];
  #expecting: Expectation = "value";
  #isKey = false;
  #text = "";
  /** The number of open brackets in a string without marks. */
  #brackets = 0;
  #string: StringReader | undefined;
  /** Whether a string has ended that another string can continue. */
  #mayGoOn = false;

  /**
   * A reader at the beginning of a literal.
   *
   * @param handler receives the parts of the value
   * @param delimiter a mark, besides quotes, that can enclose strings
   */
  constructor(handler: JsonHandler, delimiter?: string) {
    this.#handler = handler;
    this.#delimiter = delimiter;
  }

  /** Reads from `at` and returns the first position that it didn't consume. */
  read(text: string, at: number): number {
    while (at < text.length && this.state === "open") {
      const next = this.#step(text, at);
      if (this.#handler.isRefused) this.state = "failed";
      if (next === at) break;
      at = next;
    }
    return at;
  }

  #step(text: string, at: number): number {
    if (this.#string) return this.#inString(this.#string, { text, at });
    if (this.#expecting === "bare") return this.#inBare(text, at);
    if (isSpace(text.charCodeAt(at))) return at + 1;
    if (this.#mayGoOn) return this.#afterString(text, at);
    switch (this.#expecting) {
      case "colon":
        return this.#colon(text, at);
      case "comma":
        return this.#comma(text[at]!, at);
      default:
        return this.#begin(text, at);
    }
  }

  #fail(at: number): number {
    this.state = "failed";
    return at;
  }

  /** Reads the first character of a key or a value, or the end of the container. */
  #begin(text: string, at: number): number {
    const character = text[at]!;
    const container = this.#open.at(-1);
    if (container && character === container.closer && this.#expecting !== "value") {
      return this.#close(at);
    }
    this.#isKey = this.#expecting === "key";
    const kind = OPENERS[character];
    if (kind !== undefined && !this.#isKey) return this.#openContainer(kind, at);
    const string = this.#stringBegin(text, at);
    if (string !== undefined) return string;
    if (
      !isBare(text.charCodeAt(at)) && (this.#isKey || !this.#takesBareStrings || "}]),:".includes(character))
    ) {
      return this.#fail(at);
    }
    this.#brackets = 0;
    this.#text = "";
    this.#expecting = "bare";
    return this.#inBare(text, at);
  }

  #openContainer(kind: Container["kind"], at: number): number {
    if (this.#open.length >= DEPTH_MAXIMUM) return this.#fail(at);
    const closer = CLOSERS[kind];
    if (kind === "tuple" && this.#open.length === 0 && this.#delimiter !== undefined) {
      // Outside all containers, parentheses enclose the arguments.
      this.#open.push({ kind: "object", closer });
      this.#handler.begin("object");
      this.#expecting = "key";
      return at + 1;
    }
    if (kind === "tuple") {
      const tuple: Tuple = { kind, closer, outer: this.#handler, json: "", values: 0, hasComma: false };
      this.#handler = new JsonWriter((piece) => tuple.json += piece);
      this.#open.push(tuple);
    } else this.#open.push({ kind, closer });
    this.#handler.begin(kind === "object" ? "object" : "array");
    this.#expecting = kind === "object" ? "key" : "first";
    return at + 1;
  }

  #close(at: number): number {
    const container = this.#open.pop()!;
    this.#handler.end();
    if (container.kind === "tuple") {
      const { outer, json, values, hasComma } = container;
      this.#handler = outer;
      // `(1)` is a number; `(1,)` and `()` are lists.
      new JsonReader(outer).read(values === 1 && !hasComma ? `${json.slice(1, -1)} ` : json, 0);
    }
    this.#valueEnd();
    return at + 1;
  }

  #comma(character: string, at: number): number {
    const container = this.#open.at(-1);
    if (!container) return this.#fail(at);
    if (character === container.closer) return this.#close(at);
    if (character !== ",") return this.#fail(at);
    if (container.kind === "tuple") container.hasComma = true;
    // A comma can precede the end of a container.
    this.#expecting = container.kind === "object" ? "key" : "first";
    return at + 1;
  }

  #colon(text: string, at: number): number {
    const isSign = text[at] === ":" || (text[at] === "=" && this.#open.at(-1)?.closer === ")");
    if (!isSign) return this.#fail(at);
    this.#expecting = "value";
    return at + 1;
  }

  /** Opens a string and returns the position of its first character, or undefined if no string begins here. */
  #stringBegin(text: string, at: number): number | undefined {
    const delimiter = this.#delimiter;
    if (delimiter !== undefined) {
      if (text.startsWith(delimiter, at)) {
        return this.#openString({ closer: delimiter, hasEscapes: false }, at + delimiter.length);
      }
      if (delimiter.startsWith(text.slice(at))) return at;
    }
    return text[at] === '"' || text[at] === "'" ? this.#quoteBegin(text, at, true) : undefined;
  }

  /** Opens a string with one quote or three; the third character decides. */
  #quoteBegin(text: string, at: number, hasEscapes: boolean): number {
    const quote = text[at]!;
    const triple = quote.repeat(3);
    if (text.startsWith(triple, at)) return this.#openString({ closer: triple, hasEscapes }, at + 3);
    if (triple.startsWith(text.slice(at))) return at;
    return this.#openString({ closer: quote, hasEscapes }, at + 1);
  }

  #openString(notation: { closer: string; hasEscapes: boolean }, at: number): number {
    if (!this.#mayGoOn) {
      this.#text = "";
      if (!this.#isKey) this.#handler.stringBegin();
    }
    this.#mayGoOn = false;
    this.#expecting = "string";
    this.#string = new StringReader(notation, (escaped) => {
      if (this.#isKey) this.#text += escaped;
      else this.#handler.stringPiece(escaped);
    });
    return at;
  }

  #inString(string: StringReader, { text, at }: { text: string; at: number }): number {
    const end = string.read(text, at);
    if (!string.isDone) return end;
    this.#string = undefined;
    // A string outside all containers can't continue.
    if (this.#open.length > 0) this.#mayGoOn = true;
    else this.#stringEnd();
    return end;
  }

  /** Continues a string: `"a" "b"` is one string, as in Python. */
  #afterString(text: string, at: number): number {
    const character = text[at]!;
    if (character === '"' || character === "'") return this.#quoteBegin(text, at, true);
    this.#mayGoOn = false;
    this.#stringEnd();
    return this.#step(text, at);
  }

  #stringEnd(): void {
    if (this.#isKey) return this.#keyEnd(JSON.parse(`"${this.#text}"`) as string);
    this.#handler.stringEnd();
    this.#valueEnd();
  }

  #keyEnd(key: string): void {
    this.#handler.key(key);
    this.#expecting = "colon";
  }

  /** Whether a string can lack its marks: in an object whose dialect has marks of its own. */
  get #takesBareStrings(): boolean {
    return this.#delimiter !== undefined && this.#open.length > 0;
  }

  /** Reads a value without marks up to the container's closer or the comma before the next member. */
  #inBareString(text: string, at: number): number {
    const container = this.#open.at(-1)!;
    const character = text[at]!;
    const delimiter = this.#delimiter ?? "";
    if (text.startsWith(delimiter, at)) return this.#fail(at);
    if (delimiter.startsWith(text.slice(at))) return at;
    if (this.#brackets === 0) {
      if (character === container.closer) return this.#bareStringEnd(text, at);
      if (character === ",") {
        const next = container.kind === "object" ? this.#memberAfter(text, at + 1) : "yes";
        if (next === "unknown") return at;
        if (next === "yes") return this.#bareStringEnd(text, at);
      }
    }
    if ("{[(".includes(character)) this.#brackets++;
    else if ("}])".includes(character) && this.#brackets > 0) this.#brackets--;
    if (this.#text.length >= BARE_STRING_MAXIMUM) return this.#fail(at);
    this.#text += character;
    return at + 1;
  }

  /** Whether a key and a colon follow a comma. */
  #memberAfter(text: string, from: number): "yes" | "no" | "unknown" {
    let at = from;
    while (at < text.length && isSpace(text.charCodeAt(at))) at++;
    const begin = at;
    const mark = [this.#delimiter ?? "", '"'].find((mark) => mark !== "" && text.startsWith(mark, at));
    if (mark !== undefined) return "yes";
    while (at < text.length && isBare(text.charCodeAt(at)) && at - begin <= BARE_MAXIMUM) at++;
    const end = at;
    while (at < text.length && isSpace(text.charCodeAt(at))) at++;
    if (at === text.length || this.#delimiter?.startsWith(text.slice(begin))) return "unknown";
    return end > begin && (text[at] === ":" || text[at] === "=") ? "yes" : "no";
  }

  #bareStringEnd(text: string, at: number): number {
    const word = this.#text.trim();
    const json = readPythonScalar(word);
    // A quote without a counterpart belongs to a string whose other mark is missing.
    if (word === "" || word.split('"').length % 2 === 0) return this.#fail(at);
    if (json !== undefined) this.#handler.scalar(json);
    else {
      this.repairs.add("bare string");
      this.#handler.stringBegin();
      this.#handler.stringPiece(escapeJson(word));
      this.#handler.stringEnd();
    }
    this.#valueEnd();
    return this.#handler.isRefused ? at : this.#step(text, at);
  }

  #inBare(text: string, at: number): number {
    if (!this.#isKey && this.#takesBareStrings) return this.#inBareString(text, at);
    if (isBare(text.charCodeAt(at))) {
      if (this.#text.length >= BARE_MAXIMUM) return this.#fail(at);
      this.#text += text[at]!;
      return at + 1;
    }
    if (text[at] === '"' || text[at] === "'") return this.#prefixed(text, at);
    if (this.#isKey) this.#keyEnd(this.#text);
    else {
      const json = readPythonScalar(this.#text);
      if (json === undefined) return this.#fail(at);
      this.#handler.scalar(json);
      this.#valueEnd();
    }
    return this.state === "open" && !this.#handler.isRefused ? this.#step(text, at) : at;
  }

  /** Reads the quote after the prefix `r`, `b` or `u`. */
  #prefixed(text: string, at: number): number {
    const prefix = this.#text.toLowerCase();
    if (!PREFIXES.includes(prefix)) return this.#fail(at);
    return this.#quoteBegin(text, at, !prefix.includes("r"));
  }

  #valueEnd(): void {
    this.#expecting = "comma";
    const container = this.#open.at(-1);
    if (container?.kind === "tuple") container.values++;
    if (!container) this.state = "done";
  }
}
