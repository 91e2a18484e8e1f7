/** Characters and short words in a text, without regular expressions: each look takes one step a character. @module */

/** A letter of any script, apart from punctuation that looks like one. */
export function isLetter(character: string | undefined): boolean {
  if (character === undefined || character === "") return false;
  if (character.toLowerCase() !== character.toUpperCase()) return true;
  return character >= "\u3041" && character < "\uff00" && !(character >= "\ud800" && character <= "\uf8ff");
}

/** Half of a character beyond the first 65,536, such as a letter of mathematics. */
export function isSurrogate(character: string | undefined): boolean {
  return character !== undefined && character >= "\ud800" && character <= "\udfff";
}

export function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= "0" && character <= "9";
}

/** What a name consists of: letters, digits and underscores. */
export function isWordCharacter(character: string | undefined): boolean {
  return isLetter(character) || isDigit(character) || character === "_";
}

export function isBlank(character: string | undefined): boolean {
  return character !== undefined && character !== "" && character.trim() === "";
}

/** The first offset from `at` on whose character isn't whitespace. */
export function skipBlank(text: string, at: number): number {
  while (isBlank(text[at])) at++;
  return at;
}

/** Like {@linkcode skipBlank}, within a line. */
export function skipSpaces(text: string, at: number): number {
  while (text[at] === " " || text[at] === "\t") at++;
  return at;
}

/** The offset after the last character before `at` that isn't whitespace. */
export function skipBlankBack(text: string, at: number, from = 0): number {
  while (at > from && isBlank(text[at - 1])) at--;
  return at;
}

export function isBlankBetween(text: string, from: number, to: number): boolean {
  return skipBlank(text, from) >= to;
}

/** The offset after the word that begins at `at`; `at` if none does. `more`: characters that a word has besides. */
export function wordEnd(text: string, at: number, more = ""): number {
  while (isWordCharacter(text[at]) || (at < text.length && more.includes(text[at]!))) at++;
  return at;
}

/** Where the word begins that ends at `end`; `end` if none does. */
export function wordStart(text: string, end: number, from = 0): number {
  while (end > from && isWordCharacter(text[end - 1])) end--;
  return end;
}

/** The offset at which the line of `at` begins. */
export function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

/** Where a text is found within a number of characters; -1 if it isn't. */
export function indexWithin(text: string, wanted: string, from: number, reach: number): number {
  const at = text.slice(from, from + reach).indexOf(wanted);
  return at < 0 ? -1 : from + at;
}

/** The first of the words that is at this offset. */
export function wordAt(text: string, at: number, words: readonly string[]): string | undefined {
  return words.find((word) => text.startsWith(word, at));
}

/** The first of the words that ends at this offset. */
export function wordBefore(text: string, at: number, words: readonly string[]): string | undefined {
  return words.find((word) => at >= word.length && text.startsWith(word, at - word.length));
}
