/**
 * How a key and its value are written outside of JSON: between tags, or marked by signs.
 *
 *     <parameter=path>\nsrc/a.ts\n</parameter>
 *     ^^^^^^^^^^^ opener        ^^^^^^^^^^^^^^ closer
 *                    ^^^ what is between key and value
 *
 *     @arg path = src/a.ts     @arg\s+(?<key>…)[ \t]* = ?(?<value>…)\r?\n
 *
 * @module
 */
import { TYPE_WORD } from "../../chat/near_miss/value.ts";
import { atBoundaryEnd, atBoundaryStart, commonPrefix, commonSuffix, MASK } from "./delimiters.ts";
import { firstTag, lastTag, lastTagAt, openTagAt } from "./mark_token.ts";
import { delimiterPattern, exactPattern } from "./pattern_text.ts";
import type { MarkedText, SignMarks } from "./sample.ts";
import { KEY, withoutKey } from "./sign_items.ts";

const UNLIKE =
  "The parameters of a call don't all use the same delimiters. Next: derive from an answer in which every " +
  "parameter uses the same symbols before its name, before its value, and after its value";

/** A type's name between a key and its value. */
const TYPE = new RegExp(`(?<=[>\\]⟧"'])${TYPE_WORD}(?=[<[⟦"'])`, "gi");

interface Pieces {
  readonly before: string[];
  readonly between: string[];
  readonly after: string[];
  /** Whether values are on lines of their own. */
  hasLineBreaks: boolean;
}

export function itemOf(texts: readonly MarkedText[]): ItemShape | { readonly why: string } {
  const marks = signMarksOf(texts);
  if (marks !== undefined) return signItemOf(marks, { isClosed: texts.every(isClosed) });
  const { before, between, after, hasLineBreaks } = piecesOf(texts);
  const clipped = clippedCloser(after);
  const { opener, closer } = withElement({
    opener: clippedOpener(commonSuffix(before), clipped),
    closer: clipped === "" && hasLineBreaks ? "\n" : clipped,
  }, { before: commonSuffix(before), after: commonPrefix(after) });
  const middles = [...new Set(between)];
  const middle = middles.length === 1 ? middles[0]! : commonPrefix(middles);
  const isLine = closer.trim() === "";
  // Where an item could be what ends the call, a line of a value could be an item.
  const tail = firstTag(after.at(-1)!.trimStart()) ?? "";
  const isAlike = isLine && tail.startsWith(opener.trim()) && !/[\s/]/.test(tail);
  if (opener.trim() === "" || closer === "" || isAlike && opener.trim().length === 1) {
    return { why: UNLIKE };
  }
  const lineBreak = hasLineBreaks ? "(?:\\r?\\n)?" : "";
  const lastBreak = isLine ? "" : lineBreak;
  const next = middle.trimStart()[0] ?? middle[0] ?? ">";
  const isTagName = opener.endsWith("<");
  // A closer that is the opener with a sign, such as `⟦/path⟧`, opens no item.
  const ending = closer.trimStart();
  const sign = ending.startsWith(opener.trim())
    ? /^[^\p{L}\p{N}\s]/u.exec(ending.slice(opener.trim().length))?.[0]
    : isLine
    ? "/"
    : "";
  const key = isTagName ? "[A-Za-z_]\\w{0,63}" : `[^${exactPattern(next + (sign ?? ""))}\\s]{1,64}`;
  const close = (closer.trim() === "" ? "\\r?\\n" : delimiterPattern(closer.trimEnd())).replaceAll(
    KEY,
    "\\k<key>",
  );
  const open = `${delimiterPattern(opener.trimStart())}(?<key>${key})${middlePattern(middles, opener)}`;
  const pattern = `${open}${lineBreak}(?<value>…)${lastBreak}${close}`;
  const hasCdata = texts.some(({ calls }) => calls.some(({ items }) => items.some(({ isCdata }) => isCdata)));
  return {
    pattern: hasCdata ? [pattern, `${open}\\s*<!\\[CDATA\\[(?<value>…)\\]\\]>\\s*${close}`] : pattern,
    isLine: isLine && !isAlike,
    withoutCloser(text) {
      const rest = text.startsWith("\n") && closer.trim() !== "" ? text.slice(1) : text;
      return rest.slice(closerEnd(rest, closer.trim() === "" ? closer : closer.trimEnd()));
    },
    withoutOpener: (text) => {
      const shape = opener.trimStart();
      return text.endsWith(shape) ? text.slice(0, text.length - shape.length) : text;
    },
  };
}

/** Whether a mark is after the last value. */
function isClosed({ text, calls }: MarkedText): boolean {
  return text.slice(calls.at(-1)!.items.at(-1)!.marks!.end).trim() !== "";
}

function piecesOf(texts: readonly MarkedText[]): Pieces {
  const pieces: Pieces = { before: [], between: [], after: [], hasLineBreaks: false };
  for (const { text, calls } of texts) {
    const items = calls.flatMap((call) => call.items.map((item, index) => ({ ...item, call, index })));
    items.forEach(({ key, value, call, index }, position) => {
      const previous = items[position - 1];
      const start = index > 0 && previous !== undefined ? previous.value.end : call.name.end;
      pieces.before.push(text.slice(start, key.start));
      // One line break on each side of a value belongs to the dialect.
      const isOnLines = text[value.start - 1] === "\n" && text[value.end] === "\n";
      const edge = isOnLines ? 1 : 0;
      pieces.hasLineBreaks ||= isOnLines;
      pieces.between.push(text.slice(key.end, value.start - edge).replace(TYPE, MASK.type));
      const end = items[position + 1]?.key.start ?? text.length;
      pieces.after.push(withoutKey(text.slice(value.end + edge, end), text.slice(key.start, key.end)));
    });
  }
  return pieces;
}

/** The closer ends with its first tag: what follows is the next item's or the delimiters'. */
function clippedCloser(after: readonly string[]): string {
  const shared = commonPrefix(after);
  const clipped = atBoundaryEnd(shared);
  const space = clipped.length - clipped.trimStart().length;
  const tag = firstTag(clipped.trimStart());
  if (tag !== undefined) return clipped.slice(0, space) + tag;
  // A word that goes on differently is not shared.
  const isCut = after.some((text) => text.length > shared.length && /\S/.test(text[shared.length]!));
  const whole = isCut ? clipped.replace(/\S+$/, "") : clipped;
  return whole.trim() === "" ? whole.slice(0, 1) : whole.trimEnd();
}

/** The opener begins with the last tag before the key, or with the open tag that the key is in. */
function clippedOpener(common: string, closer: string): string {
  const open = openTagAt(common);
  const own = common.includes(closer) && closer !== ""
    ? common.slice(common.lastIndexOf(closer) + closer.length)
    : common;
  const text = atBoundaryStart(own);
  if (open !== undefined) return common.slice(open);
  const start = lastTagAt(text);
  return start < 0 ? text.trimStart() : text.slice(start);
}

/** With the element around an item's own: `<argument><name>path</name><value>a</value></argument>`. */
function withElement(
  { opener, closer }: { readonly opener: string; readonly closer: string },
  { before, after }: { readonly before: string; readonly after: string },
): { readonly opener: string; readonly closer: string } {
  const outer = lastTag(before.slice(0, before.length - opener.length).trimEnd());
  const end = firstTag(after.slice(closer.length).trimStart());
  const isElement = outer !== undefined && end === `${outer[0]}/${outer.slice(1)}`;
  return isElement
    ? {
      opener: before.slice(before.lastIndexOf(outer)),
      closer: after.slice(0, after.indexOf(end, closer.length) + end.length),
    }
    : { opener, closer };
}

/** What is between key and value; what differs with the value's type becomes a choice. */
function middlePattern(texts: readonly string[], opener: string): string {
  if (texts.length === 1) return delimiterPattern(texts[0]!, opener);
  const start = commonPrefix(texts).replace(/\w+$/, "");
  const end = commonSuffix(texts.map((text) => text.slice(start.length))).replace(/^\w+/, "");
  const differing = texts.map((text) => text.slice(start.length, text.length - end.length));
  const others = differing.every((text) => /^\w*$/.test(text))
    ? "\\w{0,32}"
    : `(?:${differing.map((text) => delimiterPattern(text)).join("|")})`;
  return delimiterPattern(start, opener) + others + delimiterPattern(end, opener + start);
}

/** Where a closer ends at the beginning of a text, keys of any name. */
function closerEnd(text: string, shape: string): number {
  const at = shape.indexOf(KEY);
  if (at < 0) return text.startsWith(shape) ? shape.length : 0;
  if (!text.startsWith(shape.slice(0, at))) return 0;
  const rest = text.indexOf(shape.slice(at + 1), at);
  return rest < 0 ? 0 : rest + shape.length - at - 1;
}

export interface ItemShape {
  /** The rule's `item`: one pattern, or several if values are also CDATA sections. */
  readonly pattern: string | readonly string[];
  /** Whether a tag is around each key and only a line break after each value. */
  readonly isLine?: boolean;
  /** A text after a value without the item's closer. */
  withoutCloser(text: string): string;
  /** A text before a key without the item's opener. */
  withoutOpener(text: string): string;
}

/** The marks of all items; undefined where tags mark them. */
export function signMarksOf(texts: readonly MarkedText[]): readonly SignMarks[] | undefined {
  const marks = texts.flatMap(({ calls }) => calls.flatMap(({ items }) => items.map((item) => item.marks)));
  return marks.every((one) => one !== undefined) && marks.length > 0 ? marks : undefined;
}

/** The shape that items with these marks share. */
function signItemOf(
  marks: readonly SignMarks[],
  { isClosed }: { readonly isClosed: boolean },
): ItemShape | { readonly why: string } {
  const [first] = marks;
  const isAlike = marks.every(({ opener, middle }) =>
    opener.trim() === first!.opener.trim() && middle.trim() === first!.middle.trim()
  );
  if (!isAlike) {
    return { why: UNLIKE };
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
  return spaced(opener.trimStart()) + keyPattern(middle) + signMiddle(marks, { isLiteral }) +
    exactPattern(quote) + lineBreak + (isLiteral && quote === "" ? BARE_VALUE : "") + "(?<value>…)" +
    lineBreak +
    closerPattern(marks, quote) + (quote !== "" && !isClosed ? "(?:\\r?\\n)?" : "");
}

/** Ends with no sign that can be between a key and its value. */
function keyPattern(middle: string): string {
  const sign = /^[#%$?*]/.exec(middle.trim())?.[0] ?? "";
  const excluded = `\\s:=~|<>"'\`(){}\\[\\],;${exactPattern(sign)}`;
  return `(?<key>[^${excluded}]{0,63}[^${excluded}-])`;
}

/** The sign, and as much whitespace around it as the answers show. */
function signMiddle(marks: readonly SignMarks[], { isLiteral }: { readonly isLiteral: boolean }): string {
  const sign = marks[0]!.middle.trim();
  const quoted = /^["']/.test(sign) ? sign[0]! : "";
  const bare = sign.slice(quoted.length).trim();
  const after = new Set(marks.map(({ middle }) => middle.slice(middle.trimEnd().length)));
  if (/^<<|<<-?["']?[A-Z]/.test(bare) && after.has("\n")) return `[ \\t]*${exactPattern(bare)}\\r?\\n`;
  if (bare === "" && marks.every(({ middle }) => middle.endsWith("\n"))) return "[ \\t]*\\r?\\n";
  if (bare === "") return `${quoted}${after.has("\t") ? "\\t" : "[ \\t]+"}`;
  // A word needs the space around it.
  if (/^[\p{L}\p{N}]/u.test(bare)) {
    return `${quoted}[ \\t]+${wordsPattern(bare)}${/[\p{L}\p{N}]$/u.test(bare) ? "[ \\t]" : " ?"}`;
  }
  if (marks.every(({ middle }) => middle.endsWith("\n"))) {
    return `${quoted}[ \\t]*${spaced(bare)}[ \\t]*\\r?\\n`;
  }
  const space = !isLiteral && after.size === 1 ? exactSpace([...after][0]!) : "[ \\t]*";
  return `${quoted}[ \\t]*${spaced(bare)}${space}`;
}

function wordsPattern(text: string): string {
  return text.split(/[^\S\n]+/).map(exactPattern).join("[ \\t]+");
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
    ? (closers[0]!.startsWith("\n") ? "\\r?\\n" : quote === "" && /^ \S/.test(closers[0]!) ? " " : "[ \\t]*")
    : "";
  return exactPattern(quote) + space + exactPattern(shared).replaceAll(KEY, "\\k<key>") +
    (separator === undefined ? "" : `${exactPattern(separator)}?`) +
    (isLine && quote === "" ? "\\r?\\n" : "");
}

function spaced(text: string): string {
  return text.split(/([^\S\n]+)/).map((part) => /^\s+$/.test(part) ? "[ \\t]*" : exactPattern(part)).join("");
}
