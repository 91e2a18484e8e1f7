/**
 * The texts and targets of links and images on one line, according to CommonMark. A call inside one is quoted. Only the
 * text after a bracket decides whether it belongs to a link:
 *
 *     See [<read_file>…</read_file>](page.md) there.      a link's text
 *     See ![<read_file>…</read_file>][figure] there.      an image's description
 *     See [here](<<read_file>…</read_file>>) there.       a link's target
 *     I note [one: <read_file>…</read_file>               a bracket: the line ends first
 *
 * @module
 */
import type { SpanWatch } from "./code_spans.ts";

/** Watches the links that can be open in a line. */
export class Links {
  #open: OpenLink[] = [];

  /** Whether any link is watched. */
  get isActive(): boolean {
    return this.#open.length > 0;
  }

  /**
   * Watches the link that can be open after the beginning of a line.
   *
   * @returns undefined if there is none
   */
  watch(line: string): SpanWatch | undefined {
    if (!line.includes("[")) return undefined;
    const link = new OpenLink();
    link.read(line);
    if (!link.isOpen) return undefined;
    link.begin();
    this.#open.push(link);
    return link.watch;
  }

  /** Reads more of the line. */
  feed(text: string): void {
    for (const link of this.#open) link.read(text);
    this.#open = this.#open.filter(({ watch }) => watch.outcome === "open");
  }

  /** Ends the line. Open links are text. */
  endLine(): void {
    for (const { watch } of this.#open) watch.outcome = "literal";
    this.#open = [];
  }

  /** Discards all watches, because the text is read again from an earlier position. */
  forget(): void {
    this.#open = [];
  }
}

/** Counts the brackets of a line. */
class OpenLink {
  readonly watch: SpanWatch = { count: 1, outcome: "open" };
  /** The number of open square brackets. */
  #brackets = 0;
  /** The number of open parentheses in a target; 0 outside a target. */
  #target = 0;
  /** Whether the previous character closed a square bracket. */
  #isClosed = false;
  #isEscaped = false;
  /** The number of square brackets open at the watched position, or 0 in a target. */
  #followed = 0;
  #isFollowed = false;

  get isOpen(): boolean {
    return this.#brackets > 0 || this.#target > 0;
  }

  /** Marks the watched position. */
  begin(): void {
    this.#isFollowed = true;
    this.#followed = this.#target > 0 ? 0 : this.#brackets;
  }

  read(text: string): void {
    for (let at = 0; at < text.length && this.watch.outcome === "open"; at++) this.#step(text[at]!);
  }

  #step(character: string): void {
    if (this.#isEscaped) {
      this.#isEscaped = false;
    } else if (this.#target > 0) this.#inTarget(character);
    else if (this.#isClosed) this.#afterBracket(character);
    else this.#inText(character);
  }

  #inText(character: string): void {
    if (character === "\\") this.#isEscaped = true;
    else if (character === "[") this.#brackets++;
    else if (character === "]" && this.#brackets > 0) this.#isClosed = true;
  }

  /** Reads the character after a bracket, which decides whether the bracket belongs to a link. */
  #afterBracket(character: string): void {
    this.#isClosed = false;
    const isConcerned = this.#isFollowed && this.#brackets <= this.#followed;
    this.#brackets--;
    const isLink = character === "(" || character === "[";
    if (isConcerned && isLink) this.watch.outcome = "closed";
    else if (isConcerned && this.#brackets === 0) this.watch.outcome = "literal";
    else if (character === "(") this.#target = 1;
    else this.#inText(character);
  }

  #inTarget(character: string): void {
    if (character === "\\") this.#isEscaped = true;
    else if (character === "(") this.#target++;
    else if (character === ")") this.#target--;
    if (this.#target === 0 && this.#isFollowed && this.#followed === 0) this.watch.outcome = "closed";
  }
}
