/**
 * Parameters that a model wrote as markup into the string before them, in the arguments of an upstream's own call:
 *
 *     {"path": "a.txt</path><parameter name=\"content\">hello"}
 *              ^^^^^ the value
 *                   ^^^^^^^ a closer of the value, directly before the opener of another declared parameter
 *                                                     ^^^^^ the value of the other one
 *
 * @module
 */
import { unescapeJson } from "../json/writer.ts";
import { isEscaped } from "../pattern/characters.ts";
import { spaceEnd } from "../pattern/node.ts";

/** The characters in which the closer and the opener have to be. */
const MARKS_MAXIMUM = 256;

/** The names of tags that enclose a value, besides the parameter's own. */
const ITEM_TAGS: readonly string[] = ["parameter", "param", "arg_value", "arg"];

/** The names of tags that enclose the values of a call, or calls. */
const CALL_TAGS: readonly string[] = [
  "invoke",
  "function",
  "tool_call",
  "tool_calls",
  "function_call",
  "function_calls",
  "parameters",
  "arguments",
];

interface SwallowedParameter {
  readonly name: string;
  readonly text: string;
}

/** What is known about the tool's parameters. */
interface Declared {
  (name: string): boolean;
}

/** Watches the value of one parameter for others in it. */
export class SwallowedWatch {
  /** The value from its closer on, escaped; undefined until the closer and an opener were read. */
  held: string | undefined;
  readonly #key: string;
  readonly #declared: Declared;
  /** The text that can still be a closer and an opener, escaped. */
  #pending = "";
  #isOver = false;

  /** A watch at the beginning of the value of `key`. */
  constructor(key: string, declared: Declared) {
    this.#key = key;
    this.#declared = declared;
  }

  /** Whether a part of the value waits. */
  get isHolding(): boolean {
    return this.#pending !== "" || this.held !== undefined;
  }

  /** Takes the next piece, escaped, and returns what certainly belongs to the value. */
  push(escaped: string): string {
    if (this.#isOver) return escaped;
    if (this.held !== undefined) {
      this.held += escaped;
      return "";
    }
    const text = this.#pending + escaped;
    this.#pending = "";
    for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) {
      const { text: marks, isWhole } = decoded(text, at);
      const found = this.#read(marks);
      if (found === "itself") {
        this.#isOver = true;
        return text;
      }
      if (found === "partial" && !isWhole) return this.#keep(text, lineStart(text, at));
      if (found !== "boundary") continue;
      const from = lineStart(text, at);
      this.held = text.slice(from);
      return text.slice(0, from);
    }
    return this.#keep(text, lineStart(text, text.length));
  }

  /** Ends the value and returns the rest that belongs to it. */
  end(): string {
    const rest = this.#pending;
    this.#pending = "";
    return rest;
  }

  #keep(text: string, from: number): string {
    this.#pending = text.slice(from);
    return text.slice(0, from);
  }

  /** What begins with a `<`: an example of the parameter itself, a boundary, what can become one, or text. */
  #read(marks: string): "itself" | "boundary" | "partial" | undefined {
    if (marks.length > 1 && !marks.startsWith("</")) {
      const opener = readOpener(marks, 0, this.#declared);
      return opener === "partial" ? opener : opener?.name === this.#key ? "itself" : undefined;
    }
    const boundary = readBoundary(marks, 0, { key: this.#key, declared: this.#declared });
    return typeof boundary === "object" ? "boundary" : boundary;
  }
}

/**
 * Reads the parameters in the text from the value's closer on. Each has to be whole and to occur once; otherwise the text
 * is ambiguous.
 *
 * @param text the text from the closer on, decoded
 * @param key the parameter in whose value it is
 *
 * @example
 * ```ts
 * import { readSwallowed } from "./swallowed.ts";
 * const found = readSwallowed('</path><parameter name="content">x</parameter>', "path", () => true);
 * console.assert(JSON.stringify(found) === '[{"name":"content","text":"x"}]');
 * ```
 */
export function readSwallowed(
  text: string,
  key: string,
  declared: Declared,
): readonly SwallowedParameter[] | undefined {
  const found: SwallowedParameter[] = [];
  const names = new Set([key]);
  let current = readBoundary(text, text.indexOf("<"), { key, declared });
  while (typeof current === "object") {
    const { name, end } = current;
    if (names.has(name)) return undefined;
    names.add(name);
    const value = text.slice(end);
    const next = nextBoundary(value, { key: name, declared });
    const own = withoutLines(next ? value.slice(0, next.start) : withoutClosers(value, name));
    if (hasTag(own, { key: name, declared })) return undefined;
    found.push({ name, text: own });
    current = next && { name: next.name, end: end + next.end };
  }
  return found.length === 0 ? undefined : found;
}

/** The first closer in a value before the opener of another parameter. */
function nextBoundary(
  value: string,
  about: { key: string; declared: Declared },
): Boundary & { readonly start: number } | undefined {
  for (let at = value.indexOf("<"); at >= 0; at = value.indexOf("<", at + 1)) {
    const boundary = readBoundary(value, at, about);
    if (typeof boundary === "object") return { ...boundary, start: at };
  }
  return undefined;
}

/** Whether a value has a tag that could be its closer or another opener. */
function hasTag(value: string, { key, declared }: { key: string; declared: Declared }): boolean {
  for (let at = value.indexOf("<"); at >= 0; at = value.indexOf("<", at + 1)) {
    const found = readTag(value, at);
    if (typeof found !== "object") continue;
    const { tag } = found;
    if (tag.startsWith("/") && isItemTag(tag.slice(1), key)) return true;
    if (typeof readOpener(value, at, declared) === "object") return true;
  }
  return false;
}

interface Boundary {
  readonly name: string;
  readonly end: number;
}

/** A closer of a value and the opener of another parameter. */
function readBoundary(
  text: string,
  at: number,
  { key, declared }: { key: string; declared: Declared },
): Boundary | "partial" | undefined {
  const closer = readTag(text, at);
  if (typeof closer !== "object") return closer;
  if (!closer.tag.startsWith("/") || !isItemTag(closer.tag.slice(1), key)) return undefined;
  const from = spaceEnd(text, closer.end);
  const opener = from < text.length ? readOpener(text, from, declared) : "partial";
  return typeof opener === "object" && opener.name === key ? undefined : opener;
}

/** The opener of a declared parameter: `<name>`, `<parameter=name>`, `<parameter name="name">`, or a key before its value. */
function readOpener(text: string, at: number, declared: Declared): Boundary | "partial" | undefined {
  const opener = readTag(text, at);
  if (typeof opener !== "object") return opener;
  const { tag, end } = opener;
  if (tag === "arg_key") return readKey(text, end, declared);
  const name = nameIn(tag);
  return name !== undefined && declared(name) ? { name, end } : undefined;
}

/** A key in tags of its own, and the opener of its value. */
function readKey(text: string, at: number, declared: Declared): Boundary | "partial" | undefined {
  const to = text.indexOf("<", at);
  if (to < 0) return text.length - at > MARKS_MAXIMUM ? undefined : "partial";
  const name = text.slice(at, to).trim();
  if (!declared(name)) return undefined;
  const closer = readTag(text, to);
  if (typeof closer !== "object") return closer;
  const from = spaceEnd(text, closer.end);
  const value = from < text.length ? readTag(text, from) : "partial";
  if (typeof value !== "object") return value;
  return closer.tag === "/arg_key" && value.tag === "arg_value" ? { name, end: value.end } : undefined;
}

function nameIn(tag: string): string | undefined {
  const sign = tag.indexOf("=");
  if (sign < 0) return tag;
  const before = tag.slice(0, sign).trimEnd();
  const [element = "", attribute] = before.split(" ");
  if (!isItemTag(element, "") || (attribute !== undefined && attribute !== "name")) return undefined;
  const value = tag.slice(sign + 1).trimStart();
  const quote = value[0];
  if (quote !== '"' && quote !== "'") return value.trimEnd();
  return value.slice(1).split(quote, 1)[0];
}

/** A tag, or what can become one; `tag` is the text in its brackets. */
function readTag(
  text: string,
  at: number,
): { readonly tag: string; readonly end: number } | "partial" | undefined {
  if (text[at] !== "<" || " \t\r\n=<>0123456789".includes(text[at + 1] ?? "x")) return undefined;
  const limit = Math.min(text.length, at + MARKS_MAXIMUM / 2);
  for (let end = at + 1; end < limit; end++) {
    const character = text[end];
    if (character === "<" || character === "\n") return undefined;
    if (character === ">") return { tag: text.slice(at + 1, end).trim(), end: end + 1 };
  }
  return limit < text.length ? undefined : "partial";
}

function isItemTag(name: string, key: string): boolean {
  return name === key || ITEM_TAGS.some((tag) => isNamed(name, tag));
}

/** Whether a tag has a name, also after the mark of a dialect: `x:parameter`. */
function isNamed(tag: string, name: string): boolean {
  if (!tag.endsWith(name)) return false;
  const before = tag.slice(0, -name.length).trimEnd();
  return before === "" || !isLetter(before.at(-1)!);
}

function isLetter(character: string): boolean {
  return character.toLowerCase() !== character.toUpperCase() || character === "_" || character === "-";
}

/** A last value without the closers of its item and its call. */
function withoutClosers(text: string, key: string): string {
  let end = text.trimEnd().length;
  let isItem = false;
  let to = text.length;
  while (!isItem && text[end - 1] === ">") {
    const at = text.lastIndexOf("</", end - 1);
    const tag = at < 0 ? undefined : readTag(text, at);
    if (typeof tag !== "object" || tag.end !== end) break;
    const name = tag.tag.slice(1);
    isItem = isItemTag(name, key);
    if (!isItem && !CALL_TAGS.some((one) => isNamed(name, one))) break;
    to = at;
    end = text.slice(0, at).trimEnd().length;
  }
  return text.slice(0, to);
}

/** A value without the line breaks that a notation puts around it. */
export function withoutLines(text: string): string {
  if (!text.startsWith("\n") && !text.startsWith("\r\n")) return text;
  const value = text.slice(text.indexOf("\n") + 1);
  if (!value.endsWith("\n")) return value;
  return value.slice(0, value.endsWith("\r\n") ? -2 : -1);
}

/** The beginning of an escaped text from a position on, decoded; `isWhole`: it has all that marks can take. */
function decoded(escaped: string, from: number): { readonly text: string; readonly isWhole: boolean } {
  let text = "";
  let at = from;
  while (at < escaped.length && text.length < MARKS_MAXIMUM) {
    const length = escaped[at] !== "\\" ? 1 : escaped[at + 1] === "u" ? 6 : 2;
    if (at + length > escaped.length) break;
    text += unescapeJson(escaped.slice(at, at + length));
    at += length;
  }
  return { text, isWhole: text.length >= MARKS_MAXIMUM };
}

/** The position before the line break directly before a position of an escaped text. */
function lineStart(escaped: string, at: number): number {
  const from = isEscape(escaped, at - 2, "n") ? at - 2 : at;
  return from < at && isEscape(escaped, from - 2, "r") ? from - 2 : from;
}

/** Whether an escape of a letter is at a position, and not a letter after an escaped backslash. */
function isEscape(escaped: string, at: number, letter: string): boolean {
  return at >= 0 && escaped.startsWith(`\\${letter}`, at) && !isEscaped(escaped, at);
}
