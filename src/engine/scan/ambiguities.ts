/**
 * Ambiguous calls: the text after them decides whether they are meant or quoted. Until then, their events and that text
 * wait.
 *
 *     Write `<read_file>…</read_file>` and stop.       a code span: the backtick closes it, so the call is quoted
 *     I don`t know, so <read_file>…</read_file>        the paragraph ends first: the call is meant
 *     It prints <read_file>…</read_file> and then stops.   the sentence goes on: the call is quoted
 *     user: hi⏎assistant: <read_file>…</read_file>⏎tool: ok    the next line has a label, too: the call is quoted
 *     ```json⏎{"name": "read_file", …}⏎```⏎That was    prose ends the answer: it was an example
 *     > You wrote⏎<read_file>…</read_file>             the answer ends: the call isn't in the quotation
 *
 * @module
 */
import { own } from "../object/own.ts";
import { isDigit } from "../pattern/characters.ts";
import { isBlank, isSpace } from "../pattern/node.ts";
import type { Region } from "./region.ts";
import type { SpanWatch } from "./span_watch.ts";

/** The highest number of characters that can wait after a call, which then counts as quoted. */
export const WAITING_MAXIMUM = 1024;

/** The same, if the end of the answer alone decides. */
export const ENDING_MAXIMUM = 4096;

/** Why a call is ambiguous. */
export type Ambiguity =
  /** A code span or a link can be open, or the line can be the head of a table. */
  | { readonly kind: "span"; readonly watch: SpanWatch }
  /** An open region counts only if it is closed. */
  | { readonly kind: "region"; readonly region: Region }
  /** A quotation mark precedes the call; if its counterpart follows, the call is quoted. A space counts on both sides. */
  | { readonly kind: "mark"; readonly closer: string }
  /** A quotation is open on the call's line; if it closes on that line, the call is quoted. */
  | { readonly kind: "quotation"; readonly closer: string }
  /**
   * A sentence precedes the call on its line; if at least this many words continue it, the call is quoted. No words: it has
   * another call that is quoted.
   */
  | { readonly kind: "sentence"; readonly words: number }
  /** A label precedes the call on its line; if the next line has one, too, both are lines of a transcript or a file. */
  | { readonly kind: "label" }
  /** The call counts only if the answer ends with it or with another such call. */
  | { readonly kind: "ending" }
  /** The call is in code and counts only if nothing but calls follows in the code and in the answer. */
  | { readonly kind: "code" }
  /**
   * The line has no mark of the quotation or the table before it. The call counts only if the answer ends after it and
   * others of this kind, or if a call without ambiguities follows directly.
   */
  | { readonly kind: "line" };

/** The decision about an ambiguous call: `shown` means quoted. */
type Outcome = "open" | "shown" | "meant";

/** The range of a call in the answer. */
export interface CallSpan {
  readonly offset: number;
  readonly end: number;
}

interface AmbiguousCall {
  /** The opener's offset in the answer. */
  readonly offset: number;
  /** The end of the call, once it is whole. */
  end: number;
  readonly ambiguities: readonly Ambiguity[];
  outcome: Outcome;
  isClosed: boolean;
  isFollowed: boolean;
  isSpaced: boolean;
  /** The rest of the call's line, until it decides about a quotation or a sentence. */
  rest: string | undefined;
}

/** What decides calls: the end of the answer, text after the last call, a further call, or the end of a region. */
type Decider = "ending" | "code" | "line" | "call" | Region;

function decidersOf({ ambiguities }: AmbiguousCall): readonly Decider[] {
  const deciders: Decider[] = [];
  for (const ambiguity of ambiguities) {
    if (ambiguity.kind === "region") deciders.push(ambiguity.region);
    else if (ambiguity.kind === "ending" || ambiguity.kind === "code" || ambiguity.kind === "line") {
      deciders.push(ambiguity.kind);
    }
  }
  if (
    ambiguities.every((ambiguity) =>
      ambiguity.kind === "ending" || ambiguity.kind === "line" || isOfLine(ambiguity)
    )
  ) {
    deciders.push("call");
  }
  return deciders;
}

/** The ambiguous calls that wait for one decision. Each step looks only at the calls that it can decide. */
export class Ambiguities {
  readonly #calls: AmbiguousCall[] = [];
  /** The calls whose ambiguities changed since they were looked at. */
  #changed: AmbiguousCall[] = [];
  /** The whole calls that aren't decided, by what can decide them. */
  readonly #waitingFor = new Map<Decider, Set<AmbiguousCall>>();
  /** The number of calls that aren't known to be meant. */
  #open = 0;
  #hasShown = false;
  /** The number of characters since the last call. */
  #waiting = 0;
  /** Whether prose follows the last call. */
  #hasProse = false;

  add(offset: number, ambiguities: readonly Ambiguity[]): void {
    this.#follow("\n");
    this.#endLine();
    const call: AmbiguousCall = {
      offset,
      ambiguities,
      end: offset,
      outcome: "open",
      isClosed: false,
      isFollowed: false,
      isSpaced: false,
      rest: ambiguities.some(isOfLine) ? "" : undefined,
    };
    this.#calls.push(call);
    this.#open++;
    for (const ambiguity of ambiguities) {
      if (ambiguity.kind === "span") ambiguity.watch.onSettled = () => this.#changed.push(call);
    }
    this.#waiting = 0;
  }

  drop(offset: number): void {
    if (this.#calls.at(-1)?.offset !== offset) return;
    this.#calls.pop();
    this.#open--;
  }

  /** Ends a call. A call without ambiguities directly after the calls at the end of an answer shows that they are meant. */
  close({ offset, end }: CallSpan): void {
    const closed = this.#calls.at(-1);
    this.#waiting = 0;
    if (closed?.offset !== offset) {
      this.#endLine();
      for (const call of this.#of("call")) {
        this.#settle(call, this.#hasProse && isEnding(call) ? "shown" : "meant");
      }
      return;
    }
    if (isEnding(closed)) this.#hasProse = false;
    closed.isClosed = true;
    closed.end = end;
    this.#changed.push(closed);
    for (const decider of decidersOf(closed)) {
      const calls = this.#waitingFor.get(decider);
      if (calls) calls.add(closed);
      else this.#waitingFor.set(decider, new Set([closed]));
    }
    this.#readLine("");
  }

  /** The number of characters that can follow before the limit decides. */
  get room(): number {
    return this.#maximum - this.#waiting;
  }

  get #maximum(): number {
    return this.#waitingFor.get("call")?.size === this.#open ? ENDING_MAXIMUM : WAITING_MAXIMUM;
  }

  /** Reads the text after a call. */
  text(text: string): void {
    this.#follow(text);
    this.#readLine(text);
    this.#waiting += text.length;
    this.#hasProse ||= !isBlank(text);
    if (!isFence(text)) this.#show(this.#of("code"));
    if (!isBlank(text)) this.#show(this.#of("line"));
    this.#readSpans();
    if (this.#waiting >= this.#maximum) this.giveUp();
  }

  closeRegion(region: Region): void {
    this.#endLine();
    this.#show(this.#of(region));
  }

  /** Treats all waiting calls as quoted, because too much text waits. */
  giveUp(): void {
    this.#show(this.#calls.filter(({ ambiguities }) => ambiguities.length > 0));
  }

  /** Ends the answer. Open quotations don't count, and an answer that was cut off could have continued with prose. */
  end(isTruncated: boolean): void {
    this.#readSpans();
    if (isTruncated || this.#hasProse) this.#show(this.#of("ending"));
    if (isTruncated) this.#show([...this.#of("code"), ...this.#of("line")]);
    for (const call of this.#calls) this.#settle(call, "meant");
  }

  /** Whether a call is certainly quoted. */
  get isShown(): boolean {
    return this.#hasShown;
  }

  /** The ranges of the quoted calls, or undefined while a decision is open. */
  get shown(): readonly CallSpan[] | undefined {
    if (this.#hasShown) return this.#calls.filter(({ outcome }) => outcome === "shown");
    return this.#open === 0 ? [] : undefined;
  }

  #of(decider: Decider): readonly AmbiguousCall[] {
    return [...this.#waitingFor.get(decider) ?? []];
  }

  #readSpans(): void {
    if (this.#changed.length === 0) return;
    const changed = this.#changed;
    this.#changed = [];
    for (const call of changed) {
      if (
        call.ambiguities.some((ambiguity) =>
          ambiguity.kind === "span" && ambiguity.watch.outcome === "closed"
        )
      ) {
        this.#settle(call, "shown");
      }
      if (call.ambiguities.every((ambiguity) => isDispelled(ambiguity, call))) this.#settle(call, "meant");
    }
  }

  /** Checks the first character after a call, other than spaces: it can close the mark before the call. */
  #follow(text: string): void {
    const call = this.#calls.at(-1);
    if (!call?.isClosed || call.isFollowed) return;
    let at = 0;
    while (at < text.length && SPACES.includes(text[at]!)) at++;
    call.isSpaced ||= at > 0;
    if (at === text.length) return;
    call.isFollowed = true;
    this.#changed.push(call);
    const next = text[at]!;
    const closer = call.isSpaced ? ` ${next}` : next;
    if (call.ambiguities.some((ambiguity) => ambiguity.kind === "mark" && ambiguity.closer === closer)) {
      this.#settle(call, "shown");
    }
  }

  /** Reads the rest of a call's line. */
  #readLine(text: string): void {
    const call = this.#calls.at(-1);
    if (!call?.isClosed || call.rest === undefined) return;
    const rest = call.rest += text;
    const shows = call.ambiguities.filter(isOfLine).map((ambiguity) => showsQuoted(ambiguity, rest));
    if (shows.includes(true)) this.#settle(call, "shown");
    if (shows.includes(true) || !shows.includes(undefined)) this.#endLine();
  }

  #endLine(): void {
    const call = this.#calls.at(-1);
    if (!call?.isClosed || call.rest === undefined) return;
    call.rest = undefined;
    this.#changed.push(call);
  }

  #show(calls: readonly AmbiguousCall[]): void {
    for (const call of calls) this.#settle(call, "shown");
  }

  /** Settles a whole call; its first decision counts. */
  #settle(call: AmbiguousCall, outcome: "shown" | "meant"): void {
    if (call.outcome !== "open" || !call.isClosed) return;
    call.outcome = outcome;
    if (outcome === "shown") this.#hasShown = true;
    else this.#open--;
    for (const decider of decidersOf(call)) this.#waitingFor.get(decider)?.delete(call);
  }
}

/** Whether the end of the answer decides about a call. */
function isEnding({ ambiguities }: AmbiguousCall): boolean {
  return ambiguities.some(({ kind }) => kind === "ending");
}

/** Whether an ambiguity no longer applies. */
function isDispelled(ambiguity: Ambiguity, call: AmbiguousCall): boolean {
  if (ambiguity.kind === "span") return ambiguity.watch.outcome === "literal";
  return isOfLine(ambiguity) ? call.rest === undefined : ambiguity.kind === "mark" && call.isFollowed;
}

/** Whether the rest of a call's line, or the beginning of the next one, decides. */
function isOfLine({ kind }: Ambiguity): boolean {
  return kind === "quotation" || kind === "sentence" || kind === "label";
}

/** Whether the rest of a call's line, as far as it is known, shows that the call is quoted; undefined if more decides. */
function showsQuoted(ambiguity: Ambiguity, rest: string): boolean | undefined {
  const end = rest.indexOf("\n");
  const line = end < 0 ? rest : rest.slice(0, end);
  if (ambiguity.kind === "label") {
    if (!isBlank(line)) return false;
    return end < 0 ? undefined : hasLabel(rest.slice(end + 1));
  }
  const shows = ambiguity.kind === "sentence"
    ? goesOn(line, { least: ambiguity.words, isWhole: end >= 0 })
    : (ambiguity.kind === "quotation" && line.includes(ambiguity.closer)) || undefined;
  return end < 0 ? shows : shows ?? false;
}

/** The spaces that can precede that character. */
const SPACES = " \t\u00a0\u202f";

/**
 * The number of words that show after a call that a sentence goes on, by the last character before the call other than
 * spaces; undefined if no sentence is open there.
 */
export function sentenceWords(character: string): number | undefined {
  if (character === ":" || character === "—" || character === "–") return 3;
  const isNumber = isDigit(character.charCodeAt(0));
  return character === "," || isNumber || character.toLowerCase() !== character.toUpperCase() ? 2 : undefined;
}

/**
 * Whether a sentence goes on after a call: directly with the sign that ends it, or with this many words, of which the
 * first has a small letter and the last isn't the last text before another call.
 *
 * @returns undefined if more text decides
 */
function goesOn(
  line: string,
  { least, isWhole }: { readonly least: number; readonly isWhole: boolean },
): boolean | undefined {
  if (least === 0) return true;
  if (line === "") return undefined;
  if (least === 2 && ".?!;".includes(line[0]!)) return true;
  const hasComma = line.startsWith(",");
  if (!hasComma && !SPACES.includes(line[0]!)) return false;
  const words = line.slice(hasComma ? 1 : 0).split(" ").filter((word) =>
    word !== "" && !DASHES.includes(word)
  );
  const first = words[0]?.[0];
  if (first === "(") return words.length > 1 || undefined;
  if (first !== undefined && first === first.toUpperCase()) return false;
  const known = words.length - (isWhole || line.endsWith(" ") ? 0 : 1);
  const isOver = isWhole || isStop(line.at(-1)!);
  return known > least || (isOver && words.length >= least) || undefined;
}

const DASHES: readonly string[] = ["—", "–"];

/** Whether a character ends a sentence or a part of it. */
function isStop(character: string): boolean {
  return ".,;:!?".includes(character);
}

/** Quotation marks, and others that quote a call if it is all between them, and their counterparts. */
const MARKS: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "“": "”",
  "„": "“",
  "‘": "’",
  "‚": "‘",
  "«": "»",
  "‹": "›",
  "「": "」",
  "『": "』",
  "(": ")",
  ",": ",",
  "—": "—",
  "–": "–",
};

/** The counterpart of an opening quotation mark. */
export function closingMark(mark: string): string | undefined {
  return own(MARKS, mark);
}

/** Quotation marks that stand for a quotation up to the end of the line, and their counterparts. */
const QUOTES: readonly (readonly [opener: string, closer: string])[] = [['"', '"'], ["“", "”"], ["«", "»"]];

/** The counterparts of the quotation marks that are open at the end of a line, and of a quote that is its last character. */
export function openQuotations(line: string): readonly string[] {
  const closers = QUOTES.filter(([opener, closer]) => isOpenIn(line, opener, closer)).map(([, closer]) =>
    closer
  );
  return line.endsWith("'") ? [...closers, "'"] : closers;
}

/** Whether a line opens a mark or a bracket and doesn't close it. */
export function isOpenIn(line: string, opener: string, closer: string): boolean {
  const openers = line.split(opener).length - 1;
  return opener === closer ? openers % 2 === 1 : openers > line.split(closer).length - 1;
}

/** Whether a text has only whitespace and the marks of fences. */
function isFence(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== "`" && text[at] !== "~" && !isSpace(text.charCodeAt(at))) return false;
  }
  return true;
}

const LABEL_MAXIMUM = 24;

/** Whether a line is only a label, such as `assistant: ` or `  output: `. */
export function isLabel(line: string): boolean {
  return hasLabel(line) === true && line.trimEnd().endsWith(":");
}

/** Whether a text begins with a label: one word in small letters with a colon; undefined if more text decides. */
function hasLabel(line: string): boolean | undefined {
  const text = line.trimStart();
  const [word = ""] = text.split(":", 1);
  if (word.length > LABEL_MAXIMUM || word.includes(" ") || word !== word.toLowerCase()) return false;
  return word.length + 1 >= text.length ? undefined : isSpace(text.charCodeAt(word.length + 1));
}
