/**
 * The text and the target of links and images on one line, as CommonMark defines them. What is in one of them is shown.
 * Only what follows a bracket decides whether it is one:
 *
 *     See [<read_file>…</read_file>](page.md) there.      a link's text
 *     See ![<read_file>…</read_file>][figure] there.      what an image shows
 *     See [here](<<read_file>…</read_file>>) there.       a link's target
 *     I note [one: <read_file>…</read_file>               a bracket: the line ends first
 *
 * @module
 */
import type { SpanWatch } from "./code_spans.ts";

/** Follows the links that may be open at some place of a line. */
export class Links {
  #open: OpenLink[] = [];

  /** Whether anything is followed. */
  get isActive(): boolean {
    return this.#open.length > 0;
  }

  /**
   * Follows the link that may be open after the beginning of a line.
   *
   * @returns undefined: none is
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

  /** More of the line. */
  feed(text: string): void {
    for (const link of this.#open) link.read(text);
    this.#open = this.#open.filter(({ watch }) => watch.outcome === "open");
  }

  /** The line is over: what is open is text. */
  endLine(): void {
    for (const { watch } of this.#open) watch.outcome = "literal";
    this.#open = [];
  }

  /** The text is read again from an earlier place. */
  forget(): void {
    this.#open = [];
  }
}

/** Counts the brackets of a line. */
class OpenLink {
  readonly watch: SpanWatch = { count: 1, outcome: "open" };
  /** Square brackets that are open. */
  #brackets = 0;
  /** Round brackets that are open in a target; 0: it isn't in one. */
  #target = 0;
  /** Whether a square bracket has just been closed. */
  #isClosed = false;
  #isEscaped = false;
  /** How many square brackets were open where the link is followed from; in a target, none counts. */
  #followed = 0;
  #isFollowed = false;

  get isOpen(): boolean {
    return this.#brackets > 0 || this.#target > 0;
  }

  /** The place that is followed. */
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

  /** What follows the bracket makes it a link's, or not. */
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
