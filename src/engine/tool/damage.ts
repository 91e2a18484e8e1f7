/** Describes what is wrong with the text of a call and where, in words that the model that wrote it understands. @module */
import type { Reason } from "../event/reason.ts";
import { isJsonEqual } from "../json/equal.ts";
import { parseJson } from "../object/parse.ts";
import { isRecord } from "../object/record.ts";
import { isBlank } from "../pattern/node.ts";

/** A call that was read, and its text. */
export interface WrittenCall {
  /** The name of the tool. */
  readonly tool: string;
  /** The arguments as they were read. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The text of the call, as the model printed it. */
  readonly source?: string;
}

/** How much of a call shows which one is meant, in characters. */
const BEGINNING_LENGTH = 80;

/** The deepest place in a call's JSON where its arguments are searched. */
const DEPTH_MAXIMUM = 8;

/** What was wrong with the text of a call that a repair made readable. */
const REPAIRS: Partial<Record<Reason, string>> = {
  json_repaired: "The call's JSON is not valid",
  closer_missing: "The call lacks a closing tag or brace",
  value_closer_missing: "The closing tag of a parameter is missing",
  wrapper_closer_missing: "The closing tag around the call is missing",
  closer_repeated: "One of the call's closing tags is repeated",
  closer_replaced: "A different tag replaces one of the call's closing tags",
  text_before_closer: "There is text between the call's JSON and its closing tag",
  replaced_parameter: "A parameter is repeated with different values",
  arguments_decoded: "The call's arguments are JSON inside a string instead of an object",
  arguments_fitted: "One of the call's values has the wrong type",
  read_by_evidence: "The call's notation is unknown",
};

/**
 * What a repair changed in a call, one sentence without a final period.
 *
 * @example
 * ```ts
 * import { describeRepair } from "./damage.ts";
 * const call = { tool: "f", arguments: { a: "5" }, source: '<f>{"a": 5}</f>' };
 * console.assert(describeRepair("arguments_fitted", call).startsWith("The value of a is written as 5, but "));
 * ```
 */
export function describeRepair(repair: Reason, call: WrittenCall): string {
  const { tool, source = "" } = call;
  if (repair === "name_repaired") {
    return `The tool's name is not written exactly as ${tool}${describePlace(source)}`;
  }
  const fitted = repair === "arguments_fitted" ? describeFitted(call) : undefined;
  const what = fitted ?? REPAIRS[repair] ?? "The call is not well formed";
  const isAboutJson = repair === "json_repaired" || repair === "closer_missing";
  return what + (isAboutJson ? describeJson(source) : "") + describePlace(source);
}

/** Where a call is, as the end of a sentence. */
export function describePlace(text: string): string {
  const beginning = onOneLine(text.slice(0, 2 * BEGINNING_LENGTH));
  if (beginning.length === 0) return "";
  return `, in the call that begins with ${beginning.slice(0, BEGINNING_LENGTH).join("")}`;
}

/** The characters of a text, with one space for whitespace between them. */
function onOneLine(text: string): readonly string[] {
  const characters = Array.from(text.trim(), (character) => isBlank(character) ? " " : character);
  return characters.filter((character, at) => character !== " " || characters[at - 1] !== " ");
}

/** What the JSON in a call breaks, with the position, in parentheses; nothing if it has none or it is valid. */
export function describeJson(text: string): string {
  const json = jsonIn(text);
  try {
    if (json !== "") JSON.parse(json);
    return "";
  } catch (error) {
    return error instanceof SyntaxError ? ` (${error.message})` : "";
  }
}

/** Which values were converted, and from what. */
function describeFitted({ source = "", arguments: made }: WrittenCall): string | undefined {
  const written = findArguments(parseJson(jsonIn(source)), Object.keys(made), 0);
  const changed = Object.entries(made).filter(([key, value]) =>
    written !== undefined && !isJsonEqual(written[key], value)
  );
  if (changed.length === 0) return undefined;
  const parts = changed.map(([key, value]) =>
    `The value of ${key} is written as ${JSON.stringify(written?.[key])}, but its type requires ${
      JSON.stringify(value)
    }`
  );
  return parts.join("; ");
}

/** The first object that has exactly these keys. */
function findArguments(
  value: unknown,
  keys: readonly string[],
  depth: number,
): Readonly<Record<string, unknown>> | undefined {
  if (depth > DEPTH_MAXIMUM || typeof value !== "object" || value === null) return undefined;
  if (isRecord(value) && keys.every((key) => Object.hasOwn(value, key))) return value;
  for (const inner of Object.values(value)) {
    const found = findArguments(inner, keys, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The text from the first brace to the last one, or to the end if none closes. */
function jsonIn(text: string): string {
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  return start < 0 ? "" : text.slice(start, end > start ? end + 1 : undefined);
}
