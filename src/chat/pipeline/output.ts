/**
 * The client's text for a text of the upstream: unchanged parts, and replacements for others.
 *
 * @module
 */

/** Collects the output for one text. */
export class Output {
  readonly #text: string;
  #written = "";
  #from = 0;
  #isSame = true;

  constructor(text: string) {
    this.#text = text;
  }

  /** Replaces a part. Everything between it and the part before stays unchanged. */
  replace({ from, to, by }: { readonly from: number; readonly to: number; readonly by: string }): void {
    this.#written += this.#text.slice(this.#from, from) + by;
    this.#from = to;
    this.#isSame = false;
  }

  /** The output for the text up to an offset; undefined if it's the whole text, unchanged. */
  end(at: number): string | undefined {
    if (this.#isSame && at === this.#text.length) return undefined;
    return this.#written + this.#text.slice(this.#from, at);
  }
}
