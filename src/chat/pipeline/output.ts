/** The client's text for a text of the upstream: unchanged parts, and replacements for others. @module */

export class Output {
  readonly #text: string;
  #written = "";
  #from = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Replaces a part. Everything between it and the part before stays unchanged. */
  replace({ from, to, by }: { readonly from: number; readonly to: number; readonly by: string }): void {
    this.#written += this.#text.slice(this.#from, from) + by;
    this.#from = to;
  }

  end(at: number): string {
    if (this.#from === 0 && at === this.#text.length && this.#written === "") return this.#text;
    return this.#written + this.#text.slice(this.#from, at);
  }
}
