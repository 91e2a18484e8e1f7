/**
 * Decides whether calls are quoted or meant at their position in an answer, either at once or after the following text.
 *
 * @module
 */
import {
  Ambiguities,
  type Ambiguity,
  type CallSpan,
  closingMark,
  isLabel,
  isOpenIn,
  openQuotations,
  sentenceWords,
} from "./ambiguities.ts";
import { Markdown, type MarkdownKind, type MarkdownState } from "./markdown.ts";
import type { CompiledRule } from "./compiled_rule.ts";
import type { Region } from "./region.ts";

/** The highest number of characters that can wait for a decision, checked at the end of each call. */
const WAITING_MAXIMUM = 1024 * 1024;

/** The ambiguous calls, and the state before the first of them. */
interface Suspense<Snapshot> {
  readonly snapshot: Snapshot;
  readonly markdown: MarkdownState;
  readonly hasQuoted: boolean;
  readonly ambiguities: Ambiguities;
}

/** The quotations of one answer. A snapshot is the state from which the answer can be read again. */
export class Quotation<Snapshot extends { readonly offset: number } = { readonly offset: number }> {
  readonly markdown: Markdown;
  suspense: Suspense<Snapshot> | undefined;
  /** The ranges of calls that turned out to be quoted, in order; candidates inside them aren't calls either. */
  #shown: readonly CallSpan[] = [];

  #hasQuoted = false;

  readonly #runsInFences: (rule: string) => boolean;

  /**
   * @param kinds the structures of Markdown that quote calls
   * @param runsInFences whether the client runs a rule's calls in fences, too, if it gets them unchanged
   */
  constructor(kinds: ReadonlySet<MarkdownKind>, runsInFences: (rule: string) => boolean = () => false) {
    this.markdown = new Markdown(kinds);
    this.#runsInFences = runsInFences;
  }

  /**
   * Reads text of the answer other than reasoning. Only the first position at which the text shows a call to be quoted
   * counts, because the text after it is read again. So the text is read in pieces with at most one such position.
   */
  text(text: string): void {
    if (text.includes("\n")) this.#hasQuoted = false;
    let rest = text;
    while (rest !== "") {
      const { ambiguities } = this.suspense ?? {};
      if (!ambiguities) return this.markdown.feed(rest);
      if (ambiguities.isShown) return;
      const piece = rest.slice(0, Math.min(pieceLength(rest, this.markdown.last), ambiguities.room));
      if (piece === "") return this.markdown.feed(rest);
      this.markdown.feed(piece);
      this.markdown.readSpans();
      ambiguities.text(piece);
      rest = rest.slice(piece.length);
    }
  }

  closeCall(call: CallSpan): void {
    this.markdown.skip();
    if (!this.suspense) return;
    const { ambiguities, snapshot } = this.suspense;
    ambiguities.close(call);
    if (call.end - snapshot.offset > WAITING_MAXIMUM) ambiguities.giveUp();
  }

  closeRegion(region: Region): void {
    this.suspense?.ambiguities.closeRegion(region);
  }

  end(isTruncated: boolean): void {
    if (!this.suspense) return;
    this.markdown.end();
    this.suspense.ambiguities.end(isTruncated);
  }

  /** Why a call of a rule at this position is ambiguous; empty if there are none. */
  ambiguitiesOf(
    rule: CompiledRule,
    { offset, region }: { offset: number; region: Region },
  ): "shown" | Ambiguity[] {
    if (this.#isShown(offset)) {
      this.#hasQuoted = true;
      return "shown";
    }
    const ambiguities: Ambiguity[] = [];
    if (region.quotes === "if closed") ambiguities.push({ kind: "region", region });
    if (region.quotes === "always") {
      const isRead = rule.inCode !== "never" || this.#runsInFences(rule.name);
      if (!isRead || !region.isFence) return "shown";
      ambiguities.push({ kind: "code" });
    }
    const { context } = this.markdown;
    if (context?.isCertain && (context.kind === "fence" || context.kind === "indented_code")) {
      if (!this.#readsCode(rule, context.kind)) return "shown";
      ambiguities.push({ kind: "code" });
    } else if (context?.isCertain) return "shown";
    for (const watch of this.markdown.watch()) ambiguities.push({ kind: "span", watch });
    const { last, line, lineEnd } = this.markdown;
    const closer = closingMark(lineEnd);
    if (closer !== undefined) {
      ambiguities.push({ kind: "mark", closer: last === lineEnd ? closer : ` ${closer}` });
    }
    if (closer !== ")" && isOpenIn(line, "(", ")")) ambiguities.push({ kind: "mark", closer: ")" });
    for (const open of openQuotations(line)) ambiguities.push({ kind: "quotation", closer: open });
    const words = last === lineEnd ? undefined : sentenceWords(lineEnd);
    if (words !== undefined) ambiguities.push({ kind: "sentence", words: this.#hasQuoted ? 0 : words });
    if (isLabel(line)) ambiguities.push({ kind: "label" });
    if (context?.isCertain === false) ambiguities.push({ kind: "line" });
    if (rule.followedBy === "calls") ambiguities.push({ kind: "ending" });
    return ambiguities;
  }

  /** Whether an offset is in a call that turned out to be quoted. */
  #isShown(offset: number): boolean {
    let from = 0;
    let to = this.#shown.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#shown[middle]!.end > offset) to = middle;
      else from = middle + 1;
    }
    return (this.#shown[from]?.offset ?? Infinity) <= offset;
  }

  /**
   * Whether a rule reads calls in the code at this position. Only a fence that begins the answer can be meant, because
   * a model announces an example before its fence; any fence can, if the client runs what is in it. Indented code can follow
   * text, because it can be a call that is only indented.
   */
  #readsCode(rule: CompiledRule, context: "fence" | "indented_code"): boolean {
    if (context === "fence" && this.#runsInFences(rule.name)) return this.markdown.isCodeBlank;
    if (rule.inCode === "never" || !this.markdown.isCodeBlank) return false;
    return context === "fence" ? this.markdown.isFirstCode : rule.inCode === "allowed";
  }

  /**
   * Whether a region's opener is in code, where it is text. If it can be in a span, only a region that needs no closer
   * opens.
   */
  showsTag(rule: CompiledRule): boolean {
    if (this.markdown.context?.isCertain) return true;
    return rule.body.kind === "opaque" && rule.body.unclosed === "text" && this.markdown.mayBeInSpan;
  }

  get isShown(): boolean {
    return this.markdown.context?.isCertain === true;
  }

  /** Begins to wait for decisions. Returns whether none was waited for. */
  suspend(save: () => Snapshot): boolean {
    if (this.suspense) return false;
    this.suspense = {
      snapshot: save(),
      markdown: this.markdown.state,
      hasQuoted: this.#hasQuoted,
      ambiguities: new Ambiguities(),
    };
    return true;
  }

  /** The decision, if there is one: the state from which to read again, or that all calls are meant. */
  settle(): Snapshot | "meant" | undefined {
    if (!this.suspense) return undefined;
    const { snapshot, markdown, hasQuoted, ambiguities: { shown } } = this.suspense;
    if (shown === undefined) return undefined;
    this.suspense = undefined;
    if (shown.length === 0) return "meant";
    this.#shown = [...this.#shown.filter(({ end }) => end > snapshot.offset), ...shown]
      .sort((one, other) => one.offset - other.offset);
    this.markdown.restore(markdown);
    this.#hasQuoted = hasQuoted;
    return snapshot;
  }
}

/** Characters that can end a code span, a link or a line. */
const DECISIVE = "`])\n";

/** The length of the next piece: one of these characters, the character after it, or the text before the next one. */
function pieceLength(text: string, before: string): number {
  if (before !== "" && DECISIVE.includes(before)) return 1;
  let at = 0;
  while (at < text.length && !DECISIVE.includes(text[at]!)) at++;
  return Math.max(at, 1);
}
