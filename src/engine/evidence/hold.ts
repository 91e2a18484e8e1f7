/**
 * Holds the text that the second reader may have to read: from a mark, a bracket or a name on, until the text shows that no
 * offered tool is called there. Most of it is held for less than a line; from a name with its arguments on, it is held to
 * the answer's end, where the reader decides about it whole.
 *
 *     text   a < b and <div> stay.          sent: the second character, or the word, isn't part of a call
 *     sign   <tool_call>\n<name>ba          held, up to 64 characters
 *     call   <tool_call>\n<name>bash</name>\n<arg…     held to the end
 *
 * What is held depends on characters, never on where the text is cut.
 *
 * @module
 */
import type { OfferedTool } from "../tool/offered.ts";
import { declares, parameterNames, requiredParameters } from "../tool/schema.ts";
import {
  indexWithin,
  isBlank,
  isLetter,
  isSurrogate,
  isWordCharacter,
  skipBlank,
  skipSpaces,
  wordEnd,
  wordStart,
} from "./characters.ts";
import { hasCallPart } from "./call_word.ts";
import { canHoldValue } from "./lone_value.ts";
import { findMarks, isBracketWord, type Mark } from "./mark.ts";
import { ParameterMarks } from "./parameter_mark.ts";
import { findPlaces, type Place, skipGap } from "./place.ts";
import { isFirstKey } from "./reading.ts";
import { isNameKey, isThoughtKey, plainName, type ToolsByName } from "./tool_fit.ts";

/** How much text shows whether a tool is named. */
const REACH = 64;

/** The longest text from a name to the end of its first parameter's mark. */
const GAP_REACH = 256;

const SIGNS = "<[{]\n:";

/** The longest word between a name and its arguments. */
const GAP_WORD_MAXIMUM = 16;

/** The most signs and whitespace between the key of a name and the name. */
const SIGNS_BETWEEN = 8;

/** The keys of a call that can have much before its name. */
const LATE_NAMES = ['"arguments"', '"parameters"', '"args"', '"tool_calls"'];

/** The signs that can be around a name after its label: `**Tool:** `read``. */
const EMPHASIS = "*`\"' ";

/** What a bracket can begin with besides a name and a value. */
const BRACKET_WORDS = ["Calling", "Call", "Tool", "tool", "TOOL", "function", "Function", "call", "Using"];

/** Where a call can begin in the held text, and what follows is held; or how much of it can be sent. */
type Decision = "wait" | "call" | number;

export class Hold {
  readonly #tools: ToolsByName;
  readonly #names: readonly string[];
  #held = "";
  #isCall = false;
  /** The last character that was sent, and whether only indentation was sent in its line. */
  #last = "";
  #startsLine = true;
  #endsAnswer = false;

  constructor(tools: ToolsByName) {
    this.#tools = tools;
    this.#names = [...tools.keys()];
  }

  get held(): string {
    return this.#held;
  }

  /** Whether a named tool with arguments is held. */
  get isCall(): boolean {
    return this.#isCall;
  }

  /** Takes text and returns what can be sent; `isEnd`: no more follows; `endsAnswer`: nor does a call. */
  push(text: string, isEnd = false, endsAnswer = isEnd): string {
    this.#held += text;
    this.#endsAnswer = endsAnswer;
    let sent = "";
    while (this.#held !== "" && !this.#isCall) {
      const decision = this.#decide(isEnd);
      if (decision === "wait") break;
      if (decision === "call") this.#isCall = true;
      else sent += this.#send(decision);
    }
    return sent;
  }

  /** A call begins with the next text, whatever it is. */
  begin(): void {
    this.#isCall = true;
  }

  /** The held call isn't one: sends its first character, and reads on after it. */
  refuse(): string {
    this.#isCall = false;
    return this.#send(1);
  }

  /** Gives up all that is held. */
  release(): string {
    this.#isCall = false;
    return this.#send(this.#held.length);
  }

  #send(length: number): string {
    const sent = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    const line = sent.slice(sent.lastIndexOf("\n") + 1);
    const isNewLine = line.length < sent.length;
    this.#startsLine = (isNewLine || this.#startsLine) && skipSpaces(line, 0) === line.length;
    const trimmed = sent.trimEnd();
    if (trimmed !== "") this.#last = trimmed.at(-1)!;
    return sent;
  }

  #decide(isEnd: boolean): Decision {
    const text = this.#held;
    const sign = text[0]!;
    if (this.#startsLine && this.#canBeginName(0)) return this.#atName(0, isEnd);
    if (this.#startsLine && this.#canBeginHalf()) return this.#atWindow(isEnd);
    switch (sign) {
      case "<":
        return this.#atTag(isEnd);
      case "[":
        return this.#atBracket(isEnd);
      case "{":
        return this.#atBrace(isEnd);
      case "]":
        return text.startsWith("]<]") ? this.#atWindow(isEnd) : "]<]".startsWith(text) && !isEnd ? "wait" : 1;
      case "\n":
      case ":": {
        let at = skipSpaces(text, 1);
        const sign = at;
        while (at - sign < SIGNS_BETWEEN && EMPHASIS.includes(text[at] ?? "\n")) at++;
        if (at >= text.length && !isEnd && at < REACH) return "wait";
        return this.#canBeginName(at) ? this.#atName(at, isEnd) : sign;
      }
    }
    let next = 1;
    while (next < text.length && !SIGNS.includes(text[next]!)) next++;
    return next;
  }

  /** Whether the held text has a tool's name, or the beginning of one, at an offset. */
  #canBeginName(at: number): boolean {
    const text = this.#held;
    if (!isLetter(text[at]) && text[at] !== "_") return false;
    return this.#names.some((name) =>
      text.startsWith(name, at)
        ? !isWordCharacter(text[at + name.length])
        : name.startsWith(text.slice(at, at + name.length))
    );
  }

  /** Whether the held text begins, or can begin, as the rest of a tag with a tool's name. */
  #canBeginHalf(): boolean {
    const text = this.#held;
    return HALVES.some((half) => {
      if (!text.startsWith(half)) return half.startsWith(text);
      const at = half.length + (text[half.length] === '"' ? 1 : 0);
      return at >= text.length || this.#canBeginName(at);
    });
  }

  #atName(at: number, isEnd: boolean): Decision {
    const text = this.#held;
    const end = wordEnd(text, at, ".-");
    if (end >= text.length && !isEnd) return end - at > REACH ? 1 : "wait";
    const name = this.#names.find((one) =>
      text.startsWith(one, at) && !isWordCharacter(text[at + one.length])
    );
    const tool = name === undefined ? undefined : this.#tools.get(name);
    return tool === undefined
      ? Math.max(at, 1)
      : this.#atArguments({ tool, end: at + name!.length }, { isEnd, otherwise: end });
  }

  #atTag(isEnd: boolean): Decision {
    const text = this.#held;
    const first = text[1];
    if (first === undefined) return isEnd ? 1 : "wait";
    if (!isLetter(first) && !isSurrogate(first) && !"/|｜_\"'-".includes(first)) return 1;
    let end = 1;
    while (end < text.length && end < REACH && !">\n<{(".includes(text[end]!)) end++;
    if (end >= text.length && end < REACH && !isEnd) return "wait";
    const [mark] = findMarks(text.slice(0, end + 1));
    if (mark === undefined || mark.start > 0 || !this.#canLead(mark)) {
      return Math.max(1, Math.min(end, text.length));
    }
    return this.#atWindow(isEnd);
  }

  /** Whether a mark can open a call or hold its name. */
  #canLead({ isCloser, isSpecial, word, named }: Mark): boolean {
    if (isCloser) return false;
    return isSpecial || hasCallPart(word) || this.#tools.has(word) ||
      (named !== undefined && this.#tools.has(plainName(named)));
  }

  #atBracket(isEnd: boolean): Decision {
    const text = this.#held;
    const at = skipBlank(text, text[1] === "[" ? 2 : 1);
    const sign = text[at];
    if (sign === undefined) return isEnd || at > REACH ? 1 : "wait";
    if (sign === "{" || sign === '"') {
      return this.#startsLine || ">]:;".includes(this.#last) ? this.#atWindow(isEnd) : 1;
    }
    const end = wordEnd(text, at);
    if (end >= text.length && !isEnd && end < REACH) return "wait";
    const word = text.slice(at, end);
    const isToken = isBracketWord(word) && text[end] === "]";
    if (isToken || BRACKET_WORDS.includes(word) || this.#names.some((name) => text.startsWith(name, at))) {
      return this.#atWindow(isEnd);
    }
    return 1;
  }

  #atBrace(isEnd: boolean): Decision {
    const text = this.#held;
    if (!this.#startsLine && !">]:;".includes(this.#last)) return 1;
    let at = 1;
    while (isBlank(text[at]) || text[at] === "{" || text[at] === "[") at++;
    const quote = text[at];
    if (quote === undefined) return isEnd || at > REACH ? 1 : "wait";
    if (quote !== '"' && quote !== "'") return 1;
    const word = wordEnd(text, at + 1);
    if (text[word] === "=" && hasCallPart(text.slice(at + 1, word))) return this.#atWindow(isEnd);
    const end = indexWithin(text, quote, at + 1, REACH);
    if (end < 0) return isEnd || text.length > at + REACH ? 1 : "wait";
    const key = text.slice(at + 1, end);
    // An answer that is thoughts and a call in one object: the call can be anywhere in it.
    if (isThoughtKey(key) && this.#last === "") return "call";
    return isFirstKey(key) || this.#tools.has(key) ? this.#atWindow(isEnd) : 1;
  }

  /** Decides whether a name in the position of a call is near the sign that the held text begins with. */
  #atWindow(isEnd: boolean): Decision {
    const text = this.#held;
    if (text.length < REACH && !isEnd) return "wait";
    const window = text.slice(0, REACH);
    const marks = findMarks(window);
    const place = findPlaces(window, this.#tools, marks).find(({ lead }) => lead !== "next");
    if (place === undefined) {
      return this.#isArgumentsFirst(window) || this.#isAfterNameKey(window) ? "call" : 1;
    }
    return this.#atArguments(place, { isEnd, otherwise: 1 });
  }

  /** `"name" "read"`, `"name": read"`: a tool after the key of a name, with a sign too many or too few between them. */
  #isAfterNameKey(window: string): boolean {
    return this.#names.some((name) => {
      const at = window.indexOf(name);
      let end = at;
      while (end > 0 && !isWordCharacter(window[end - 1])) end--;
      const isNear = at > end && at - end <= SIGNS_BETWEEN && !isWordCharacter(window[at + name.length]);
      return isNear && isNameKey(window.slice(wordStart(window, end), end));
    });
  }

  /** An object whose arguments, or what holds its calls, come before the name. */
  #isArgumentsFirst(window: string): boolean {
    const brace = window.indexOf("{");
    if (brace < 0) return false;
    const rest = window.slice(skipBlank(window, brace + 1));
    return LATE_NAMES.some((key) => rest.startsWith(key));
  }

  /** Decides whether the arguments of a tool can follow its name. */
  #atArguments(
    place: Pick<Place, "tool" | "end"> & Partial<Place>,
    { isEnd, otherwise }: { readonly isEnd: boolean; readonly otherwise: number },
  ): Decision {
    const text = this.#held.slice(0, place.end + GAP_REACH);
    const isWhole = isEnd || text.length === place.end + GAP_REACH;
    const { tool, lead, mark } = place;
    if (lead === "json") {
      let end = place.end;
      while ("\"'”".includes(text[end] ?? " ")) end++;
      const at = skipBlank(text, end);
      if (text[at] === undefined) return isWhole ? otherwise : "wait";
      return ",}]><:".includes(text[at]!) ? "call" : otherwise;
    }
    if (lead === "tag" && mark !== undefined && hasAttributes(tool, mark)) return "call";
    // `Read", "path": …`: the rest of an object whose beginning is lost.
    if (
      lead !== undefined && `"'`.includes(text[place.end] ?? " ") &&
      text[skipBlank(text, place.end + 1)] === ","
    ) return "call";
    // `read path="a.txt"` can be the whole answer.
    const attribute = lead === undefined && this.#last === "" ? attributeAfter(tool, text, place.end) : false;
    if (attribute === true || (attribute === undefined && !isWhole)) return attribute ? "call" : "wait";
    const marks = findMarks(text);
    // `read⏎<key path`: whether its line ends here isn't known yet.
    if (!isWhole && marks.some(({ isBroken, end }) => isBroken && end >= text.length)) return "wait";
    if (lead === "tag" && mark !== undefined && canHoldValue(tool, mark, { isFirst: this.#last === "" })) {
      const closer = marks.find(({ start }) => start >= place.end);
      const isOwn = closer?.isCloser === true && !closer.isBroken && closer.word === mark.word;
      const isOpen = closer === undefined || closer.end >= text.length || isOwn;
      // An element of text is a call only at the answer's end.
      if (isOpen && skipBlank(text, closer?.end ?? text.length) >= text.length) {
        if (!isWhole) return "wait";
        if (isOwn && isEnd && this.#endsAnswer) return "call";
      }
    }
    const parameters = new ParameterMarks(text, marks, tool);
    const gap = skipGap(text, place.end, {
      markAt: (at) => marks.find(({ start }) => start === at),
      isKey: (one) => parameters.at(marks.indexOf(one)) !== undefined,
    });
    const sign = text[gap.at];
    // A token after the name shows a call, whatever its arguments begin with.
    const hasToken = lead === "mark" &&
      marks.some(({ start, isSpecial, isCloser }) =>
        isSpecial && !isCloser && start >= place.end && start < gap.at
      );
    const next = marks.findIndex(({ start }) => start >= place.end);
    const isKey = gap.isKey || (marks[next]?.isCloser && parameters.at(next) !== undefined);
    if (isKey || sign === "{" || sign === "(" || hasToken) return "call";
    const isUndecided = sign === undefined || canGoOn(text, gap.at) ||
      (sign === "<" && text.indexOf(">", gap.at) < 0 && text.length - gap.at < REACH) ||
      marks.some(({ end }) => end >= text.length);
    if (isUndecided && !isWhole) return "wait";
    const isEmpty = requiredParameters(tool.schema).length === 0 &&
      marks.some(({ start, isCloser }) => isCloser && start >= place.end);
    return isEmpty && lead !== "line" ? "call" : otherwise;
  }
}

/** Whether a text ends in a word that can be one between a name and its arguments. */
function canGoOn(text: string, at: number): boolean {
  return isLetter(text[at]) && text.length - at <= GAP_WORD_MAXIMUM && wordEnd(text, at) >= text.length;
}

/** Beginnings of lines that can be the rest of a tag whose bracket is lost. */
const HALVES = ["=", "name=", "function=", "invoke name="];

function hasAttributes({ schema }: OfferedTool, { attributes, named }: Mark): boolean {
  return Object.keys(attributes).some((key) => declares(schema, key) && attributes[key] !== named);
}

/** Whether a declared attribute follows a name; undefined if more text shows it. */
function attributeAfter({ schema }: OfferedTool, text: string, from: number): boolean | undefined {
  const at = skipSpaces(text, from);
  const end = wordEnd(text, at, "-");
  const key = text.slice(at, end);
  if (end < text.length) {
    const isOpen = text[end] === "=" && end + 1 >= text.length;
    return isOpen && declares(schema, key) ? undefined : text.startsWith('="', end) && declares(schema, key);
  }
  return parameterNames(schema).some((name) => name.startsWith(key)) ? undefined : false;
}
