/**
 * The text of a choice as the model wrote it, kept once for everything that cites it: the notes of the matcher and of the
 * renderer, and the search for near misses. Offsets are those of the matcher, in UTF-16 units.
 *
 *     …forgotten… ▏ kept: a note can still cite it ▏ what arrives next
 *                 from                             end
 *
 * @module
 */

/** The most characters to keep. Candidates in a longer text are noted without their text. */
const KEPT_MAX = 4 * 1024 * 1024;

/** Up to this many characters are kept although nothing can cite them: to look after each token costs more. */
const SPARE_LENGTH = 1024;

export class Transcript {
  #text = "";
  #from = 0;

  append(text: string): void {
    this.#text += text;
  }

  /** The text between two offsets; undefined if a part of it isn't kept. */
  cite(start: number, end: number): string | undefined {
    const isKept = end > start && start >= this.#from && end <= this.#end;
    return isKept ? this.#text.slice(start - this.#from, end - this.#from) : undefined;
  }

  /** The first characters of the text, up to this many; undefined if a part of them isn't kept. */
  beginning(length: number): string | undefined {
    return this.#from === 0 ? this.#text.slice(0, length) : undefined;
  }

  /** Forgets the text before an offset, now or later; all of it if it is too long. */
  keepFrom(offset: () => number): void {
    const { length } = this.#text;
    if (length <= SPARE_LENGTH) return;
    const from = length > KEPT_MAX ? this.#end : offset();
    if (from <= this.#from) return;
    this.#text = this.#text.slice(from - this.#from);
    this.#from = from;
  }

  get #end(): number {
    return this.#from + this.#text.length;
  }
}
