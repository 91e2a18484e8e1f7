/**
 * The laws of values: what a reading takes for a value must look like one. A value isn't begun by an opener or ended by a
 * closer that has no counterpart in it, closes itself no more often than it opens itself, is of its type, and isn't empty
 * where a repair made it. A text that its own closer doesn't end isn't known to be whole.
 *
 * @module
 */
import { parseJson } from "../object/parse.ts";
import { isRecord } from "../object/record.ts";
import { isJsonEqual } from "../json/equal.ts";
import type { JsonSchema, OfferedTool } from "../tool/offered.ts";
import { allowedTypes, itemSchema, parameterSchema, requiredParameters } from "../tool/schema.ts";
import { readValue } from "../tool/value.ts";
import { hasCallPart } from "./call_word.ts";
import { skipBlank, skipBlankBack, skipSpaces } from "./characters.ts";
import { readElements } from "./nested_value.ts";
import { type Mark, marksWithin } from "./mark.ts";
import type { Arguments } from "./tool_fit.ts";

export interface Item {
  readonly key: string;
  /** The word of the value's own closer; empty if it has none. */
  readonly closer: string;
  readonly start: number;
  readonly end: number;
  /** Whether something else than a closer of its own ended the value. */
  readonly isOpen: boolean;
}

interface Values {
  readonly text: string;
  readonly marks: readonly Mark[];
  readonly tool: OfferedTool;
}

const ITEM_WORDS: ReadonlySet<string> = new Set([
  ...["param", "parameter", "arg", "argument", "arg_key", "arg_value", "value"],
]);
const CDATA = "<![CDATA[";
/** The longest rest of a tag at the beginning of a value. */
const TAG_REST = 64;

/** The arguments, unless a law refuses a value or a required parameter is missing. */
export function readItems(
  { text, marks, tool }: Values,
  items: readonly Item[],
  damage: number,
): Arguments | undefined {
  const { schema } = tool;
  const found: Record<string, unknown> = {};
  for (const item of items) {
    const raw = text.slice(item.start, item.end);
    const declared = parameterSchema(schema, item.key);
    const types = allowedTypes(declared, schema);
    const isText = types.size === 0 || types.has("string");
    if (item.isOpen && (raw.trim() === "" || (item.closer !== "" && isText && !isLine(raw)))) {
      return undefined;
    }
    if (breaksLaw(item, { text, marks }, types.size === 0)) return undefined;
    const isRepeated = items.filter(({ key }) => key === item.key).length > 1;
    if (
      damage > 0 && (raw.trim() === "" || hasPartOfMark(raw.trim(), marksWithin({ text, marks }, item).marks))
    ) {
      return undefined;
    }
    const value = readItem(innerText(raw, item.isOpen), { declared, root: schema, isRepeated });
    if (value === undefined || (isRecord(value.value) && Object.hasOwn(value.value, item.closer))) {
      return undefined;
    }
    if (!Object.hasOwn(found, item.key)) found[item.key] = value.value;
    else if (types.has("array")) found[item.key] = [found[item.key], value.value].flat();
    else if (!isJsonEqual(found[item.key], value.value)) return undefined;
  }
  return requiredParameters(schema).every((name) => Object.hasOwn(found, name)) ? found : undefined;
}

/** Whether a value of a damaged call has the rest of a mark at its beginning, or ends in what closes a value. */
function hasPartOfMark(value: string, marks: readonly Mark[]): boolean {
  const last = marks.at(-1);
  return value.startsWith(">") || (value.startsWith("<") && skipBlank(value, 1) > 1) ||
    (last?.isCloser === true && ITEM_WORDS.has(last.word) && value.endsWith(">"));
}

/** Whether a text is one line with its line break: a value that nothing closes shows that it is whole. */
function isLine(raw: string): boolean {
  const from = raw.startsWith("\n") ? 1 : 0;
  const end = raw.indexOf("\n", from);
  return end >= 0 && raw.indexOf("\n", end + 1) < 0 && raw.slice(end).trim() === "" &&
    !isHalf(raw.slice(from, end));
}

const HALF = "=:,({[<>";

/** Whether a value that nothing closes ends with half of something, such as what is in the place of its closer. */
function isHalf(value: string): boolean {
  return HALF.includes(value.trimEnd().at(-1) ?? HALF) || value.split('"').length % 2 === 0;
}

/** Laws V1 and V2: marks in the value have their counterparts, and none is half of a mark of the call. */
function breaksLaw(item: Item, answer: Pick<Values, "text" | "marks">, hasNoType: boolean): boolean {
  const { key, closer, start, end } = item;
  const { text } = answer;
  const { base, ...found } = marksWithin(answer, item);
  const marks = found.marks.filter((mark) => !mark.isBroken || mark.isCloser);
  if (marks.length > 0 && hasNoType) return true;
  let depth = 0;
  for (const mark of marks) {
    if (mark.word !== closer || mark.isEmpty) continue;
    depth += mark.isCloser ? -1 : 1;
    if (depth < 0) return true;
  }
  if (depth > 0) return true;
  const begin = Math.min(skipBlank(text, start), end);
  const head = text.slice(begin, Math.min(begin + key.length + 2, end));
  if (head.startsWith(`${key}>`) || head.startsWith(`${key}">`) || head.startsWith("</")) return true;
  if (beginsInTag(text.slice(begin, end))) return true;
  // `a]]<]word[>[</path>`: the bracket can be the mark's.
  if (text.startsWith("]]<]", end - 1) && !text.slice(begin, end).includes("[")) return true;
  const [first] = marks;
  const last = marks.at(-1);
  if (last?.isCloser && skipBlank(text, base + last.end) >= end && !hasOpener(marks, last)) return true;
  if (first === undefined || first.isCloser || first.isEmpty || begin < base + first.start) return false;
  // What opens the item again doesn't begin its value.
  if (first.word === closer && first.named === key) return true;
  const isPart = first.word === closer || ITEM_WORDS.has(first.word) || hasCallPart(first.word);
  return isPart && !marks.some((mark) => mark.isCloser && mark.word === first.word);
}

/**
 * `"true">src`, `<![CDATA[src`, `src]<]word[>[`: the rest of a tag whose beginning is in another mark, a section that nothing
 * closes, or brackets of a mark.
 */
function beginsInTag(value: string): boolean {
  if (value.trimEnd().endsWith("[>[") || value.startsWith("]")) {
    return value.includes("]<") || value.includes("<]");
  }
  if (value.startsWith("<!")) return !(value.startsWith(CDATA) && value.trimEnd().endsWith("]]>"));
  const end = value.indexOf('">');
  const head = value.slice(0, Math.max(0, end));
  return end >= 0 && end <= TAG_REST && !head.includes("<") && !head.includes("\n");
}

function hasOpener(marks: readonly Mark[], closer: Mark): boolean {
  let open = 0;
  for (const mark of marks) {
    if (mark === closer) break;
    if (mark.word === closer.word && !mark.isEmpty) open += mark.isCloser ? -1 : 1;
  }
  return open > 0;
}

/** The value without the line breaks that belong to the notation, or without `<![CDATA[…]]>`. */
function innerText(raw: string, isOpen: boolean): string {
  const from = skipBlank(raw, 0);
  const end = skipBlankBack(raw, raw.length);
  if (raw.startsWith(CDATA, from) && raw.endsWith("]]>", end) && end - from >= CDATA.length + 3) {
    return raw.slice(from + CDATA.length, end - 3);
  }
  const begin = raw.startsWith("\r\n") ? 2 : raw.startsWith("\n") ? 1 : 0;
  if (begin === 0) return isOpen ? raw.slice(0, end) : raw;
  const line = raw.lastIndexOf("\n");
  if (line < begin || skipSpaces(raw, line + 1) < raw.length) return raw.slice(begin);
  return raw.slice(begin, raw[line - 1] === "\r" ? line - 1 : line);
}

interface Declared {
  readonly declared: JsonSchema | undefined;
  readonly root: JsonSchema | undefined;
  readonly isRepeated: boolean;
}

/** Law V3: the value is of its type. */
function readItem(
  text: string,
  { declared, root, isRepeated }: Declared,
): { readonly value: unknown } | undefined {
  const types = allowedTypes(declared, root);
  const items = itemSchema(declared, root);
  const read = readValue(text, types, allowedTypes(items, root));
  if (!read.isKeptAsText || types.size === 0) return { value: parseJson(read.json) };
  const value = readElements(text, declared, root) ??
    (types.has("array") && isRepeated ? readElements(text, items, root) : undefined);
  return value === undefined ? undefined : { value };
}
