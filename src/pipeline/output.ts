/**
 * What the client gets for a text of the upstream: stretches of it as they came, and what takes the place of others.
 *
 * @module
 */

/** Collects the output for one text. */
export class Output {
  readonly #text: string;
  #written = "";
  #from = 0;
  #isSame = true;

  /** @param text what came */
  constructor(text: string) {
    this.#text = text;
  }

  /** Puts something in the place of a stretch; all before it that was not replaced stays. */
  replace({ from, to, by }: { readonly from: number; readonly to: number; readonly by: string }): void {
    this.#written += this.#text.slice(this.#from, from) + by;
    this.#from = to;
    this.#isSame = false;
  }

  /** The output for the text up to an offset; undefined when it is the whole text as it came. */
  end(at: number): string | undefined {
    if (this.#isSame && at === this.#text.length) return undefined;
    return this.#written + this.#text.slice(this.#from, at);
  }
}
