/**
 * The pattern of items that signs mark.
 *
 *     @arg path = src/a.ts     @arg\s+(?<key>…)[ \t]* = ?(?<value>…)\r?\n
 *
 * @module
 */
import type { ItemShape } from "./item_shape.ts";
import { exactPattern } from "./pattern_text.ts";
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
  const isAlike = marks.every(({ opener, middle, quote }) =>
    opener.trim() === first!.opener.trim() && middle.trim() === first!.middle.trim() && quote === first!.quote
  );
  if (!isAlike) {
    return {
      why: "The keys and values of a call are not between the same marks: use answers of one notation",
    };
  }
  const pattern = openerPattern(first!.opener) + KEY + middlePattern(marks) +
    first!.quote.replace(/./g, escaped) +
    "(?<value>…)" + closerPattern(marks) +
    (first!.quote !== "" && !isClosed ? "(?:\\r?\\n)?" : "");
  return { pattern, withoutCloser: (text) => text, withoutOpener: (text) => text };
}

/** Ends with no sign that can be between a key and its value. */
const KEY = "(?<key>[^\\s:=~|<>\"'`(){},;]{0,63}[^\\s:=~|<>\"'`(){},;-])";

function openerPattern(opener: string): string {
  return spaced(opener.trimStart());
}

/** The sign, and as much white space around it as the answers show. */
function middlePattern(marks: readonly SignMarks[]): string {
  const sign = marks[0]!.middle.trim();
  const quoted = /^["']/.test(sign) ? escaped(sign[0]!) : "";
  const bare = quoted === "" ? sign : sign.slice(1).trim();
  const after = new Set(marks.map(({ middle }) => middle.slice(middle.trimEnd().length)));
  if (bare === "" && marks.every(({ middle }) => middle.endsWith("\n"))) return "[ \\t]*\\r?\\n";
  if (bare === "") return `${quoted}[ \\t]+`;
  const isExact = marks[0]!.quote === "" && after.size === 1;
  const space = isExact ? exactSpace([...after][0]!) : "[ \\t]*";
  return `${quoted}[ \\t]*${exactPattern(bare)}${space}`;
}

/** One space belongs to the separator; what else precedes a value belongs to the value. */
function exactSpace(space: string): string {
  return space === "" ? "" : space === " " ? " ?" : "[ \\t]*";
}

function closerPattern(marks: readonly SignMarks[]): string {
  const closers = [...new Set(marks.map(({ closer }) => closer))];
  const [first = ""] = closers;
  if (marks[0]!.opener.trim() === "|" && closers.every((closer) => closer === "")) return "";
  if (marks[0]!.quote === "" && closers.every((closer) => closer === "\n" || closer === "")) return "\\r?\\n";
  const shared = closers.map((closer) => closer.trim()).sort((a, b) => a.length - b.length)[0]!;
  const separator = closers.map((closer) => closer.trim().slice(shared.length)).find((rest) => rest !== "");
  const space = /^\s/.test(first) ? "[ \\t]*" : "";
  return space + exactPattern(shared) + (separator === undefined ? "" : `${exactPattern(separator)}?`);
}

function spaced(text: string): string {
  return text.split(/([^\S\n]+)/).map((part) => /^\s+$/.test(part) ? "[ \\t]*" : exactPattern(part)).join("");
}

function escaped(text: string): string {
  return exactPattern(text);
}
