/**
 * Decodes escapes, however often a text was escaped: JSON, HTML entities, percent-encoding, and terminal colors.
 *
 *     \u003ctool_call\u003e    &lt;tool_call&gt;    %3Ctool_call%3E    ESC[32m<tool_call>
 *
 * @module
 */
import { isHexDigit } from "../json/scalar.ts";
import { isDigit, isLetter } from "../pattern/characters.ts";
import { readEntity } from "./body/unescape.ts";

/** The kind of the unfinished escape: none, `&name`, backslashes, hexadecimal digits, or a terminal command. */
type State = "none" | "entity" | "backslash" | "digits" | "braces" | "command";

const BACKSLASH = 0x5c;
const AMPERSAND = 0x26;
const PERCENT = 0x25;
const SEMICOLON = 0x3b;
const ESCAPE = 0x1b;
const LINE_FEED = 0x0a;
const TAB = 0x09;
const SPACE = 0x20;
const PLUS = 0x2b;

/** The entities that serializers use for characters of markup. */
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  bsol: "\\",
  gt: ">",
  lt: "<",
  nbsp: " ",
  newline: "\n",
  quot: '"',
  tab: "\t",
};

/** Entities that browsers read without their semicolon, too. */
const LEGACY = ["lt", "gt", "amp", "quot"];

/** The longest name of an entity. */
const TOKEN_MAXIMUM = 12;

/** Decodes a text unit by unit, with the same result for every cut. */
export class Decoder {
  readonly #give: (unit: number) => void;
  #state: State = "none";
  /** The escape so far, without its first character. */
  #token = "";
  #digits = 0;
  #mark = "";
  /** Whether the text is an address or a form, in which a plus sign means a space. */
  #isForm = false;

  constructor(give: (unit: number) => void) {
    this.#give = give;
  }

  isPlain(unit: number): boolean {
    return this.#state === "none" && !this.#isForm && unit !== BACKSLASH && unit !== AMPERSAND &&
      unit !== PERCENT &&
      unit !== ESCAPE;
  }

  read(unit: number): void {
    switch (this.#state) {
      case "none":
        return this.#begin(unit);
      case "entity":
        return this.#readEntity(unit);
      case "backslash":
        return this.#readBackslash(unit);
      case "command":
        return this.#readCommand(unit);
      default:
        return this.#readDigits(unit);
    }
  }

  /** Ends the text. An unfinished escape is text. */
  end(): void {
    this.#giveUp();
  }

  #begin(unit: number): void {
    this.#token = "";
    if (unit === AMPERSAND) this.#state = "entity";
    else if (unit === BACKSLASH) this.#state = "backslash";
    else if (unit === ESCAPE) this.#state = "command";
    else if (unit === PERCENT) this.#beginDigits("%", 2);
    else this.#give(this.#isForm && unit === PLUS ? SPACE : unit);
    if (unit <= SPACE) this.#isForm = false;
  }

  #beginDigits(mark: string, digits: number): void {
    this.#state = "digits";
    this.#mark = mark;
    this.#token = "";
    this.#digits = digits;
  }

  /** Reads `&lt;`, `&#60;`, `&#x3c;`. The decoded text can begin another escape: `&amp;lt;`. */
  #readEntity(unit: number): void {
    if (isLetter(unit) || isDigit(unit) || unit === 0x23) {
      this.#token += String.fromCharCode(unit);
      if (this.#token.length > TOKEN_MAXIMUM) this.#giveUp();
      return;
    }
    const decoded = unit === SEMICOLON ? readEntity(this.#token.toLowerCase(), ENTITIES) : undefined;
    if (decoded === undefined) {
      this.#giveUp();
      return this.read(unit);
    }
    this.#state = "none";
    this.#readAll(decoded);
  }

  /** Reads backslashes. Any number of them counts as one, however often the text was escaped. */
  #readBackslash(unit: number): void {
    if (unit === BACKSLASH || isInvisible(unit)) return;
    this.#state = "none";
    if (unit === 0x6e || unit === 0x72) this.#give(LINE_FEED);
    else if (unit === 0x74) this.#give(TAB);
    else if (unit === 0x75) this.#beginDigits("u", 4);
    else if (unit === 0x78) this.#beginDigits("x", 2);
    else this.read(unit);
  }

  #readDigits(unit: number): void {
    if (unit === 0x7b && this.#mark === "u" && this.#token === "") {
      this.#state = "braces";
      return;
    }
    const isEnd = this.#state === "braces" && unit === 0x7d && this.#token !== "";
    if (!isEnd && (!isHexDigit(unit) || this.#token.length >= 6)) {
      this.#giveUp();
      return this.read(unit);
    }
    if (!isEnd) this.#token += String.fromCharCode(unit);
    if (this.#state === "braces" ? !isEnd : this.#token.length < this.#digits) return;
    this.#state = "none";
    const point = parseInt(this.#token, 16);
    if (point <= 0x10ffff) this.#readAll(String.fromCodePoint(point));
    this.#isForm ||= this.#mark === "%";
  }

  /** Reads a terminal command up to its final letter. */
  #readCommand(unit: number): void {
    if (unit >= 0x40 && unit <= 0x7e && unit !== 0x5b) this.#state = "none";
  }

  /** Passes an invalid escape on as text. The names of some entities end without their semicolon. */
  #giveUp(): void {
    const state = this.#state;
    const token = this.#token;
    this.#state = "none";
    if (state === "entity") {
      const name = LEGACY.find((name) => token.toLowerCase().startsWith(name));
      this.#giveAll(name === undefined ? `&${token}` : ENTITIES[name] + token.slice(name.length));
    } else if (state === "digits") this.#giveAll(this.#mark + token);
    else if (state === "braces") this.#giveAll(`u{${token}`);
  }

  #readAll(text: string): void {
    for (let at = 0; at < text.length; at++) this.read(text.charCodeAt(at));
  }

  #giveAll(text: string): void {
    for (let at = 0; at < text.length; at++) this.#give(text.charCodeAt(at));
  }
}

export function isInvisible(unit: number): boolean {
  return (unit >= 0x200b && unit <= 0x200f) || (unit >= 0x202a && unit <= 0x202e) ||
    (unit >= 0x2060 && unit <= 0x2064) || (unit >= 0xfe00 && unit <= 0xfe0f) ||
    unit === 0xad || unit === 0x34f || unit === 0x180e || unit === 0xfeff;
}
