/**
 * Keeps labels few. Names of models and tools come from requests, and every new one would be a new series for
 * ever. In: a name. Out: the name, or `other` once there are too many of them.
 *
 * @module
 */

/** The longest name that is a label. */
const CHARACTERS_MAX = 100;

/** What names beyond the limit are called. */
export const OTHER = "other";

/** The names of one label. */
export class Labels {
  readonly #known = new Set<string>();
  readonly #countMax: number;

  /**
   * No names yet.
   *
   * @param countMax how many different ones there may be
   */
  constructor(countMax: number) {
    this.#countMax = countMax;
  }

  /** The label of a name; `none` where there is no name. */
  of(name: string | undefined): string {
    if (name === undefined || name === "") return "none";
    const label = name.slice(0, CHARACTERS_MAX);
    if (this.#known.has(label)) return label;
    if (this.#known.size >= this.#countMax) return OTHER;
    this.#known.add(label);
    return label;
  }
}
