/**
 * Reasoning in the text as it leaves: without the whitespace around each stretch, which the template writes.
 *
 *     <think>\nI look.\n</think>\n\n<think>\nStill.\n</think>   ─▶   I look.\nStill.
 *
 * Reasoning that a prompt is thought to have opened can be the answer after all. While that is undecided, its text is
 * kept, and in an answer that arrives whole nothing of it leaves.
 *
 * @module
 */
import { isSpace, spaceEnd } from "../pattern/node.ts";

/** The longest whitespace that waits for more reasoning; longer one is reasoning. */
const SPACE_MAXIMUM = 512;

/** The most characters of undecided reasoning that are kept; beyond that, it is reasoning. */
const UNDECIDED_MAXIMUM = 1024 * 1024;

export class Thought {
  /** Whether only whitespace of the current stretch was seen. */
  #isBlank = true;
  /** Whether an earlier stretch has text. */
  #hasEarlier = false;
  #space = "";
  /** What doesn't leave yet; undefined: all leaves. */
  #waiting: string | undefined;
  /** The text as it arrived, while it can be the answer after all; undefined: it is decided. */
  #undecided: string | undefined;

  /** Begins with reasoning that can be the answer; `waits`: until that is decided, nothing leaves. */
  ambiguity({ waits }: { readonly waits: boolean }): void {
    this.#undecided = "";
    if (waits) this.#waiting = "";
  }

  /** Keeps a text that can be the answer. Returns what leaves because it is too long for one. */
  keep(text: string): string {
    if (this.#undecided === undefined) return "";
    this.#undecided += text;
    return this.#undecided.length > UNDECIDED_MAXIMUM ? this.settle() : "";
  }

  /** Whether the text so far can be the answer and has nothing but whitespace. */
  get isUnbegun(): boolean {
    return this.#undecided !== undefined && spaceEnd(this.#undecided) === this.#undecided.length;
  }

  /** The reasoning is reasoning. Returns what waited. */
  settle(): string {
    const waiting = this.#waiting ?? "";
    this.#undecided = this.#waiting = undefined;
    return waiting;
  }

  /** The reasoning is the answer. Returns its text. */
  giveBack(): string {
    const text = this.#undecided ?? "";
    this.#undecided = this.#waiting = undefined;
    this.#space = "";
    return text;
  }

  /** A stretch begins or ends. */
  separate(): void {
    this.#hasEarlier ||= !this.#isBlank;
    this.#isBlank = true;
    this.#space = "";
  }

  /** Takes a piece of the stretch; returns what leaves. */
  take(text: string): string {
    let given = text;
    if (this.#isBlank) {
      given = text.slice(spaceEnd(text));
      if (given === "") return "";
      this.#isBlank = false;
      if (this.#hasEarlier) given = `\n${given}`;
    }
    const all = this.#space + given;
    const end = all.length > SPACE_MAXIMUM && isAllSpace(all) ? all.length : textEnd(all);
    this.#space = all.slice(end);
    return this.#pass(all.slice(0, end));
  }

  /** The whitespace that waits, because the answer ends in the stretch. */
  end(): string {
    const space = this.#space;
    this.#space = "";
    return this.#pass(space);
  }

  #pass(text: string): string {
    if (this.#waiting === undefined) return text;
    this.#waiting += text;
    return "";
  }
}

function isAllSpace(text: string): boolean {
  return spaceEnd(text) === text.length;
}

/** The offset after the last character that isn't whitespace. */
function textEnd(text: string): number {
  let end = text.length;
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--;
  return end;
}
