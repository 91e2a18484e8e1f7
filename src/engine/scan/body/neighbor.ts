/**
 * Finds the next call inside text that was read as the JSON of a broken one, so that it isn't lost with it:
 *
 *     <tool_call>{"name": "f", "arguments": {"a": "x}}</tool_call><tool_call>{"name": "f", "arguments": {"a": "y"}}</tool_call>
 *                                                  ^ the string isn't closed here   ^ not JSON
 *                                                                 ^ reading continues here
 *
 * In a string that is JSON, quotes are escaped, so a call that it mentions isn't read as one. Where no closer precedes
 * the next opener, the string can still mention the call with bare quotes, so the call counts only at the end.
 *
 * @module
 */
import type { Automaton } from "../../pattern/automaton.ts";
import { isLineStart, Search } from "../../pattern/search.ts";
import type { Cursor } from "../cursor.ts";
import type { RuleAutomata } from "../rule_automata.ts";

/** The longest text that is kept; a neighbor in longer text is lost with the broken call. */
const KEPT_MAXIMUM = 1024 * 1024;

/** What a broken call is followed by: a call after its closer, one that can be a mention, or none that is known. */
type Next = "call" | "ambiguous call" | "none";

/** The text that is searched at once: most calls are shorter, and only a broken one is searched. */
const SEARCHED_LENGTH = 4096;

/** Keeps the text of a call from the next call on. */
export class Neighbor {
  readonly #automata: RuleAutomata;
  #finders: { readonly afterCloser: Finder; readonly bare: Finder } | undefined;
  /** The text that no search has read yet. */
  #unread: string[] = [];
  #unreadLength = 0;
  /** The text from a match on that no search needs any more. Joining it with each piece would copy it each time. */
  #kept: string[] = [];
  #keptLength = 0;
  /** The text after it, from `#base` on: what a search still needs. */
  #window = "";
  #base = -1;

  constructor(automata: RuleAutomata) {
    this.#automata = automata;
  }

  /** Sees text that is read as JSON. */
  see(text: string, offset: number): void {
    if (text === "" || this.#isTooLong()) return;
    if (this.#base < 0) this.#base = offset;
    this.#unread.push(text);
    this.#unreadLength += text.length;
    if (this.#unreadLength >= SEARCHED_LENGTH) this.#search();
  }

  /** Searches the text that no search has read, and keeps of it what one still needs. */
  #search(): { readonly afterCloser: Finder; readonly bare: Finder } {
    const { afterCloser, bare } = this.#finders ??= {
      afterCloser: new Finder(this.#automata.neighbor()),
      bare: new Finder(this.#automata.opener()),
    };
    this.#window += this.#unread.join("");
    this.#unread = [];
    this.#unreadLength = 0;
    const end = this.#base + this.#window.length;
    const searched = Math.min(
      afterCloser.look(this.#window, this.#base) ?? end,
      bare.look(this.#window, this.#base) ?? end,
    );
    const from = Math.min(searched, afterCloser.found ?? end, bare.found ?? end);
    const settled = this.#window.slice(Math.max(from - this.#base, 0), searched - this.#base);
    if (settled !== "") this.#kept.push(settled);
    this.#keptLength += settled.length;
    this.#window = this.#window.slice(searched - this.#base);
    this.#base = searched;
    return this.#finders;
  }

  /** Returns the text from the next call on to a cursor that is where the call broke. */
  restore(cursor: Cursor): Next {
    if (this.#base < 0) return "none";
    const { afterCloser, bare } = this.#search();
    if (this.#isTooLong()) return "none";
    const certain = afterCloser.found;
    const offset = certain ?? bare.found ?? bare.begun;
    if (cursor.isEnd && offset === bare.begun) return "none";
    const text = (this.#kept.join("") + this.#window).slice(offset - this.#base + this.#keptLength);
    // Without quotes, it can be a mention in a string that is JSON. The text can have broken at the first one.
    const next = cursor.text[cursor.at] ?? "";
    const isCall = certain !== undefined || bare.found === undefined || hasBareQuote(text + next);
    if (text === "" || !isCall) return "none";
    cursor.restore(text, { offset, atLineStart: false });
    return certain === undefined ? "ambiguous call" : "call";
  }

  #isTooLong(): boolean {
    return this.#keptLength + this.#window.length > KEPT_MAXIMUM;
  }
}

/** Finds the first match of a pattern in growing text. */
class Finder {
  readonly #search: Search;
  #atLineStart = false;
  /** The offset at which a match can begin, if more text fits. */
  begun = 0;
  /** The offset of the next call. */
  found: number | undefined;

  constructor(automaton: Automaton) {
    this.#search = new Search(automaton);
  }

  /** Searches the text that is new, and returns the offset from which the search needs text; undefined after a match. */
  look(text: string, base: number): number | undefined {
    if (this.found !== undefined) return undefined;
    const at = Math.max(this.begun - base, 0);
    if (at === text.length) return this.begun;
    const window = {
      text: text.slice(at),
      base: base + at,
      at: 0,
      atLineStart: this.#atLineStart,
      isEnd: false,
    };
    const result = this.#search.next(window);
    const length = result.type === "held" ? result.start : window.text.length;
    this.begun = window.base + length;
    this.#atLineStart = isLineStart(window.text, length, this.#atLineStart);
    if (result.type !== "match") return this.begun;
    this.found = window.base + this.#search.capture(result, window.text).end;
    return undefined;
  }
}

/** Whether a text has a quote without a backslash before it. */
function hasBareQuote(text: string): boolean {
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
    if (text[at - 1] !== "\\") return true;
  }
  return false;
}
