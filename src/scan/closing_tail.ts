/**
 * The closers with which the normal form of a call ends: what a copy that was cut off may lack.
 *
 * @module
 */

/** The longest tag that counts as a closer. */
const TAG_MAXIMUM = 64;

/**
 * Where the closers begin with which a text ends: quotes, brackets, and closing tags.
 *
 *     <parameter=path>a</parameter></function>
 *                      ^ start
 *     {"path": "a"}}</tool_call>
 *                 ^ start
 */
export class ClosingTail {
  /** How much of the call has come. */
  length = 0;
  /** The closers. */
  text = "";
  /** Where the tag began that is open, or -1. */
  #tag = -1;
  /** Where the closers begin. */
  start = 0;

  /** One more character. */
  push(unit: number): void {
    const at = this.length++;
    if (this.#isCloser(unit, at)) this.text += String.fromCharCode(unit);
    else {
      this.text = "";
      this.start = at + 1;
    }
  }

  #isCloser(unit: number, at: number): boolean {
    if (this.#tag < 0) {
      if (unit === 0x3c) this.#tag = at;
      return unit === 0x3c || CLOSERS.has(unit);
    }
    const isTag = (at > this.#tag + 1 || TAG_MARKS.has(unit)) && at - this.#tag <= TAG_MAXIMUM;
    if (!isTag || unit === 0x3e) this.#tag = -1;
    return isTag;
  }
}

/** What the second character of a closing tag, or of a control token, is. */
const TAG_MARKS = new Set([..."/|｜"].map((character) => character.charCodeAt(0)));

const CLOSERS = new Set([..."\"'`}])"].map((character) => character.charCodeAt(0)));
