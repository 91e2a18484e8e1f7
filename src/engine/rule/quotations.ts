/**
 * The quotations of Markdown and HTML: text in which a call is shown, not meant. They belong to no dialect, so the
 * configuration chooses them by one setting of its own.
 *
 * @module
 */

export const QUOTATIONS = [
  "fence",
  "indented_code",
  "block_quote",
  "table",
  "code_span",
  "link",
  "html_code",
  "html_comment",
  "html_declaration",
  "html_instruction",
  "cdata",
] as const;

export type Quotation = typeof QUOTATIONS[number];

export function isQuotation(name: string): name is Quotation {
  return (QUOTATIONS as readonly string[]).includes(name);
}
