/**
 * What is known of the items of a dialect.
 *
 * @module
 */

/** The marks of an item. */
export interface ItemShape {
  /** The rule's `item`: one pattern, or several if values are also CDATA sections. */
  readonly pattern: string | readonly string[];
  /** A text after a value without the item's closer. */
  withoutCloser(text: string): string;
  /** A text before a key without the item's opener. */
  withoutOpener(text: string): string;
}
