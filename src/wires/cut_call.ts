/**
 * A call that broke off, as text. Some clients end without a message after the token limit, so the lost call has to be
 * visible in the answer.
 *
 * @module
 */

/**
 * What a person sees of a call that broke off.
 *
 * @param json the arguments so far
 */
export function cutCallText(tool: string, json: string): string {
  return `\n[The call of ${tool} broke off and was not made: ${json}]\n`;
}
