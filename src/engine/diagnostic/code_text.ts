/** The shape of the text that explains a diagnostic code. @module */

export interface CodeText {
  /** One line for lists: what is wrong, sentence case, no full stop. */
  readonly summary: string;
  /** One paragraph: why it matters and how to fix it. */
  readonly explanation: string;
  /** A few lines that show the error or its fix. */
  readonly example: string;
}
