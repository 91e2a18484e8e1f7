/** Finds the names of offered tools in a text, in one pass, however many tools there are. @module */
import type { OfferedTool, OfferedTools } from "../../engine/tool/offered.ts";

export interface NamePlace {
  readonly tool: OfferedTool;
  /** The start of the name: a UTF-16 offset. */
  readonly start: number;
  readonly end: number;
}

/** With more names than these, a text is read word by word at once. */
const SEARCHED_MAXIMUM = 64;

interface Spelling {
  readonly text: string;
  readonly tool: OfferedTool;
}

/** The names and aliases of a request's tools, by the word with which they begin. */
export class ToolNames {
  /** The tools by each of their names. */
  readonly tools = new Map<string, OfferedTool>();
  readonly #byWord = new Map<string, Spelling[]>();

  /** @param offered the tools; those without declared parameters have nothing to recognize a call by */
  constructor(offered: OfferedTools) {
    for (const text of offered.spellings ?? offered.names) {
      const tool = offered.resolve(text);
      const word = text.slice(0, wordEnd(text, 0));
      if (tool?.schema === undefined || offered.allows?.(tool.name) === false || word === "") continue;
      this.tools.set(text, tool);
      const spellings = this.#byWord.get(word) ?? [];
      spellings.push({ text, tool });
      this.#byWord.set(word, spellings.sort((a, b) => b.text.length - a.text.length));
    }
  }

  /** Every place of a text where a name is a word of its own. */
  *placesIn(text: string): Generator<NamePlace> {
    if (!this.#mayHoldName(text)) return;
    for (let start = 0; start < text.length;) {
      if (!isWord(text.charCodeAt(start))) {
        start++;
        continue;
      }
      const end = wordEnd(text, start);
      const found = this.#at(text, { start, end });
      if (found !== undefined) yield found;
      start = found?.end ?? end;
    }
  }

  /** Most answers hold no name: with few names, searching for each is cheaper than reading all words. */
  #mayHoldName(text: string): boolean {
    if (this.#byWord.size > SEARCHED_MAXIMUM) return true;
    for (const word of this.#byWord.keys()) if (text.includes(word)) return true;
    return false;
  }

  #at(text: string, { start, end }: { start: number; end: number }): NamePlace | undefined {
    const spelling = this.#byWord.get(text.slice(start, end))?.find(({ text: name }) =>
      text.startsWith(name, start) && !isWord(text.charCodeAt(start + name.length))
    );
    return spelling && { tool: spelling.tool, start, end: start + spelling.text.length };
  }
}

export function wordEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && isWord(text.charCodeAt(end))) end++;
  return end;
}

/** Whether a character is a letter, a digit or `_`; every character outside ASCII that is not a sign counts as one. */
export function isWord(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a) ||
    unit === 0x5f ||
    (unit >= 0xc0 && unit < 0x2000) || (unit >= 0x3040 && unit < 0xd800);
}
