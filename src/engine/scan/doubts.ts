/**
 * Doubtful calls: the text after them decides whether they are meant or quoted. Until then, their events and that text
 * wait.
 *
 *     Write `<read_file>…</read_file>` and stop.       a code span: the backtick closes it, so the call is quoted
 *     I don`t know, so <read_file>…</read_file>        the paragraph ends first: the call is meant
 *     ```json⏎{"name": "read_file", …}⏎```⏎That was    prose follows the fence: it was an example
 *
 * @module
 */
import { isBlank, isSpace } from "../pattern/node.ts";
import type { SpanWatch } from "./code_spans.ts";
import type { Region } from "./region.ts";

/** The highest number of characters that can wait after a call, which then counts as quoted. */
export const WAITING_MAXIMUM = 1024;

/** A reason to doubt a call. */
export type Doubt =
  /** A code span or a link can be open, or the line can be the head of a table. */
  | { readonly kind: "span"; readonly watch: SpanWatch }
  /** An open region counts only if it is closed. */
  | { readonly kind: "region"; readonly region: Region }
  /** A quotation mark precedes the call; if its counterpart follows, the call is quoted. */
  | { readonly kind: "mark"; readonly closer: string }
  /** The call counts only if nothing but calls follows in the answer. */
  | { readonly kind: "ending" }
  /** The call is in code and counts only if nothing but calls follows in the code and in the answer. */
  | { readonly kind: "code" };

/** The decision about a doubtful call: `shown` means quoted. */
export type Outcome = "open" | "shown" | "meant";

/** The range of a call in the answer. */
export interface CallSpan {
  readonly offset: number;
  readonly end: number;
}

interface DoubtfulCall {
  /** The opener's offset in the answer. */
  readonly offset: number;
  /** The end of the call, once it is whole. */
  end: number;
  readonly doubts: readonly Doubt[];
  outcome: Outcome;
  isClosed: boolean;
  /** Whether text follows the call. */
  isFollowed: boolean;
}

/** The doubtful calls that wait for one decision. */
export class Doubts {
  #calls: DoubtfulCall[] = [];
  /** The number of characters since the last call. */
  #waiting = 0;

  /** Adds a doubtful call that begins. */
  add(offset: number, doubts: readonly Doubt[]): void {
    this.#follow("");
    this.#calls.push({ offset, doubts, end: offset, outcome: "open", isClosed: false, isFollowed: false });
    this.#waiting = 0;
  }

  /** Removes a candidate that isn't a call. */
  drop(offset: number): void {
    this.#calls = this.#calls.filter((call) => call.offset !== offset);
  }

  /** Ends a call. A call without doubts shows that calls follow the fenced calls before it. */
  close({ offset, end }: CallSpan): void {
    const closed = this.#calls.find((call) => call.offset === offset);
    this.#waiting = 0;
    if (closed) {
      closed.isClosed = true;
      closed.end = end;
    } else this.#decide("meant", (doubt) => doubt.kind === "ending");
  }

  /** The number of characters that can follow before the limit decides. */
  get room(): number {
    return WAITING_MAXIMUM - this.#waiting;
  }

  /** Reads the text after a call. */
  text(text: string): void {
    this.#follow(text[0] ?? "");
    this.#waiting += text.length;
    if (!isBlank(text)) this.#decide("shown", (doubt) => doubt.kind === "ending");
    if (!isFence(text)) this.#decide("shown", (doubt) => doubt.kind === "code");
    this.#readSpans();
    if (this.#waiting >= WAITING_MAXIMUM) this.#decide("shown", () => true);
  }

  /** Closes a region. */
  closeRegion(region: Region): void {
    this.#decide("shown", (doubt) => doubt.kind === "region" && doubt.region === region);
  }

  /** Treats all waiting calls as quoted, because too much text waits. */
  giveUp(): void {
    this.#decide("shown", () => true);
  }

  /** Ends the answer. Open quotations don't count, and an answer that was cut off could have continued with prose. */
  end(isTruncated: boolean): void {
    this.#readSpans();
    if (isTruncated) this.#decide("shown", (doubt) => doubt.kind === "ending" || doubt.kind === "code");
    this.#decide("meant", () => true);
  }

  /** Whether a call is certainly quoted. */
  get isShown(): boolean {
    return this.#calls.some(({ outcome }) => outcome === "shown");
  }

  /** The ranges of the quoted calls, or undefined while a decision is open. */
  get shown(): readonly CallSpan[] | undefined {
    const shown = this.#calls.filter(({ outcome }) => outcome === "shown");
    if (shown.length > 0) return shown;
    return this.#calls.every(({ outcome }) => outcome === "meant") ? [] : undefined;
  }

  #readSpans(): void {
    for (const call of this.#calls) {
      for (const doubt of call.doubts) {
        if (doubt.kind === "span" && doubt.watch.outcome === "closed") this.#settle(call, "shown");
      }
      if (call.doubts.every((doubt) => isDispelled(doubt, call))) this.#settle(call, "meant");
    }
  }

  /** Checks the first character after a call: a quotation mark can close the one before the call. */
  #follow(first: string): void {
    for (const call of this.#calls) {
      if (!call.isClosed || call.isFollowed) continue;
      call.isFollowed = true;
      const marks = call.doubts.filter((doubt) => doubt.kind === "mark");
      if (marks.some(({ closer }) => closer === first)) this.#settle(call, "shown");
    }
  }

  /** Decides calls. One doubt is enough for `shown`; `meant` requires all of them. */
  #decide(outcome: "shown" | "meant", concerns: (doubt: Doubt) => boolean): void {
    for (const call of this.#calls) {
      const isDecided = outcome === "shown" ? call.doubts.some(concerns) : call.doubts.every(concerns);
      if (isDecided) this.#settle(call, outcome);
    }
  }

  /** Settles a whole call; its first decision counts. */
  #settle(call: DoubtfulCall, outcome: "shown" | "meant"): void {
    if (call.outcome === "open" && call.isClosed) call.outcome = outcome;
  }
}

/** Whether a doubt no longer applies. */
function isDispelled(doubt: Doubt, call: DoubtfulCall): boolean {
  return doubt.kind === "span" ? doubt.watch.outcome === "literal" : doubt.kind === "mark" && call.isFollowed;
}

/** Quotation marks and their counterparts. */
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
};

/** The counterpart of an opening quotation mark. */
export function closingMark(mark: string): string | undefined {
  return Object.hasOwn(MARKS, mark) ? MARKS[mark] : undefined;
}

/** Whether a text has only white space and the marks of fences. */
function isFence(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== "`" && text[at] !== "~" && !isSpace(text.charCodeAt(at))) return false;
  }
  return true;
}
