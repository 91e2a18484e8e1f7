/**
 * The closers at the end of a call's normal form, which a truncated copy can lack.
 *
 * @module
 */

/** The longest closing tag. */
const TAG_MAXIMUM = 64;

/**
 * Finds the quotes, brackets and closing tags with which a text ends.
 *
 *     <parameter=path>a</parameter></function>
 *                      ^ start
 *     {"path": "a"}}</tool_call>
 *                 ^ start
 */
export class ClosingTail {
  /** The length of the call so far. */
  length = 0;
  /** The closers. */
  text = "";
  /** The index of the open tag, or -1. */
  #tag = -1;
  /** The index of the first closer. */
  start = 0;

  /** Reads one more character. */
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

/** The second character of a closing tag or of a control token. */
const TAG_MARKS = new Set([..."/|｜"].map((character) => character.charCodeAt(0)));

const CLOSERS = new Set([..."\"'`}])"].map((character) => character.charCodeAt(0)));
