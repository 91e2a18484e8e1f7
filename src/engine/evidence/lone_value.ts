/**
 * Reads the text of an element as the one text that a tool requires. Text alone shows no parameter, so that the element has to
 * show a call by more than a word: it states that a tool is called, is named as nothing but a tool is, or is the whole answer.
 *
 *     <call_tool name="search" limit="3">cats</call_tool>
 *     <run_shell>ls -la</run_shell>
 *     <search>cats</search>
 *
 * @module
 */
import type { OfferedTool } from "../tool/offered.ts";
import { allowedTypes, declares, parameterSchema, requiredParameters } from "../tool/schema.ts";
import { isBlankBetween, skipBlank, wordEnd } from "./characters.ts";
import { readItems } from "./item_values.ts";
import { answerStart, type Mark } from "./mark.ts";
import { type Arguments, fitArguments, isArgumentKey } from "./tool_fit.ts";

/** What an element is called that calls the tool which an attribute names; others describe it: `<tool name="search">`. */
const VERBS = ["call", "invoke"];

interface TextElement {
  readonly text: string;
  readonly marks: readonly Mark[];
  readonly tool: OfferedTool;
  /** The mark that opens it, and its index. */
  readonly mark: Mark;
  readonly index: number;
}

/** The arguments, and where the element ends. */
export function loneValue(
  element: TextElement,
): { readonly arguments: Arguments; readonly end: number } | undefined {
  const { text, marks, tool, mark, index } = element;
  const closer = marks[index + 1];
  const isWhole = index >= 0 && closer?.isCloser === true && !closer.isBroken && closer.word === mark.word;
  if (!isWhole || !canHoldValue(tool, mark, { isFirst: isAnswer(element, closer) }) || !isAlone(element)) {
    return undefined;
  }
  const key = requiredText(tool)!;
  const raw = text.slice(mark.end, closer.start);
  if (startsArguments(tool, raw.trimStart())) return undefined;
  const item = { key, closer: mark.word, start: mark.end, end: closer.start, isOpen: false };
  const read = readItems({ text, marks, tool }, [item], 0)?.[key];
  // A blank line at an edge is the place of a mark that is lost.
  if (typeof read !== "string" || read.trim() === "" || (read.includes("\n") && read !== read.trim())) {
    return undefined;
  }
  const own = Object.entries(mark.attributes).filter(([name]) => name !== "name" || mark.named !== tool.name);
  const fitted = fitArguments(tool, { ...Object.fromEntries(own), [key]: read.trim() });
  return fitted && { arguments: fitted, end: closer.end };
}

/** Whether an element can hold the tool's only text; `isFirst`: nothing of the answer is before it. */
export function canHoldValue(
  tool: OfferedTool,
  mark: Mark,
  { isFirst }: { readonly isFirst: boolean },
): boolean {
  const { attributes, isBroken, isCloser, isEmpty, word } = mark;
  const key = requiredText(tool);
  if (isBroken || isCloser || isEmpty || key === undefined || Object.hasOwn(attributes, key)) return false;
  if (mark.named === undefined) return word === tool.name && (isFirst || isCompound(word));
  return Object.keys(attributes).length === 0 || VERBS.some((verb) => word.toLowerCase().includes(verb));
}

/** The one parameter that a tool requires, if it is text. */
function requiredText({ schema }: OfferedTool): string | undefined {
  const [key, ...others] = requiredParameters(schema);
  if (key === undefined || others.length > 0) return undefined;
  const types = allowedTypes(parameterSchema(schema, key), schema);
  return types.size === 1 && types.has("string") ? key : undefined;
}

/** `run_shell`, `runShell`: no word of a language. */
function isCompound(name: string): boolean {
  return [...name].some((sign, at) =>
    "_-.".includes(sign) || (at > 0 && isUpper(sign) && !isUpper(name[at - 1]!))
  );
}

function isUpper(sign: string): boolean {
  return sign !== sign.toLowerCase();
}

/** Whether an element is the whole answer, after its thoughts. */
function isAnswer({ text, marks, mark, index }: TextElement, closer: Mark): boolean {
  const before = marks[index - 1];
  const from = answerStart(before);
  return isBlankBetween(text, from, mark.start) && isBlankBetween(text, closer.end, text.length);
}

/** Whether an answer ends with an element and has no other one, so that it isn't an entry of a list of tools. */
function isAlone({ text, marks, index }: TextElement): boolean {
  let end = marks[index + 1]!.end;
  for (const mark of marks.slice(index + 2)) if (isBlankBetween(text, end, mark.start)) end = mark.end;
  return isBlankBetween(text, end, text.length) &&
    marks.every(({ word, isSpecial }, at) =>
      at === index || at === index + 1 || isSpecial || word === "think" || word.toLowerCase().includes("call")
    );
}

/** Whether a text begins as arguments do in another notation: `path: a`, `{"path"`, `path="a"`, or with the rest of a mark. */
function startsArguments({ schema }: OfferedTool, text: string): boolean {
  if ("{[('\"<=:,".includes(text[0] ?? "{")) return true;
  const word = text.slice(0, wordEnd(text, 0, "-"));
  if (declares(schema, word) || isArgumentKey(word) || ":=>".includes(text[word.length] ?? " ")) return true;
  return text.split("\n").some((line) => {
    const end = wordEnd(line, skipBlank(line, 0), "-");
    return end > 0 && ":=".includes(line[end] ?? " ") &&
      declares(schema, line.slice(skipBlank(line, 0), end));
  });
}
