/**
 * The pattern of a rule for delimiters, and how certain its marks are.
 *
 * @module
 */
import { type Delimiters, MASK } from "./delimiters.ts";
import { closesTag, firstTag } from "./mark_token.ts";
import { delimiterPattern } from "./pattern_text.ts";

/** How certain a match of the delimiters is. */
interface Evidence {
  readonly confidence: number;
  /** Set if the marks are special tokens, which prose and code don't hold. */
  readonly in_code?: "allowed";
}

/** How certain the marks are. */
export function evidenceOf({ opener, wrapperOpener }: Delimiters): Evidence {
  const marks = wrapperOpener + opener;
  if (/<\||[<[]?[｜▁]|\[[A-Z_]{4,}\]|\]<\]/u.test(marks)) return { confidence: 0.97, in_code: "allowed" };
  return { confidence: /[<[].*[>\]]/s.test(marks) ? 0.95 : 0.9 };
}

/** The rule's pattern: the delimiters around a hole, its wrapper and separator optional. */
export function wrapped(delimiters: Delimiters, hole: string): string {
  const { opener, closer, wrapperOpener, wrapperCloser, separator } = delimiters;
  const optional = (text: string, shape: (pattern: string) => string) =>
    text === "" ? "" : `(?:${shape(delimiterPattern(text))})?`;
  const before = optional(wrapperOpener, (pattern) => `${pattern}\\s*`) +
    optional(separator, (pattern) => `${pattern}\\s*`);
  const after = optional(wrapperCloser, (pattern) => `\\s*${pattern}`);
  // In a closer, the name is the one that the opener has read.
  const close = (closerPattern(closer) + after).replaceAll("{tool}", "\\k<tool>");
  return before + openerPattern(opener) + hole + close;
}

/**
 * The pattern of a closer. Loose whitespace in it would let its first word alone close a call that another one follows, and
 * that word can be the beginning of an item.
 */
function closerPattern(closer: string): string {
  const isLine = /^[^\s<]\S* \S+(?: \S+)?$/u.test(closer);
  return isLine
    ? closer.split(" ").map((word) => delimiterPattern(word)).join(" ")
    : delimiterPattern(closer);
}

/**
 * The pattern of an opener. A tag alone between the name and the arguments is optional where a tag is before the name,
 * too: newer models of a family leave it out.
 *
 *     [CALL]read_file[WITH]{"path": "a"}
 *           name ^    ^^^^^^ optional
 */
function openerPattern(opener: string): string {
  const nameEnd = opener.lastIndexOf(MASK.name) + MASK.name.length;
  const rest = opener.slice(nameEnd);
  const isOptional = rest !== "" && closesTag(opener[nameEnd - MASK.name.length - 1]) &&
    firstTag(rest) === rest;
  const required = delimiterPattern(isOptional ? opener.slice(0, nameEnd) : opener);
  const [first, ...more] = required.replace(NAMESPACE, "(?:$1)?{tool}").split("{tool}");
  const open = more.length === 0 ? first! : `${first}{tool}${more.join("[\\w.:-]{1,64}")}`;
  return isOptional ? `${open}\\s*(?:${delimiterPattern(rest)})?` : open;
}

/** `functions.` after another mark and before a name, which models leave out. */
const NAMESPACE = /(?<=[^\w\\])([A-Za-z_]\w*\\\.)\{tool\}/;
