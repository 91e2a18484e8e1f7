/**
 * Reads JSON, and what is nearly JSON: single quotes, bare keys, Python's words, keyword arguments, flags. Each departure is
 * a damage. It never guesses where a string ends: if that isn't certain, there is no value.
 *
 *     {"path": "a.txt"}      0
 *     {path: 'a.txt',}       a bare key, single quotes, a comma: 0.4
 *     (path="a.txt")         keyword arguments: 0.1
 *     {"a": "b" "c": 1}      a comma is missing: 1
 *
 * @module
 */
import {
  indexWithin,
  isDigit,
  isLetter,
  isWordCharacter,
  skipBlank,
  skipBlankBack,
  wordEnd,
} from "./characters.ts";

interface LooseValue {
  readonly value: unknown;
  readonly end: number;
  readonly damage: number;
}

interface LooseOptions {
  /** Whether a key is known; by default, every key is. A comma in a bare text ends it only before a known key. */
  readonly isKey?: (key: string) => boolean;
  /** How many characters may still be read in all; what would need more has no value. */
  readonly budget?: { left: number };
  /** Whether the outermost bracket may be missing at the end of the text or before a closing mark. */
  readonly canBeOpen?: boolean;
}

const NESTING_MAXIMUM = 60;
const KEY_MAXIMUM = 64;
const TOKEN_QUOTE = '<|"|>';
/** The same with the string between its halves: `<|"a"|>`. */
const HALF_QUOTES = { open: '<|"', close: '"|>' };
const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", "`": "`", "“": "”", "‘": "’" };
const WORDS: Readonly<Record<string, unknown>> = {
  true: true,
  false: false,
  null: null,
  True: true,
  False: false,
  None: null,
};
const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  "/": "/",
  "\\": "\\",
  '"': '"',
};

/** The value at an offset; undefined if none can be read with certainty. */
export function readLooseValue(
  text: string,
  start: number,
  options: LooseOptions = {},
): LooseValue | undefined {
  const reader = new LooseReader(text, start, options);
  const value = reader.read(0, "");
  if (options.budget !== undefined && (options.budget.left -= reader.at - start + 1) < 0) return undefined;
  return value === NONE ? undefined : { value, end: reader.at, damage: reader.damage };
}

/** There is no value. */
const NONE = Symbol("none");

interface Key {
  readonly name: string;
  readonly isQuoted: boolean;
  readonly isFlag: boolean;
}

class LooseReader {
  readonly #text: string;
  readonly #options: LooseOptions;
  at: number;
  damage = 0;
  /** The string before the next comma, whose last character can be a sign that seems to be missing. */
  #last = "";

  constructor(text: string, start: number, options: LooseOptions) {
    this.#text = text;
    this.at = start;
    this.#options = options;
  }

  /** @param close the bracket that ends what the value is in, if a text without quotes may stand there; else empty */
  read(depth: number, close: string): unknown {
    if (depth > NESTING_MAXIMUM) return NONE;
    this.at = skipBlank(this.#text, this.at);
    const text = this.#text;
    const sign = text[this.at];
    if (sign === undefined) return NONE;
    if (text.startsWith(TOKEN_QUOTE, this.at)) return this.#between(TOKEN_QUOTE);
    if (text.startsWith(HALF_QUOTES.open, this.at)) {
      this.#hurt(0.5);
      return this.#between(HALF_QUOTES.open, HALF_QUOTES.close);
    }
    if (sign === "{") return this.#mapping("}", depth);
    if (sign === "(" && depth === 0) return this.#mapping(")", depth);
    if (sign === "[") return this.#list(depth);
    if (text.startsWith('"""', this.at) || text.startsWith("'''", this.at)) {
      const value = this.#between(text.slice(this.at, this.at + 3));
      return value === NONE || text[this.at] === sign ? NONE : unescapeText(String(value));
    }
    if (QUOTES[sign] !== undefined) return this.#string(close || "}");
    const plain = this.#plain();
    return plain === NONE ? this.#bareText(close) : plain;
  }

  #hurt(damage: number): void {
    this.damage += damage;
  }

  #between(open: string, close = open): unknown {
    const end = this.#text.indexOf(close, this.at + open.length);
    if (end < 0) return NONE;
    const value = this.#text.slice(this.at + open.length, end);
    this.at = end + close.length;
    return value;
  }

  /** A number or one of the words, if what follows can follow a value. */
  #plain(): unknown {
    const text = this.#text;
    const end = isLetter(text[this.at]) ? wordEnd(text, this.at) : numberEnd(text, this.at);
    const next = text[skipBlank(text, end)];
    if (end === this.at || end - this.at > KEY_MAXIMUM || next === undefined) return NONE;
    if (!',}])<"'.includes(next)) return NONE;
    const word = text.slice(this.at, end);
    if (isLetter(word[0])) {
      if (!Object.hasOwn(WORDS, word)) return NONE;
      if (word[0]! < "a") this.#hurt(0.1);
      this.at = end;
      return WORDS[word];
    }
    if (isWordCharacter(text[end]) || "./:-".includes(text[end] ?? " ")) return NONE;
    this.at = end;
    return Number(word);
  }

  /** Text without quotes, up to the bracket, or up to a comma before a key. It has no quotes and brackets in it. */
  #bareText(close: string): unknown {
    if (close === "" || close === ")") return NONE;
    const text = this.#text;
    let end = this.at;
    for (;; end++) {
      const sign = text[end];
      if (sign === undefined) return NONE;
      if (sign === close) break;
      if ('\n{}[]()"<>`'.includes(sign)) return NONE;
      if (sign === "," && (close === "]" || this.#isBeforeKey(end + 1))) break;
      if (sign === ",") return NONE;
    }
    const value = text.slice(this.at, end).trim();
    if (
      value === "" || value === "..." || value === "…" || ":=,;.".includes(value[0]!) ||
      ":=,;".includes(value.at(-1)!)
    ) {
      return NONE;
    }
    this.at = end;
    this.#hurt(0.5);
    return value;
  }

  /** Whether a known key and its sign come next. */
  #isBeforeKey(from: number): boolean {
    const text = this.#text;
    let at = skipBlank(text, from);
    if (`"'`.includes(text[at] ?? " ")) at++;
    const end = wordEnd(text, at, "-");
    if (end === at) return false;
    const sign = skipBlank(text, `"'`.includes(text[end] ?? " ") ? end + 1 : end);
    return ":=".includes(text[sign] ?? " ") && (this.#options.isKey?.(text.slice(at, end)) ?? true);
  }

  #string(close: string): unknown {
    const text = this.#text;
    const quote = text[this.at]!;
    const end = QUOTES[quote]!;
    if (quote !== '"') this.#hurt(quote === "'" ? 0.1 : 0.5);
    const parts: string[] = [];
    let inner = 0;
    let from = ++this.at;
    const take = () => void parts.push(text.slice(from, this.at));
    for (;;) {
      const sign = text[this.at];
      if (sign === undefined) return NONE;
      if (sign === "\\") {
        take();
        const escaped = this.#escape();
        if (escaped === undefined) return NONE;
        parts.push(escaped);
        from = this.at;
      } else if (sign === end) {
        if (this.#canEnd(close, this.at - from + parts.length)) {
          take();
          const value = parts.join("");
          this.at++;
          // Quotation marks that aren't escaped come in pairs, and no member of an object is between them.
          this.#last = value;
          return inner % 2 === 1 || (inner > 0 && holdsMember(value)) ? NONE : value;
        }
        if (quote !== '"') return NONE;
        if (inner++ === 0) this.#hurt(1);
        this.at++;
      } else {
        if (sign === "\n") this.#hurt(0.2);
        this.at++;
      }
    }
  }

  /** The character that an escape means; what JSON doesn't know stays with its backslash. */
  #escape(): string | undefined {
    const next = this.#text[this.at + 1];
    if (next === undefined) return undefined;
    if (next === "u") {
      const digits = this.#text.slice(this.at + 2, this.at + 6);
      const code = digits.length === 4 && [...digits].every((digit) =>
          "0123456789abcdefABCDEF".includes(digit)
        )
        ? Number.parseInt(digits, 16)
        : undefined;
      this.at += code === undefined ? 1 : 6;
      if (code === undefined) this.#hurt(1);
      return code === undefined ? "\\" : String.fromCharCode(code);
    }
    this.at += 2;
    const known = ESCAPES[next];
    if (known !== undefined) return known;
    if (next === "'" || next === "`") return next;
    this.#hurt(0.5);
    return `\\${next}`;
  }

  /** Whether a quotation mark ends the string: only if what follows can follow one. */
  #canEnd(close: string, length: number): boolean {
    const text = this.#text;
    const after = this.at + 1;
    const next = skipBlank(text, after);
    const sign = text[next];
    if (sign === undefined || ":}]<".includes(sign) || sign === close) return true;
    if (sign === "=") return length < KEY_MAXIMUM;
    if (sign === ",") return close !== "}" || this.#isMemberNext(next + 1);
    const isOnNewLine = text.slice(after, next).includes("\n");
    if (close === "}" && isOnNewLine && (isLetter(sign) || sign === "-" || sign === "_")) return true;
    // A comma is missing: `"a" "key": …`.
    return close === "}" && sign === '"' && this.#isQuotedKey(next);
  }

  /** Whether a key follows a string between marks, so that only the comma is missing. */
  #isBareKeyAfterMark(): boolean {
    const end = skipBlankBack(this.#text, this.at, Math.max(0, this.at - TOKEN_QUOTE.length));
    return this.#text.endsWith(TOKEN_QUOTE, end) && this.#isBeforeKey(this.at);
  }

  #isQuotedKey(at: number): boolean {
    const end = indexWithin(this.#text, '"', at + 1, KEY_MAXIMUM);
    if (end < 0 || end - at > KEY_MAXIMUM) return false;
    const key = this.#text.slice(at + 1, end);
    return key !== "" && !key.includes("\n") && this.#text[skipBlank(this.#text, end + 1)] === ":" &&
      (this.#options.isKey?.(key) ?? true);
  }

  /** After a comma: a key with its sign, a bracket that closes, a flag, or the end. */
  #isMemberNext(from: number): boolean {
    const text = this.#text;
    const at = skipBlank(text, from);
    const sign = text[at];
    if (sign === undefined || "}])".includes(sign)) return true;
    if (sign === "-") return true;
    const isQuoted = `"'“`.includes(sign);
    let end = isQuoted ? at + 1 : at;
    if (!isLetter(text[end]) && !"_$@.".includes(text[end] ?? " ") && !isQuoted) return false;
    while (end < text.length && end - at <= KEY_MAXIMUM && !`"'“”:=\n`.includes(text[end]!)) end++;
    if (`"'”`.includes(text[end] ?? " ")) end++;
    return ":=".includes(text[skipBlank(text, end)] ?? " ");
  }

  #list(depth: number): unknown {
    const values: unknown[] = [];
    const text = this.#text;
    this.at++;
    for (;;) {
      this.at = skipBlank(text, this.at);
      const sign = text[this.at];
      if (sign === undefined) return NONE;
      if (sign === "]") {
        this.at++;
        return values;
      }
      if (sign === ",") {
        this.at++;
        this.#hurt(0.2);
        continue;
      }
      const value = this.read(depth + 1, "]");
      if (value === NONE) return NONE;
      values.push(value);
      this.at = skipBlank(text, this.at);
      const next = text[this.at];
      if (next === ",") this.at++;
      else if (next === "{") this.#hurt(1);
      else if (next !== "]") {
        if (!this.#isBeforeCloser()) return NONE;
        this.#hurt(1);
        return values;
      }
    }
  }

  /** Whether the closer of something around the value comes next. */
  #isBeforeCloser(): boolean {
    const at = skipBlank(this.#text, this.at);
    return this.#text[at] === "}" || (this.#text[at] === "<" && "/|｜".includes(this.#text[at + 1] ?? " "));
  }

  #mapping(close: string, depth: number): unknown {
    const members: Record<string, unknown> = {};
    const text = this.#text;
    const open = text[this.at];
    const canBeOpen = this.#options.canBeOpen ?? true;
    this.at++;
    for (;;) {
      this.at = skipBlank(text, this.at);
      const sign = text[this.at];
      if (sign === close) {
        this.at++;
        return members;
      }
      if (sign === ",") {
        this.at++;
        this.#hurt(0.2);
        continue;
      }
      if (sign === undefined || (sign === "<" && this.#isBeforeCloser())) {
        const isLost = canBeOpen && Object.keys(members).length > 0 && !endsInBrace(this.#last);
        if (sign === undefined || !isLost) return NONE;
        this.#hurt(1);
        return members;
      }
      if (open === "(" && !isLetter(sign) && sign !== "_") return NONE;
      const key = this.#key();
      if (key === undefined) return NONE;
      const value = this.read(depth + 1, key.isQuoted ? "" : close);
      if (value === NONE) return NONE;
      if (Object.hasOwn(members, key.name)) {
        if (JSON.stringify(members[key.name]) !== JSON.stringify(value)) return NONE;
        this.#hurt(2);
      }
      members[key.name] = value;
      this.at = skipBlank(text, this.at);
      const next = text[this.at];
      if (next === ",") {
        this.#last = "";
        this.at++;
      } else if (next === close || key.isFlag) continue;
      else if (next === '"' ? this.#isQuotedKey(this.at) : this.#isBareKeyAfterMark()) {
        if (this.#last.endsWith(",")) return NONE;
        this.#hurt(1);
      } else if (endsInBrace(this.#last)) return NONE;
      else if (
        next === "]" || (next === "<" && this.#isBeforeCloser()) ||
        (next === undefined && canBeOpen && depth === 0)
      ) {
        this.#hurt(1);
        return members;
      } else return NONE;
    }
  }

  /** A key and its sign: `"key":`, `key =`, `key =>`, `--key`. */
  #key(): Key | undefined {
    const text = this.#text;
    const from = this.at;
    const quote = text.startsWith(TOKEN_QUOTE, from) ? TOKEN_QUOTE : text[from] ?? "";
    const closing = quote === TOKEN_QUOTE
      ? quote
      : quote === "`" || quote === "‘"
      ? undefined
      : QUOTES[quote];
    let name: string;
    let at: number;
    const isFlag = quote === "-";
    if (closing !== undefined) {
      at = indexWithin(text, closing, from + quote.length, KEY_MAXIMUM + closing.length);
      if (at < 0 || at - from > KEY_MAXIMUM + quote.length) return undefined;
      name = text.slice(from + quote.length, at);
      if (name.includes("\n") || name.includes("\\")) return undefined;
      at += closing.length;
    } else {
      const begin = isFlag ? from + (text[from + 1] === "-" ? 2 : 1) : from;
      if (!isLetter(text[begin]) && !"_$".includes(text[begin] ?? " ")) return undefined;
      at = wordEnd(text, begin, ".$-");
      name = text.slice(begin, at);
    }
    const sign = skipBlank(text, at);
    const length = text.startsWith("=>", sign) ? 2 : ":=".includes(text[sign] ?? " ") ? 1 : 0;
    if (length === 0 && !isFlag) return undefined;
    if (quote !== '"') this.#hurt(0.1);
    this.at = length === 0 ? at : sign + length;
    return { name, isQuoted: quote === '"', isFlag };
  }
}

/** Where the number ends that begins at an offset: the offset itself if none does. As in JSON, without a leading zero. */
function numberEnd(text: string, start: number): number {
  let at = text[start] === "-" ? start + 1 : start;
  const digits = (from: number) => {
    let end = from;
    while (isDigit(text[end])) end++;
    return end;
  };
  const whole = digits(at);
  if (whole === at || (text[at] === "0" && whole > at + 1)) return start;
  at = whole;
  if (text[at] === "." && isDigit(text[at + 1])) at = digits(at + 1);
  if ("eE".includes(text[at] ?? " ")) {
    const sign = "+-".includes(text[at + 1] ?? " ") ? at + 2 : at + 1;
    if (isDigit(text[sign])) at = digits(sign);
  }
  return at;
}

/** Whether a text ends in a brace that nothing opens in it. */
export function endsInBrace(text: string): boolean {
  return text.endsWith("}") && text.split("{").length < text.split("}").length;
}

/** Whether a text with quotation marks has one, a comma or a colon, and the next one: `a","b`, `a" b="c`. */
function holdsMember(value: string): boolean {
  for (let at = value.indexOf('"'); at >= 0; at = value.indexOf('"', at + 1)) {
    let next = skipBlank(value, at + 1);
    if (",:".includes(value[next] ?? " ")) next = skipBlank(value, next + 1);
    if (value[next] === '"') return true;
    const end = wordEnd(value, next);
    const sign = skipBlank(value, end);
    if (end > next && ":=".includes(value[sign] ?? " ") && value[skipBlank(value, sign + 1)] === '"') {
      return true;
    }
  }
  return false;
}

function unescapeText(text: string): string {
  const parts = text.split("\\");
  let result = parts[0]!;
  for (let index = 1; index < parts.length; index++) {
    const part = parts[index]!;
    const sign = part[0];
    if (sign === undefined) {
      // An escaped backslash: the next part is as it is.
      result += `\\${parts[++index] ?? ""}`;
    } else if (sign === "n") result += `\n${part.slice(1)}`;
    else if (sign === "t") result += `\t${part.slice(1)}`;
    else result += `"'`.includes(sign) ? part : `\\${part}`;
  }
  return result;
}
