/**
 * The pattern of items that signs mark.
 *
 *     @arg path = src/a.ts     @arg\s+(?<key>…)[ \t]* = ?(?<value>…)\r?\n
 *
 * @module
 */
import type { ItemShape } from "./item_shape.ts";
import { exactPattern } from "./pattern_text.ts";
import { KEY } from "./sign_items.ts";
import type { MarkedText, SignMarks } from "./sample.ts";

/** The marks of all items; undefined where tags mark them. */
export function signMarksOf(texts: readonly MarkedText[]): readonly SignMarks[] | undefined {
  const marks = texts.flatMap(({ calls }) => calls.flatMap(({ items }) => items.map((item) => item.marks)));
  return marks.every((one) => one !== undefined) && marks.length > 0 ? marks : undefined;
}

/** The shape that items with these marks share. */
export function signItemOf(
  marks: readonly SignMarks[],
  { isClosed }: { readonly isClosed: boolean },
): ItemShape | { readonly why: string } {
  const [first] = marks;
  const isAlike = marks.every(({ opener, middle }) =>
    opener.trim() === first!.opener.trim() && middle.trim() === first!.middle.trim()
  );
  if (!isAlike) {
    return {
      why: "The keys and values of a call are not between the same marks: use answers of one notation",
    };
  }
  const quotes = [...new Set(marks.map(({ quote }) => quote).filter((quote) => quote !== ""))];
  const [quote = ""] = quotes;
  const patterns = quotes.map((one) => itemPattern(marks, { quote: one, isClosed }));
  if (quote === "") patterns.push(itemPattern(marks, { quote, isClosed }));
  else if (quote !== "`") patterns.push(itemPattern(marks, { quote: "", isClosed }));
  return {
    pattern: patterns.length === 1 ? patterns[0]! : patterns,
    withoutCloser: (text) => text,
    withoutOpener: (text) => text,
  };
}

/** The first characters of numbers, words and lists: where strings are quoted, other values are bare. */
const BARE_VALUE = "(?=[-\\d\\[{tfnTFN])";

function itemPattern(
  marks: readonly SignMarks[],
  { quote, isClosed }: { readonly quote: string; readonly isClosed: boolean },
): string {
  const isLiteral = marks.some((one) => one.quote !== "");
  const { opener, middle } = marks[0]!;
  const lineBreak = quote.length === 3 ? "(?:\\r?\\n)?" : "";
  return spaced(opener.trimStart()) + keyPattern(middle) + middlePattern(marks, { isLiteral }) +
    exactPattern(quote) + lineBreak + (isLiteral && quote === "" ? BARE_VALUE : "") + "(?<value>…)" +
    closerPattern(marks, quote) + (quote !== "" && !isClosed ? "(?:\\r?\\n)?" : "");
}

/** Ends with no sign that can be between a key and its value. */
function keyPattern(middle: string): string {
  const sign = /^[#%$?*]/.exec(middle.trim())?.[0] ?? "";
  const excluded = `\\s:=~|<>"'\`(){}\\[\\],;${exactPattern(sign)}`;
  return `(?<key>[^${excluded}]{0,63}[^${excluded}-])`;
}

/** The sign, and as much white space around it as the answers show. */
function middlePattern(marks: readonly SignMarks[], { isLiteral }: { readonly isLiteral: boolean }): string {
  const sign = marks[0]!.middle.trim();
  const quoted = /^["']/.test(sign) ? sign[0]! : "";
  const bare = sign.slice(quoted.length).trim();
  const after = new Set(marks.map(({ middle }) => middle.slice(middle.trimEnd().length)));
  if (/^<<|<<-?["']?[A-Z]/.test(bare) && after.has("\n")) return `[ \\t]*${exactPattern(bare)}\\r?\\n`;
  if (bare === "" && marks.every(({ middle }) => middle.endsWith("\n"))) return "[ \\t]*\\r?\\n";
  if (bare === "") return `${quoted}[ \\t]+`;
  const space = !isLiteral && after.size === 1 ? exactSpace([...after][0]!) : "[ \\t]*";
  return `${quoted}[ \\t]*${spaced(bare)}${space}`;
}

/** One space belongs to the separator; what else precedes a value belongs to the value. */
function exactSpace(space: string): string {
  return space === "" ? "" : space === " " ? " ?" : "[ \\t]*";
}

/** What follows a value: the mark that all have, and perhaps a separator. */
function closerPattern(marks: readonly SignMarks[], quote: string): string {
  const closers = [...new Set(marks.map((one) => one.closer.slice(one.quote.length)))];
  const shared = closers.map((closer) => closer.trim()).sort((a, b) => a.length - b.length)[0]!;
  const separator = closers.map((closer) => closer.trim().slice(shared.length)).find((rest) => rest !== "");
  const isLine = closers.every((closer) => closer === "" || closer.endsWith("\n")) &&
    closers.some((closer) => closer !== "");
  const space = /^\s/.test(closers[0]!) && shared !== ""
    ? (closers[0]!.startsWith("\n") ? "\\r?\\n" : "[ \\t]*")
    : "";
  return exactPattern(quote) + space + exactPattern(shared).replaceAll(KEY, "\\k<key>") +
    (separator === undefined ? "" : `${exactPattern(separator)}?`) +
    (isLine && quote === "" ? "\\r?\\n" : "");
}

function spaced(text: string): string {
  return text.split(/([^\S\n]+)/).map((part) => /^\s+$/.test(part) ? "[ \\t]*" : exactPattern(part)).join("");
}
