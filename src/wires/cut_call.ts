/**
 * Shows a call that broke off as text. Some clients show no message after the token limit, so the answer itself has to
 * show the lost call.
 *
 * @module
 */

/** What a person sees of a call that broke off. */
export function cutCallText(tool: string, json: string): string {
  return `\n[The call of ${tool} broke off and was not made: ${json}]\n`;
}
