/**
 * What stands behind a whole JSON value: the rule's closer, or, where it is missing, something that makes the end
 * of the call certain all the same.
 *
 * @module
 */
import { capture } from "../../pattern/captures.ts";
import { Search } from "../../pattern/search.ts";
import { type Automata, CLOSING, type Texts } from "../automata.ts";
import type { CallSink, Failure } from "../call_sink.ts";
import type { Cursor } from "../cursor.ts";
import { mayGoOn, needsCloser } from "../ending.ts";
import type { CompiledRule } from "../program.ts";

/** More closing braces than this behind a value are no slip. */
const EXTRA_BRACES_MAXIMUM = 2;

const NOT_JSON: Failure = { reason: "invalid_arguments", detail: "not JSON" };

/** What came: the call is closed, another value follows in the same frame, it waits, or it is none. */
export type Closed = "closed" | "another" | "more" | Failure;

/** Reads a closer. */
export class Closing {
  readonly #sink: CallSink;
  readonly #rule: CompiledRule;
  readonly #automata: Automata;
  readonly #texts: Texts;
  #search: Search | undefined;
  #braces = 0;

  constructor(sink: CallSink, options: { rule: CompiledRule; automata: Automata; texts: Texts }) {
    this.#sink = sink;
    this.#rule = options.rule;
    this.#automata = options.automata;
    this.#texts = options.texts;
  }

  /** @param after what stands before: a whole value that may be followed by another, or one without its last brace */
  read(cursor: Cursor, after: "value" | "repeatable" | "brace" = "value"): Closed {
    const isOptional = !needsCloser(this.#rule);
    if (isOptional && after === "brace") return NOT_JSON;
    if (isOptional && !mayGoOn(this.#rule)) return "closed";
    const automaton = this.#automata.closing(this.#rule, this.#texts);
    this.#search ??= new Search(automaton, true);
    const found = this.#search.next(cursor);
    if (found.type === "held") return "more";
    if (found.type === "nothing") {
      if (cursor.at === cursor.text.length && !cursor.isEnd) return "more";
      if (isOptional) return "closed";
      return found.isCut && (cursor.isTruncated || after === "brace")
        ? { reason: "truncated" }
        : this.#none(after);
    }
    const { alternative, start, end, atLineStart } = found;
    if (isOptional && alternative !== CLOSING.closer && alternative !== CLOSING.another) {
      this.#search = undefined;
      return "closed";
    }
    if (!isPossible(alternative, after)) {
      this.#search.refuse(alternative);
      return this.read(cursor, after);
    }
    const span = { start, end, atLineStart };
    const to = capture(automaton, { alternative, text: cursor.text, span })?.end ?? end;
    this.#search = undefined;
    if (alternative === CLOSING.end && cursor.isTruncated) return { reason: "truncated" };
    cursor.at = to;
    switch (alternative) {
      case CLOSING.brace:
        if (++this.#braces > EXTRA_BRACES_MAXIMUM) return this.#none(after);
        this.#sink.repair("json_repaired", "extra brace");
        return this.read(cursor, after);
      case CLOSING.another:
        return "another";
      case CLOSING.closer:
        return "closed";
      default:
        this.#sink.repair("closer_missing");
        return "closed";
    }
  }

  /** Nothing fits. Where a rule is sure of its opener, whole arguments make the call: it stands, the rest is text. */
  #none(after: string): Closed {
    if (after === "brace") return NOT_JSON;
    if (this.#rule.commit === "close") {
      return { reason: "malformed", detail: "no closing tag after the JSON" };
    }
    this.#sink.repair("closer_missing");
    return "closed";
  }
}

/** After a missing brace only the rule's own closer makes the end certain. */
function isPossible(alternative: number, after: "value" | "repeatable" | "brace"): boolean {
  if (after === "brace") return alternative === CLOSING.closer;
  return alternative !== CLOSING.another || after === "repeatable";
}
