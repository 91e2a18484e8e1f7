/**
 * Whether calls are shown or meant where they stand in an answer: certainly, or as soon as what follows says so.
 *
 * @module
 */
import type { NotedCandidate } from "./refusals.ts";
import { type CallSpan, closingMark, type Doubt, Doubts } from "./doubts.ts";
import { Markdown, type MarkdownKind, type MarkdownState } from "./markdown.ts";
import type { CompiledRule } from "./program.ts";
import type { Region } from "./region.ts";
import type { SavedRegions } from "./regions.ts";

/** How much of an answer may wait for a decision; it is checked where a call ends. */
const WAITING_MAXIMUM = 1024 * 1024;

/** All that decided what came before a place. */
export interface Place {
  /** The rule of the first call that waits. */
  readonly rule: CompiledRule;
  readonly offset: number;
  readonly atLineStart: boolean;
  /** How many calls had been begun. */
  readonly calls: number;
  readonly sawAnswer: boolean;
  /** The candidate that was noted last. */
  readonly noted: NotedCandidate | undefined;
  readonly markdown: MarkdownState;
  /** The regions that were open, the innermost last. */
  readonly regions: SavedRegions;
}

/** Calls whose meaning what follows decides, and the place before the first of them. */
interface Suspense {
  readonly place: Place;
  readonly doubts: Doubts;
}

/** Follows one answer. */
export class Quotation {
  readonly markdown: Markdown;
  /** The calls whose meaning what follows decides. */
  suspense: Suspense | undefined;
  /** Where calls stand that turned out to be shown: nothing in them is a call either. */
  #shown: readonly CallSpan[] = [];

  /** @param kinds the structures of Markdown in which calls are shown */
  constructor(kinds: ReadonlySet<MarkdownKind>) {
    this.markdown = new Markdown(kinds);
  }

  /**
   * Text of the answer that isn't reasoning. The first place where it shows that a call is only shown counts, so a text
   * that may hold several such places is taken in pieces; what follows the first one is read again.
   */
  text(text: string): void {
    let rest = text;
    while (rest !== "") {
      const { doubts } = this.suspense ?? {};
      if (!doubts) return this.markdown.feed(rest);
      if (doubts.isShown) return;
      const piece = rest.slice(0, Math.min(pieceLength(rest, this.markdown.last), doubts.room));
      if (piece === "") return this.markdown.feed(rest);
      this.markdown.feed(piece);
      this.markdown.readSpans();
      doubts.text(piece);
      rest = rest.slice(piece.length);
    }
  }

  /** A call is whole. */
  closeCall(call: CallSpan): void {
    this.markdown.skip();
    if (!this.suspense) return;
    const { doubts, place } = this.suspense;
    doubts.close(call);
    if (call.end - place.offset > WAITING_MAXIMUM) doubts.giveUp();
  }

  /** The answer is over. */
  end(isTruncated: boolean): void {
    if (!this.suspense) return;
    this.markdown.end();
    this.suspense.doubts.end(isTruncated);
  }

  /** What speaks against a call of a rule at this place; empty: nothing. */
  doubtsOf(
    rule: CompiledRule,
    { offset, region }: { offset: number; region: Region },
  ): "shown" | readonly Doubt[] {
    if (this.#shown.some((call) => offset >= call.offset && offset < call.end)) return "shown";
    const doubts: Doubt[] = [];
    if (region.quotes === "if closed") doubts.push({ kind: "region", region });
    if (region.quotes === "always") {
      if (rule.inside === "none" || !region.isFence) return "shown";
      doubts.push({ kind: "code" });
    }
    const { context } = this.markdown;
    if (context === "fence" || context === "indented_code") {
      if (!this.#readsCode(rule, context)) return "shown";
      doubts.push({ kind: "code" });
    } else if (context !== undefined) return "shown";
    if (this.markdown.mayBeInSpan) doubts.push({ kind: "span", watch: this.markdown.watchSpans() });
    if (this.markdown.mayBeTableHead) doubts.push({ kind: "span", watch: this.markdown.watchTableHead() });
    const link = this.markdown.watchLink();
    if (link) doubts.push({ kind: "span", watch: link });
    const closer = closingMark(this.markdown.last);
    if (closer !== undefined) doubts.push({ kind: "mark", closer });
    if (rule.where === "ending") doubts.push({ kind: "ending" });
    return doubts;
  }

  /**
   * A model that explains a call says so before its fence; code that the whole answer consists of may be meant. Text
   * may stand before indented code, which can be a call that was only moved to the right.
   */
  #readsCode(rule: CompiledRule, context: "fence" | "indented_code"): boolean {
    if (rule.inside === "none" || !this.markdown.isCodeBlank) return false;
    return context === "fence" ? this.markdown.isFirstCode : rule.inside === "any";
  }

  /** Whether a region's opener stands in code, where it is text; a tag that may be in a span opens nothing certain. */
  showsTag(rule: CompiledRule): boolean {
    if (this.markdown.context !== undefined) return true;
    return rule.body.kind === "opaque" && rule.body.unclosed === "text" && this.markdown.mayBeInSpan;
  }

  /** A doubtful call begins. Whether it is the first one that waits, at this place. */
  add(offset: number, options: { doubts: readonly Doubt[]; place: () => Place }): boolean {
    const isFirst = this.suspense === undefined;
    this.suspense ??= { place: options.place(), doubts: new Doubts() };
    this.suspense.doubts.add(offset, options.doubts);
    return isFirst;
  }

  /** The decision, if there is one: from where the answer is read again, or that all calls are meant. */
  settle(): Place | "meant" | undefined {
    if (!this.suspense) return undefined;
    const { place, doubts: { shown } } = this.suspense;
    if (shown === undefined) return undefined;
    this.suspense = undefined;
    if (shown.length === 0) return "meant";
    this.#shown = [...this.#shown.filter(({ end }) => end > place.offset), ...shown];
    this.markdown.restore(place.markdown);
    return place;
  }
}

/** What can end a code span, a link or a line. */
const DECISIVE = "`])\n";

/** How much of a text can show a call in one place only: such a character, the one after it, or what has none. */
function pieceLength(text: string, before: string): number {
  if (before !== "" && DECISIVE.includes(before)) return 1;
  let at = 0;
  while (at < text.length && !DECISIVE.includes(text[at]!)) at++;
  return Math.max(at, 1);
}
