/**
 * Limits the number of labels and escapes what a terminal would obey. Names of models and tools come from requests, and
 * every new one would add a series that never goes away. Names beyond the limit become `other`.
 *
 * @module
 */
import { escaped } from "../../engine/diagnostic/visible.ts";

/** The longest name that is a label. */
const CHARACTERS_MAX = 100;

/** The label of names beyond the limit. */
export const OTHER = "other";

/** The names of one label. */
export class Labels {
  readonly #known = new Set<string>();
  readonly #countMax: number;

  /**
   * Starts without names.
   *
   * @param countMax the largest number of different names
   */
  constructor(countMax: number) {
    this.#countMax = countMax;
  }

  /** The label of a name, or `none` without a name. */
  of(name: string | undefined): string {
    if (name === undefined || name === "") return "none";
    const label = escaped(name.slice(0, CHARACTERS_MAX));
    if (this.#known.has(label)) return label;
    if (this.#known.size >= this.#countMax) return OTHER;
    this.#known.add(label);
    return label;
  }
}
