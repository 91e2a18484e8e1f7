/**
 * Finds what names a parameter of a tool: a mark, or a mark around the name and one after it for the value.
 *
 *     <parameter=path>            a mark that names it
 *     <path>                      a mark that is its name
 *     <key>path</key><value>      the name between marks
 *
 * @module
 */
import type { OfferedTool } from "../tool/offered.ts";
import { declares } from "../tool/schema.ts";
import { isBlankBetween, skipSpaces } from "./characters.ts";
import type { Mark } from "./mark.ts";

export interface ParameterMark {
  readonly key: string;
  /** The word whose closer ends the value; empty if nothing of its own does. */
  readonly closer: string;
  /** The index of the first mark after those that name the parameter. */
  readonly next: number;
  /** Where the value begins. */
  readonly from: number;
  readonly damage: number;
}

const NAME_MAXIMUM = 80;

/** What the marks of parameters are called. The longest come first. */
const ITEM_WORDS = ["parameter", "argument", "param", "arg"];

export class ParameterMarks {
  readonly #text: string;
  readonly #marks: readonly Mark[];
  readonly #tool: OfferedTool;
  readonly #known = new Map<number, ParameterMark | undefined>();

  constructor(text: string, marks: readonly Mark[], tool: OfferedTool) {
    this.#text = text;
    this.#marks = marks;
    this.#tool = tool;
  }

  /** The parameter that the mark of this index begins to name. */
  at(index: number): ParameterMark | undefined {
    if (!this.#known.has(index)) {
      this.#known.set(index, undefined);
      this.#known.set(index, this.#find(index));
    }
    return this.#known.get(index);
  }

  #declares(key: string): boolean {
    return declares(this.#tool.schema, key);
  }

  #find(index: number): ParameterMark | undefined {
    const mark = this.#marks[index];
    if (mark?.isCloser) return this.#nameAfterTool(index, mark);
    if (mark === undefined || (mark.isBroken && !this.#endsLine(mark))) return undefined;
    const { word, named, end } = mark;
    if (named !== undefined && this.#declares(named)) {
      return { key: named, closer: word, next: index + 1, from: end, damage: mark.isBroken ? 1 : 0 };
    }
    const between = this.#nameBetween(index);
    if (between !== "no name") return between;
    if (named !== undefined || mark.isBroken) return undefined;
    if (this.#declares(word)) return { key: word, closer: word, next: index + 1, from: end, damage: 0 };
    return this.#damagedName(index, mark);
  }

  /** `readpath</key><value>`: the first key, whose opener is lost, follows the tool's name. */
  #nameAfterTool(index: number, { word, start }: Mark): ParameterMark | undefined {
    const [before, value] = [this.#marks[index - 1], this.#marks[index + 1]];
    const { name } = this.#tool;
    if (before === undefined || before.word === word || value === undefined || value.isCloser) {
      return undefined;
    }
    const piece = this.#text.slice(before.end, start).trim();
    const key = piece.slice(name.length).trim();
    const isKey = piece.startsWith(name) && key !== "" && this.#declares(key) && !value.isBroken &&
      isBlankBetween(this.#text, this.#marks[index]!.end, value.start);
    return isKey ? { key, closer: value.word, next: index + 2, from: value.end, damage: 1 } : undefined;
  }

  /** `<parameterpath>`, `<parameter nam="path">`: a sign of what names it is lost. */
  #damagedName(index: number, { word, attributes, end }: Mark): ParameterMark | undefined {
    const own = ITEM_WORDS.find((one) => word.startsWith(one));
    if (own === undefined) return undefined;
    const [stated, ...others] = word === own ? Object.values(attributes) : [word.slice(own.length)];
    return stated !== undefined && others.length === 0 && this.#declares(stated)
      ? { key: stated, closer: own, next: index + 1, from: end, damage: 1 }
      : undefined;
  }

  #endsLine({ end }: Mark): boolean {
    const at = skipSpaces(this.#text, end);
    return at >= this.#text.length || this.#text[at] === "\n";
  }

  /** `<key>path</key><value>`, `<arg_key>path<arg_value>`. */
  #nameBetween(index: number): ParameterMark | undefined | "no name" {
    const mark = this.#marks[index]!;
    const after = this.#marks[index + 1];
    if (after === undefined || after.start - mark.end > NAME_MAXIMUM || after.start < mark.end) {
      return "no name";
    }
    const key = unquoted(this.#text.slice(mark.end, after.start).trim());
    const isValueOfWord = mark.word !== after.word && this.#declares(mark.word);
    if (key === "" || !this.#declares(key) || after.word === key || isValueOfWord) return "no name";
    const damage = after.isCloser && after.word === mark.word ? 0 : 1;
    if (!after.isCloser) {
      const isOther = after.word !== mark.word;
      return {
        key,
        closer: after.word,
        next: index + 2,
        from: after.end,
        damage: damage - (isOther ? 0.5 : 0),
      };
    }
    const value = this.#marks[index + 2];
    if (value?.isBroken) return undefined;
    const opensValue = value !== undefined && !value.isCloser &&
      isBlankBetween(this.#text, after.end, value.start) &&
      this.at(index + 2) === undefined;
    return opensValue
      ? { key, closer: value.word, next: index + 3, from: value.end, damage }
      : { key, closer: "", next: index + 2, from: after.end, damage: damage + 1 };
  }
}

function unquoted(text: string): string {
  const from = `"'`.includes(text[0] ?? " ") ? 1 : 0;
  const end = `"'`.includes(text.at(-1) ?? " ") ? text.length - 1 : text.length;
  return text.slice(from, Math.max(from, end));
}
