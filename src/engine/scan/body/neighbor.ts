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
import { capture } from "../../pattern/captures.ts";
import type { Automaton } from "../../pattern/automaton.ts";
import { isLineStart, Search } from "../../pattern/search.ts";
import type { Automata, Texts } from "../automata.ts";
import type { Cursor } from "../cursor.ts";
import type { CompiledRule } from "../compiled_rule.ts";

/** The longest text that is kept; a neighbor in longer text is lost with the broken call. */
const KEPT_MAXIMUM = 1024 * 1024;

/** What a broken call is followed by: a call after its closer, one that can be a mention, or none that is known. */
export type Next = "call" | "doubtful call" | "none";

/** Keeps the text of a call from the next call on. */
export class Neighbor {
  readonly #afterCloser: Finder;
  readonly #bare: Finder;
  /** The text from `#base` on: the beginning of a match, or everything after it. */
  #text = "";
  #base = 0;

  constructor({ rule, automata, texts }: { rule: CompiledRule; automata: Automata; texts: Texts }) {
    this.#afterCloser = new Finder(automata.neighbor(rule, texts));
    this.#bare = new Finder(automata.opener(rule, texts));
  }

  /** Sees text that is read as JSON. */
  see(text: string, offset: number): void {
    if (text === "" || this.#text.length > KEPT_MAXIMUM) return;
    if (this.#text === "") this.#base = offset;
    this.#text += text;
    const from = Math.min(...[this.#afterCloser, this.#bare].map((one) => one.look(this.#text, this.#base)));
    this.#text = this.#text.slice(from - this.#base);
    this.#base = from;
  }

  /** Returns the cursor to the next call, if there is one. */
  restore(cursor: Cursor): Next {
    if (this.#text.length > KEPT_MAXIMUM) return "none";
    const certain = this.#afterCloser.found;
    const offset = certain ?? this.#bare.found ?? this.#bare.begun;
    const text = this.#text.slice(offset - this.#base);
    // Without quotes, it can be a mention in a string that is JSON.
    const isCall = certain !== undefined || this.#bare.found === undefined || hasBareQuote(text);
    if (text === "" || !isCall) return "none";
    cursor.restore(text, { offset, atLineStart: false });
    return certain === undefined ? "doubtful call" : "call";
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

  /** Searches the text that is new, and returns the offset from which text is needed. */
  look(text: string, base: number): number {
    if (this.found !== undefined) return this.found;
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
    this.#atLineStart = isLineStart(window.text, length, { floor: 0, atLineStart: this.#atLineStart });
    if (result.type !== "match") return this.begun;
    const { alternative, start, end, atLineStart } = result;
    const options = { alternative, text: window.text, span: { start, end, atLineStart } };
    return this.found = window.base + (capture(this.#search.automaton, options)?.end ?? start);
  }
}

/** Whether a text has a quote without a backslash before it. */
function hasBareQuote(text: string): boolean {
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
    if (text[at - 1] !== "\\") return true;
  }
  return false;
}
