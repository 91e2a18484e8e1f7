/**
 * Finds the next call inside text that was read as the JSON of a broken one, so that it isn't lost with it:
 *
 *     <tool_call>{"name": "f", "arguments": {"a": "x}}</tool_call><tool_call>{"name": "f", "arguments": {"a": "y"}}</tool_call>
 *                                                  ^ the string isn't closed here   ^ not JSON
 *                                                                 ^ reading continues here
 *
 * In a string that is JSON, quotes are escaped, so a call that it mentions isn't read as one.
 *
 * @module
 */
import { capture } from "../../pattern/captures.ts";
import { Search } from "../../pattern/search.ts";
import type { Automata, Texts } from "../automata.ts";
import type { Cursor } from "../cursor.ts";
import type { CompiledRule } from "../compiled_rule.ts";

/** The longest text that is kept; a neighbor in longer text is lost with the broken call. */
const KEPT_MAXIMUM = 1024 * 1024;

/** Keeps the text of a call from the next call on. */
export class Neighbor {
  readonly #search: Search;
  /** The text from `#base` on: the beginning of a match, or everything after the broken call's closer. */
  #text = "";
  #base = -1;
  #isFound = false;

  constructor({ rule, automata, texts }: { rule: CompiledRule; automata: Automata; texts: Texts }) {
    this.#search = new Search(automata.neighbor(rule, texts));
  }

  /** Sees text that is read as JSON. */
  see(text: string, offset: number): void {
    if (text === "" || this.#text.length > KEPT_MAXIMUM) return;
    if (this.#text === "") this.#base = offset;
    this.#text += text;
    if (this.#isFound) return;
    const window = { text: this.#text, base: this.#base, at: 0, atLineStart: false, isEnd: false };
    const found = this.#search.next(window);
    if (found.type !== "match") return this.#drop(found.type === "held" ? found.start : this.#text.length);
    const { alternative, start, end, atLineStart } = found;
    const options = { alternative, text: this.#text, span: { start, end, atLineStart } };
    this.#isFound = true;
    this.#drop(capture(this.#search.automaton, options)?.end ?? start);
  }

  /** Returns the cursor to the next call, if there is one. */
  restore(cursor: Cursor): boolean {
    if (!this.#isFound || this.#text.length > KEPT_MAXIMUM) return false;
    cursor.restore(this.#text, { offset: this.#base, atLineStart: false });
    return true;
  }

  #drop(length: number): void {
    this.#text = this.#text.slice(length);
    this.#base += length;
  }
}
