/**
 * Finds items that signs mark, not tags: `path := src/a.ts`, `(path "src/a.ts")`, `--path='src/a.ts'`, `|path=src/a.ts|`.
 *
 * @module
 */
import { type KnownTool, words } from "./known_tool.ts";
import type { MarkedItem, Span } from "./sample.ts";

/** Between a key and its value: a sign with spaces around it, or spaces before a quote. */
const MIDDLE =
  /^["']?(?:[^\S\n]*(?::=:|::=|==>|-->|~~>|:=|=:|==|=>|->|~>|<-|<=|::|[:=~→⇒⟶|])(?![=:>])[^\S\n]*|[^\S\n]+(?=["']))/u;

/** Between a key that a sign touches and its value: spaces, or the end of the line. */
const GAP = /^(?:[^\S\n]+(?=\S)|[^\S\n]*\n)/;

/** What can precede a key on its line: a word that begins with a sign, and signs that touch the key. */
const OPENER = /(?:(?<=^|\s)[^\s\p{L}\p{N}_"'{(,;[]\S*[^\S\n]+)?[^\s\p{L}\p{N}_]*[^\S\n]*$/u;

/** Signs that begin a line and touch the key after them: `@path`, `--path`. */
const TOUCHING = /^[^\S\n]*[^\s\p{L}\p{N}_"'({,;[<]{1,3}$/u;

/** Signs that separate items and belong to none. */
const SEPARATOR = /^[({[,;]*\s*$/;

const QUOTES = ['"""', "'''", "```", '"', "'", "`"];

const CLOSING: ReadonlyMap<string, string> = new Map([["(", ")"], ["[", "]"], ["{", "}"]]);

interface KeyPlace extends Span {
  readonly opener: string;
  readonly middle: string;
}

/** The items between two places; undefined where they are written in different ways, or none is found. */
export function signItems(
  text: string,
  { tool, start, end }: Span & { readonly tool: KnownTool },
): MarkedItem[] | undefined {
  const found = keyPlaces(text, { tool, start, end });
  if (found.length === 0) return undefined;
  const opener = sharedOpener(found.map((place) => place.opener));
  const items: MarkedItem[] = [];
  for (const place of found) {
    // A key inside of the value before it is part of that value.
    if (place.start < (items.at(-1)?.marks?.end ?? start)) continue;
    const item = itemAt(text, { place, opener, end });
    if (item === undefined) return undefined;
    items.push(item);
  }
  const [first] = items;
  const isAlike = items.every(({ marks }) =>
    marks!.middle.trim() === first!.marks!.middle.trim() && marks!.quote === first!.marks!.quote
  );
  return isAlike ? items : undefined;
}

function keyPlaces(text: string, { tool, start, end }: Span & { readonly tool: KnownTool }): KeyPlace[] {
  const found = tool.keys.flatMap((key) =>
    words(text.slice(start, end), key).flatMap((at): KeyPlace[] => {
      const keyStart = start + at;
      const keyEnd = keyStart + key.length;
      const line = text.slice(Math.max(start, text.lastIndexOf("\n", keyStart - 1) + 1), keyStart);
      const opener = OPENER.exec(line)?.[0] ?? "";
      const rest = text.slice(keyEnd, keyEnd + 32);
      const middle = MIDDLE.exec(rest)?.[0] ?? (TOUCHING.test(line) ? GAP.exec(rest)?.[0] : undefined);
      const isMarked = line.trim() === "" || opener.trim() !== "";
      const isCell = middle?.trim() !== "|" || opener.trim() === "|";
      return middle === undefined || !isMarked || !isCell
        ? []
        : [{ start: keyStart, end: keyEnd, opener, middle }];
    })
  ).sort((a, b) => a.start - b.start || b.end - a.end);
  return found.filter((place, index) => index === 0 || place.start >= found[index - 1]!.end);
}

/** What precedes every key; signs that only separate items do not count. */
function sharedOpener(openers: readonly string[]): string {
  const [first = ""] = openers;
  const isShared = openers.every((opener) => opener.trim() === first.trim());
  const isOwn = isShared && (!SEPARATOR.test(first) || (first.trim() === "(" && openers.length > 0));
  return isOwn ? first : "";
}

function itemAt(
  text: string,
  { place, opener, end }: { place: KeyPlace; opener: string; end: number },
): MarkedItem | undefined {
  const valueFrom = place.end + place.middle.length;
  const quote = QUOTES.find((mark) => text.startsWith(mark, valueFrom)) ?? "";
  const valueStart = valueFrom + quote.length;
  const line = text.indexOf("\n", valueStart);
  const lineEnd = Math.min(line < 0 ? end : line, end);
  const bracket = CLOSING.get(opener.trim().at(-1) ?? "");
  const sign = opener.trim() === "|" ? "|" : bracket;
  let valueEnd: number;
  if (quote !== "") {
    valueEnd = quoteEnd(text, { quote, from: valueStart });
  } else if (sign !== undefined) {
    valueEnd = text.indexOf(sign, valueStart);
    if (valueEnd > lineEnd) return undefined;
  } else valueEnd = lineEnd;
  if (valueEnd < 0 || valueEnd > end) return undefined;
  // A sign between two items opens the second one.
  const own = sign === "|" && place.middle.trim() !== "|" ? undefined : sign;
  const closer = sign !== own
    ? quote
    : `${quote}${closerAfter(text, { at: valueEnd + quote.length, sign, isQuoted: quote !== "" })}`;
  const value = text.slice(valueStart, valueEnd);
  if (quote === "" && value.trim() === "") return undefined;
  const space = quote === "" && sign !== undefined ? value.length - value.trimEnd().length : 0;
  return {
    key: { start: place.start, end: place.end },
    value: { start: valueStart, end: valueEnd - space },
    marks: {
      start: place.start - opener.length,
      end: valueEnd + closer.length,
      opener,
      middle: place.middle,
      quote,
      closer: text.slice(valueEnd - space, valueEnd + closer.length),
    },
  };
}

/** What follows a value and belongs to its item: the bracket or sign that opened it, or the line's end. */
function closerAfter(
  text: string,
  { at, sign, isQuoted }: { at: number; sign: string | undefined; isQuoted: boolean },
): string {
  if (sign !== undefined) return text.startsWith(sign, at) ? sign : "";
  if (isQuoted) return /^[,;]?/.exec(text.slice(at, at + 1))?.[0] ?? "";
  return text[at] === "\n" ? "\n" : "";
}

function quoteEnd(text: string, { quote, from }: { quote: string; from: number }): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\" && quote !== "`") at++;
    else if (text.startsWith(quote, at)) return at;
  }
  return -1;
}
