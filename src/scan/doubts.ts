/**
 * Calls of which only what follows them says whether they are meant or shown. Until then their events and the text
 * after them wait.
 *
 *     Write `<read_file>…</read_file>` and stop.       a code span: the backtick closes it, so the call is shown
 *     I don`t know, so <read_file>…</read_file>        the paragraph ends first: the call is meant
 *     ```json⏎{"name": "read_file", …}⏎```⏎That was    prose follows the fence: it was an example
 *
 * @module
 */
import { isSpace } from "../pattern/node.ts";
import type { SpanWatch } from "./code_spans.ts";
import type { Region } from "./region.ts";

/** How much text may wait after a call. Past it the call counts as shown. */
export const WAITING_MAXIMUM = 1024;

/** Why a call is doubtful. */
export type Doubt =
  /** A code span or a link may be open, or the line may be the head of a table. */
  | { readonly kind: "span"; readonly watch: SpanWatch }
  /** A region is open that counts only if it is closed. */
  | { readonly kind: "region"; readonly region: Region }
  /** A quotation mark stands before the call; the same one after it makes it a quotation. */
  | { readonly kind: "mark"; readonly closer: string }
  /** The call counts only if nothing but calls follows in the answer. */
  | { readonly kind: "ending" }
  /** The call stands in code, and counts only if nothing but calls follows in the code and in the answer. */
  | { readonly kind: "code" };

/** What is known of a doubtful call. */
export type Outcome = "open" | "shown" | "meant";

/** Where in the answer a call stands. */
export interface CallSpan {
  readonly offset: number;
  readonly end: number;
}

interface DoubtfulCall {
  /** Where in the answer its opener stands. */
  readonly offset: number;
  /** Where it ends, as soon as it is whole. */
  end: number;
  readonly doubts: readonly Doubt[];
  outcome: Outcome;
  isClosed: boolean;
  /** Whether text has followed it. */
  isFollowed: boolean;
}

/** The doubtful calls that wait for one decision. */
export class Doubts {
  #calls: DoubtfulCall[] = [];
  /** How much text has come since the last call. */
  #waiting = 0;

  /** A doubtful call begins. */
  add(offset: number, doubts: readonly Doubt[]): void {
    this.#follow("");
    this.#calls.push({ offset, doubts, end: offset, outcome: "open", isClosed: false, isFollowed: false });
    this.#waiting = 0;
  }

  /** A call that began here was none. */
  drop(offset: number): void {
    this.#calls = this.#calls.filter((call) => call.offset !== offset);
  }

  /** A call is whole. Where it is beyond doubt, fenced calls before it are followed by a call. */
  close({ offset, end }: CallSpan): void {
    const closed = this.#calls.find((call) => call.offset === offset);
    this.#waiting = 0;
    if (closed) {
      closed.isClosed = true;
      closed.end = end;
    } else this.#decide("meant", (doubt) => doubt.kind === "ending");
  }

  /** How much more text may come before the limit decides. */
  get room(): number {
    return WAITING_MAXIMUM - this.#waiting;
  }

  /** Text follows. */
  text(text: string): void {
    this.#follow(text[0] ?? "");
    this.#waiting += text.length;
    if (!isBlank(text)) this.#decide("shown", (doubt) => doubt.kind === "ending");
    if (!isFence(text)) this.#decide("shown", (doubt) => doubt.kind === "code");
    this.#readSpans();
    if (this.#waiting >= WAITING_MAXIMUM) this.#decide("shown", () => true);
  }

  /** A region was closed. */
  closeRegion(region: Region): void {
    this.#decide("shown", (doubt) => doubt.kind === "region" && doubt.region === region);
  }

  /** Too much waits. */
  giveUp(): void {
    this.#decide("shown", () => true);
  }

  /** The answer is over: what was open is none; an answer that broke off may have gone on with prose. */
  end(isTruncated: boolean): void {
    this.#readSpans();
    if (isTruncated) this.#decide("shown", (doubt) => doubt.kind === "ending" || doubt.kind === "code");
    this.#decide("meant", () => true);
  }

  /** Whether a call is shown for certain. */
  get isShown(): boolean {
    return this.#calls.some(({ outcome }) => outcome === "shown");
  }

  /** Where the calls are that are shown; undefined as long as something is open. */
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

  /** The first thing after a call: a quotation mark closes the one before it. */
  #follow(first: string): void {
    for (const call of this.#calls) {
      if (!call.isClosed || call.isFollowed) continue;
      call.isFollowed = true;
      const marks = call.doubts.filter((doubt) => doubt.kind === "mark");
      if (marks.some(({ closer }) => closer === first)) this.#settle(call, "shown");
    }
  }

  /** A doubt that speaks for `shown` is enough; `meant` needs all of them. */
  #decide(outcome: "shown" | "meant", concerns: (doubt: Doubt) => boolean): void {
    for (const call of this.#calls) {
      const isDecided = outcome === "shown" ? call.doubts.some(concerns) : call.doubts.every(concerns);
      if (isDecided) this.#settle(call, outcome);
    }
  }

  /** The first decision counts, and a call that is still being read has none. */
  #settle(call: DoubtfulCall, outcome: "shown" | "meant"): void {
    if (call.outcome === "open" && call.isClosed) call.outcome = outcome;
  }
}

/** Whether a doubt speaks for nothing any more. */
function isDispelled(doubt: Doubt, call: DoubtfulCall): boolean {
  return doubt.kind === "span" ? doubt.watch.outcome === "literal" : doubt.kind === "mark" && call.isFollowed;
}

/** The marks that quote, each with the one that ends the quotation. */
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

/** What ends a quotation that a character begins. */
export function closingMark(mark: string): string | undefined {
  return Object.hasOwn(MARKS, mark) ? MARKS[mark] : undefined;
}

function isBlank(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (!isSpace(text.charCodeAt(at))) return false;
  return true;
}

/** Whether a text is white space and the marks of fences. */
function isFence(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== "`" && text[at] !== "~" && !isSpace(text.charCodeAt(at))) return false;
  }
  return true;
}
