/**
 * Literals of code in a text: quoted strings, numbers, words and lists.
 *
 * @module
 */

const QUOTES = ['"""', "'''", "```", '"', "'", "`"];

/** The quote that opens at a place; empty if there is none. */
export function openingQuote(text: string, at: number): string {
  return QUOTES.find((mark) => text.startsWith(mark, at)) ?? "";
}

/** The end of the literal that begins at a place; undefined if there is none, or if its end is not certain. */
export function literalEnd(text: string, from: number): number | undefined {
  const quote = openingQuote(text, from);
  if (quote !== "") return stringEnd(text, { quote, from: from + quote.length });
  const word = /^(?:-?\d[\d.eE+-]*|true|false|null|True|False|None)(?![\w-])/.exec(
    text.slice(from, from + 64),
  );
  if (word !== null) return from + word[0].length;
  return "[{".includes(text[from] ?? " ") ? structureEnd(text, from) : undefined;
}

/** The end of a string. A quote that comes twice can be one quote in the string. */
function stringEnd(text: string, { quote, from }: { quote: string; from: number }): number | undefined {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\" && quote !== "`") at++;
    else if (text.startsWith(quote, at)) {
      const end = at + quote.length;
      return quote.length === 1 && at > from && text[end] === quote ? undefined : end;
    }
  }
  return undefined;
}

/** The end of a list or an object. */
function structureEnd(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const end = openingQuote(text, at) === "" ? undefined : literalEnd(text, at);
    if (end !== undefined) at = end - 1;
    else if ("[{".includes(text[at]!)) depth++;
    else if ("]}".includes(text[at]!) && --depth === 0) return at + 1;
  }
  return undefined;
}
