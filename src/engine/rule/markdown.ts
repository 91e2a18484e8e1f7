/** Rules whose pattern names a structure of Markdown instead of writing one. @module */
import { MARKDOWN_KINDS, type MarkdownKind } from "../scan/markdown.ts";
import type { Rule } from "./schema.ts";

/**
 * The structure of Markdown that a rule's pattern names, if it names one.
 *
 * @example
 * ```ts
 * import { markdownOf } from "./markdown.ts";
 * console.assert(markdownOf({ body: "opaque", pattern: "{fence}" }) === "fence");
 * ```
 */
export function markdownOf({ body, pattern }: Pick<Rule, "body" | "pattern">): MarkdownKind | undefined {
  return body === "opaque" ? MARKDOWN_KINDS.find((kind) => pattern === `{${kind}}`) : undefined;
}
