/**
 * Collects a text that should be one JSON string, and knows at each piece whether it is whole, without reading the text
 * again.
 *
 * @module
 */
import { parseJson } from "../object/parse.ts";

/** Where the text is: before the string, in it, after it, or certainly not one string. */
type State = "before" | "inside" | "after" | "other";

/** A text that arrives in pieces. */
export class CollectedText {
  /** The text so far. */
  text = "";
  #state: State = "before";
  #isEscaped = false;
  #decoded: string | undefined;

  /** Adds a piece. */
  push(piece: string): void {
    this.text += piece;
    for (let at = 0; at < piece.length && this.#state !== "other"; at++) this.#step(piece[at]!);
  }

  /** The value of the string; undefined if the text isn't a whole one. */
  get decoded(): string | undefined {
    if (this.#state !== "after") return undefined;
    if (this.#decoded === undefined) {
      const value = parseJson(this.text.trim());
      if (typeof value === "string") this.#decoded = value;
      else this.#state = "other";
    }
    return this.#decoded;
  }

  #step(character: string): void {
    if (this.#state === "inside") {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (character === "\\") this.#isEscaped = true;
      else if (character === '"') this.#state = "after";
    } else if (character.trim() !== "") {
      this.#state = this.#state === "before" && character === '"' ? "inside" : "other";
    }
  }
}
