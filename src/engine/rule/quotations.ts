/** The quotations of Markdown and HTML, in which a call is shown, not meant. They belong to no dialect. @module */

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
