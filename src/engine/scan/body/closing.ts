/**
 * Reads what follows a whole JSON value: the rule's closer, or other text that makes the end of the call certain.
 *
 * @module
 */
import type { ValueFollower } from "../../json/handler.ts";
import { unitsOf } from "../../pattern/characters.ts";
import { isSpace } from "../../pattern/node.ts";
import { HELD_MAXIMUM, type Match, matchesAt, Search } from "../../pattern/search.ts";
import { type Failure, malformed, TRUNCATED } from "../body_reader.ts";
import type { Calls } from "../calls.ts";
import type { Cursor } from "../cursor.ts";
import { mayGoOn, needsCloser } from "../ending.ts";
import { isTags } from "./tags.ts";
import { CLOSING, EVIDENCE, type RuleAutomata } from "../rule_automata.ts";

/** The highest number of extra closing braces that can follow a value. */
const EXTRA_BRACES_MAXIMUM = 2;

/** The longest text that is held to find out whether a closer follows. */
const PROSE_MAXIMUM = 1024 * 1024;

const NOT_CLOSED: Failure = malformed("no closing tag after the JSON");

/** The longest rest of a broken call that is held until its closer comes. */
const SKIPPED_MAXIMUM = 4096;

/** The longest residue on the line of a whole value. */
const RESIDUE_MAXIMUM = 64;

/** Characters that can follow a bracket inside a string but never a call. */
const IN_STRINGS = unitsOf("\"',)]}:");

/** The text isn't JSON. */
export const NOT_JSON: Failure = { reason: "invalid_arguments", detail: "not JSON" };

/** The result of reading a closer: the call is closed, another value follows, more text is needed, or a failure. */
export type CloserResult = "closed" | "another" | "more" | Failure;

/** The text after a whole value that has no closer. */
interface Prose {
  readonly offset: number;
  readonly atLineStart: boolean;
  text: string;
}

export class Closing implements ValueFollower {
  readonly #calls: Calls;
  readonly #automata: RuleAutomata;
  #search: Search | undefined;
  #prose: Prose | undefined;
  #braces = 0;
  /** Why the call is broken, while the text up to its closer is left out. */
  #skipped: Failure | undefined;

  constructor(calls: Calls, automata: RuleAutomata) {
    this.#calls = calls;
    this.#automata = automata;
  }

  /**
   * Whether the text at a position can follow the value: a closer, or text on a line of its own. After a value that is
   * whole, a few other characters can precede the closer. If the rule needs none, one brace too many can be the text of a
   * string, so only the closer or the end shows that the value was whole.
   */
  mayFollow(text: string, at: number, isWhole: boolean): boolean | undefined {
    const needs = needsCloser(this.#automata.rule);
    if (!needs && !IN_STRINGS.has(text.charCodeAt(at))) return at < text.length || undefined;
    let from = at;
    for (let braces = 0; isSpace(text.charCodeAt(from)) || text[from] === "}"; from++) {
      if ((needs && text[from] === "\n") || from - at > HELD_MAXIMUM) return needs;
      if (text[from] === "}" && ++braces > EXTRA_BRACES_MAXIMUM) return false;
    }
    const isCloser = matchesAt(this.#automata.closing(), text, from);
    return isCloser === false && needs && isWhole ? this.#mayBeResidue(text, from) : isCloser;
  }

  isMissing(key: string): boolean {
    return this.#calls.isMissing(key);
  }

  /**
   * Whether the text at a position is a residue between a whole value and its closer. If JSON can end again before the
   * closer, the value isn't whole: its string contains the quote and the brackets.
   */
  #mayBeResidue(text: string, at: number): boolean | undefined {
    const next = text.charCodeAt(at);
    if (IN_STRINGS.has(next)) return false;
    const automaton = this.#automata.evidence();
    for (let index = at; index - at < RESIDUE_MAXIMUM; index++) {
      if (index >= text.length) return undefined;
      if (!automaton.stops.ascii[text.charCodeAt(index)] && text.charCodeAt(index) < 128) continue;
      const isCloser = matchesAt(automaton, text, index);
      if (isCloser !== false) return isCloser && !endsJson(text.slice(at, index));
    }
    return false;
  }

  /** @param after what precedes: a whole value, one that another can follow, or one without its last brackets */
  read(cursor: Cursor, after: "value" | "repeatable" | "brace" = "value"): CloserResult {
    if (this.#skipped) return this.#skipped;
    if (this.#prose) return this.#readProse(cursor, this.#prose);
    const isOptional = !needsCloser(this.#automata.rule);
    if (isOptional && after === "brace") {
      const isOver = cursor.isEnd && !cursor.isTruncated && cursor.spaceEnd === cursor.text.length;
      return isOver ? "closed" : NOT_JSON;
    }
    if (isOptional && !mayGoOn(this.#automata.rule)) return "closed";
    const automaton = this.#automata.closing();
    this.#search ??= new Search(automaton, true);
    const found = this.#search.next(cursor);
    if (found.type === "held") return "more";
    if (found.type === "nothing") {
      if (cursor.at === cursor.text.length && !cursor.isEnd) return "more";
      if (isOptional) return "closed";
      if (!found.isCut) return this.#none(cursor, after);
      // An incomplete closer at the end of a finished answer counts as a closer, but not after missing brackets.
      return cursor.isTruncated || after === "brace" ? TRUNCATED : this.#end(cursor, cursor.text.length);
    }
    const { alternative } = found;
    if (isOptional && alternative !== CLOSING.closer && alternative !== CLOSING.another) {
      this.#search = undefined;
      return "closed";
    }
    if (!isPossible(alternative, after)) {
      this.#search.refuse(alternative);
      return this.read(cursor, after);
    }
    const to = this.#endOf(cursor, found);
    this.#search = undefined;
    if (alternative === CLOSING.end && cursor.isTruncated) return TRUNCATED;
    if (alternative === CLOSING.end || alternative === CLOSING.opener) return this.#end(cursor, to);
    cursor.at = to;
    if (alternative === CLOSING.another) return "another";
    if (alternative === CLOSING.closer) return "closed";
    if (++this.#braces > EXTRA_BRACES_MAXIMUM) return this.#none(cursor, after);
    this.#calls.repair("json_repaired", "extra brace");
    return this.read(cursor, after);
  }

  #end(cursor: Cursor, to: number): "closed" {
    cursor.at = to;
    this.#calls.repair("closer_missing");
    return "closed";
  }

  /** Handles a missing closer. If a rule's opener is certain, a whole value doesn't need its closer. */
  #none(cursor: Cursor, after: string): CloserResult {
    if (after === "brace") return NOT_JSON;
    if (this.#automata.rule.commit === "close") return NOT_CLOSED;
    return this.#readProse(cursor, this.#beginProse(cursor));
  }

  #beginProse(cursor: Cursor): Prose {
    this.#search = new Search(this.#automata.evidence());
    return this.#prose = { offset: cursor.offset, atLineStart: cursor.isLineStart(cursor.at), text: "" };
  }

  /** Whether the text of a broken call up to its closer is read. */
  get isSkipping(): boolean {
    return this.#skipped !== undefined;
  }

  /**
   * Fails after reading on to the closer, so that the rest of a broken call isn't read as part of the answer. If another
   * call or the end comes first, reading continues where the call broke.
   */
  skip(cursor: Cursor, failure: Failure): "more" | Failure {
    const prose = this.#skipped && this.#prose || this.#beginProse(cursor);
    this.#skipped = failure;
    const found = this.#search!.next(cursor);
    const isMatch = found.type === "match";
    const to = isMatch
      ? this.#endOf(cursor, found)
      : found.type === "held"
      ? found.start
      : cursor.text.length;
    prose.text += cursor.take(to);
    if (!isMatch && !cursor.isEnd && prose.text.length <= SKIPPED_MAXIMUM) return "more";
    if (isMatch && found.alternative === EVIDENCE.closer) this.#calls.follow(prose.text, prose.offset);
    else cursor.restore(prose.text, prose);
    return { ...failure, brokenAt: prose.offset };
  }

  #endOf(cursor: Cursor, found: Match): number {
    return this.#search!.capture(found, cursor.text).end;
  }

  /**
   * Reads the text in place of the closer. If the closer follows later, the text is a residue, or the value only looked
   * whole:
   *
   *     {"content": "Close with "}}\n there"}}</tool_call>
   *                              ^^ not the end
   */
  #readProse(cursor: Cursor, prose: Prose): CloserResult {
    const found = this.#search!.next(cursor);
    prose.text += cursor.take(found.type === "nothing" ? cursor.text.length : found.start);
    if (prose.text.length > PROSE_MAXIMUM) {
      return { reason: "over_limit", detail: "no closing tag" };
    }
    if (found.type === "match" && found.alternative === EVIDENCE.closer) {
      if (endsJson(prose.text)) return NOT_CLOSED;
      // Tags are left out, and other text follows the call.
      const text = prose.text.trim();
      this.#calls.repair("text_before_closer");
      if (!isTags(text)) this.#calls.follow(text);
      cursor.at = this.#endOf(cursor, found);
      return "closed";
    }
    if (found.type !== "match" && !cursor.isEnd) return "more";
    if (cursor.isTruncated && found.type !== "match") return TRUNCATED;
    cursor.restore(prose.text, prose);
    return this.#end(cursor, cursor.at);
  }
}

function endsJson(text: string): boolean {
  const last = text.trimEnd().at(-1);
  return last === "}" || last === "]" || last === '"';
}

/**
 * Whether an alternative can follow. After missing brackets, only the rule's closer, the next call or the end makes
 * their position certain.
 */
function isPossible(alternative: number, after: "value" | "repeatable" | "brace"): boolean {
  if (after === "brace") return alternative !== CLOSING.brace && alternative !== CLOSING.another;
  return alternative !== CLOSING.another || after === "repeatable";
}
