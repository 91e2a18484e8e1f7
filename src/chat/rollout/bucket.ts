/**
 * Spreads conversations evenly, so that a percentage of them can be chosen.
 *
 * @module
 */

/** The position of a conversation between 0 and 100 (never 100 itself), evenly spread. */
export function bucketOf(conversation: string): number {
  return Number.parseInt(conversation.slice(0, 8), 16) / 2 ** 32 * 100;
}
