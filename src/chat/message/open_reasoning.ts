/**
 * The reasoning that a prompt opens: some templates write `<think>` themselves, so the answer begins inside it.
 *
 *     prompt "…<think>\n"  +  answer "I look.\n</think>\n\nDone."  ─▶  reasoning "I look.", text "Done."
 *
 * @module
 */
import { Thought } from "../../engine/scan/thought.ts";

/** The marks around a model's reasoning, as chat templates write them. */
const MARKS: readonly (readonly [opener: string, closer: string])[] = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<thought>", "</thought>"],
  ["<reasoning>", "</reasoning>"],
  ["<seed:think>", "</seed:think>"],
  ["<longcat_think>", "</longcat_think>"],
  ["<mm:think>", "</mm:think>"],
  ["<|open|>think<|sep|>", "<|close|>think<|sep|>"],
  ["[THINK]", "[/THINK]"],
  ["<|START_THINKING|>", "<|END_THINKING|>"],
  ["<|begin_of_thought|>", "<|end_of_thought|>"],
  ["<|inner_prefix|>", "<|inner_suffix|>"],
  ["◁think▷", "◁/think▷"],
  ["<|channel>thought", "<channel|>"],
];

/** What ends the reasoning that a prompt opens; undefined if it opens none. */
export function openReasoning(prompt: string): string | undefined {
  const end = prompt.slice(-100).trimEnd().toLowerCase();
  return MARKS.find(([opener]) => end.endsWith(opener.toLowerCase()))?.[1];
}

/**
 * Takes the reasoning out of a completion, as the parser of a chat server does, also where no one reads the answer or its
 * client keeps marks. Its prompt certainly opened it: only that mark ends it, and without the mark, all is reasoning. What
 * the matcher expects to be reasoning can be the answer.
 */
export class ReasoningSplit {
  /** Undefined once the reasoning is over. */
  #closer: string | undefined;
  /** The end of the reasoning so far that can be the beginning of its closer. */
  #held = "";
  #hasText = false;
  readonly #thought = new Thought();

  /** @param closer what ends the reasoning; undefined if the answer begins after it */
  constructor(closer: string | undefined) {
    this.#closer = closer;
    this.#hasText = closer === undefined;
  }

  /** Takes a piece of the answer; `isLast`: it has no other. */
  push(piece: string, isLast: boolean): { readonly reasoning: string; readonly text: string } {
    const closer = this.#closer;
    if (closer === undefined) return { reasoning: "", text: this.#begin(piece) };
    const text = this.#held + piece;
    const at = text.indexOf(closer);
    if (at >= 0) {
      this.#closer = undefined;
      this.#held = "";
      return {
        reasoning: this.#thought.take(text.slice(0, at)),
        text: this.#begin(text.slice(at + closer.length)),
      };
    }
    const kept = isLast ? 0 : beginningOf(closer, text);
    this.#held = text.slice(text.length - kept);
    const reasoning = this.#thought.take(text.slice(0, text.length - kept));
    return { reasoning: isLast ? reasoning + this.#thought.end() : reasoning, text: "" };
  }

  /** The text without the whitespace between it and the reasoning. */
  #begin(text: string): string {
    if (this.#hasText) return text;
    const begun = text.trimStart();
    this.#hasText = begun !== "";
    return begun;
  }
}

/** How many characters at the end of a text can begin a mark. */
function beginningOf(mark: string, text: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--) {
    if (mark.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
