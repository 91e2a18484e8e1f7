/**
 * The calls inside a value: examples, which are closed in it, and mentions, which aren't.
 *
 *     <parameter=a>see <function=f><parameter=b>x</parameter></function> above</parameter></function>
 *                      ^ opens                               ^ closes it    ^ closes the value
 *     <parameter=a>see <function=f><parameter=b>x</parameter></function>
 *                      ^ only mentioned          ^ closes the value, if nothing closes it later
 *
 * @module
 */
import type { Texts } from "../../pattern/automaton.ts";
import { OF_EXAMPLE } from "../tagged_patterns.ts";

/** The highest number of calls inside each other; further ones are mentions. */
const DEPTH_MAXIMUM = 1024;

/** An open call inside the value. */
interface Example {
  readonly texts: Texts;
  /** Whether its closer is also the closer of the call around the value. */
  readonly isOwn: boolean;
}

/** The open calls inside a value, innermost last. */
export class Examples {
  readonly #references: readonly string[];
  readonly #texts: Texts;
  readonly #open: Example[] = [];
  /** The number of openers in them that the value's closer can close. */
  openers = 0;

  /**
   * @param references the names of the opener's groups that closers refer to
   * @param texts the texts of the patterns in the value
   */
  constructor(references: readonly string[], texts: Texts) {
    this.#references = references;
    this.#texts = texts;
  }

  /** The texts of the patterns inside the innermost example, or undefined outside all. */
  get texts(): Texts | undefined {
    return this.#open.at(-1)?.texts;
  }

  /** Whether the closer of an open example is also that of the call. */
  get hasOwn(): boolean {
    return this.#open.some(({ isOwn }) => isOwn);
  }

  /** Whether a call with these groups has the same closer as the call around the value. */
  isOwn(groups: Texts): boolean {
    return this.#references.every((name) => (groups[name] ?? "") === (this.#texts[name] ?? ""));
  }

  open(groups: Texts): void {
    if (this.#open.length >= DEPTH_MAXIMUM) return;
    const texts: Record<string, string> = { ...this.#texts };
    for (const name of this.#references) texts[OF_EXAMPLE + name] = groups[name] ?? "";
    this.#open.push({ texts, isOwn: this.isOwn(groups) });
  }

  close(): void {
    this.#open.pop();
  }

  /** Drops what the innermost example with the call's own closer mentions, because that closer follows. */
  dropMentions(): void {
    const own = this.#open.findLastIndex(({ isOwn }) => isOwn);
    if (own >= 0) this.#open.length = own + 1;
  }
}
