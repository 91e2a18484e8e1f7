/**
 * Finds calls in an answer whose arguments are JSON, or keyword arguments of a call in Python.
 *
 * @module
 */
import { isRecord } from "../../engine/object/record.ts";
import { envelopeKeys, objectsIn, parseObject } from "./json_object.ts";
import { type KnownTool, lastWord, words } from "./known_tool.ts";
import type { MarkedCall } from "./sample.ts";

/** Marks before a name: more of the text is prose. */
export const HEAD_LENGTH_MAX = 200;

/** Calls whose arguments are JSON. */
export function objectCalls(text: string, tools: readonly KnownTool[]): MarkedCall[] | undefined {
  const calls: MarkedCall[] = [];
  let from = 0;
  for (const object of objectsIn(text)) {
    if (object.start < from) continue;
    const call = envelopeCall(text, { object, tools }) ?? argumentsCall(text, { object, tools, from });
    if (call === undefined) continue;
    calls.push(call);
    from = object.end;
  }
  return calls.length > 0 ? calls : undefined;
}

type FoundObject = ReturnType<typeof objectsIn>[number];

function envelopeCall(
  text: string,
  { object, tools }: { object: FoundObject; tools: readonly KnownTool[] },
): MarkedCall | undefined {
  for (const { name: tool, keys } of tools) {
    const envelope = envelopeKeys(object.value, { tool, isArguments: (value) => areArguments(value, keys) });
    const start = text.indexOf(tool, object.start);
    if (envelope === undefined || start < 0 || start > object.end) continue;
    const name = { start, end: start + tool.length };
    return { name, object: { start: object.start, end: object.end, envelope }, items: [] };
  }
  return undefined;
}

/** The object is the arguments, and the name is shortly before it. */
function argumentsCall(
  text: string,
  { object, tools, from }: { object: FoundObject; tools: readonly KnownTool[]; from: number },
): MarkedCall | undefined {
  const head = text.slice(Math.max(from, object.start - HEAD_LENGTH_MAX), object.start);
  const named = tools.map((tool) => ({ tool, at: lastWord(head, tool.name) })).filter(({ at }) => at >= 0)
    .sort((a, b) => b.at - a.at || b.tool.name.length - a.tool.name.length)[0];
  if (named === undefined || !areArguments(object.value, named.tool.keys)) return undefined;
  const start = object.start - head.length + named.at;
  const name = { start, end: start + named.tool.name.length };
  return { name, object: { start: object.start, end: object.end }, items: [] };
}

/** Whether a value can be the arguments of a tool that declares these parameters. */
function areArguments(value: unknown, keys: readonly string[]): boolean {
  const object = typeof value === "string" ? parseObject(value) : value;
  if (!isRecord(object)) return false;
  const given = Object.keys(object);
  if (given.length === 0) return keys.length === 0;
  return keys.length === 0 ? false : given.some((key) => keys.includes(key));
}

/**
 * Calls in Python's syntax, in a list or alone:
 *
 *     [read_file(path="a"), list_files()]
 */
export function keywordCalls(text: string, tools: readonly KnownTool[]): MarkedCall[] | undefined {
  const calls = tools.flatMap((tool) =>
    words(text, tool.name).flatMap((start) => keywordCall(text, { tool, start }) ?? [])
  )
    .sort((a, b) => a.name.start - b.name.start);
  // A name in a value of another call is not a call.
  const outer = calls.filter(({ object }, index) =>
    calls.slice(0, index).every((before) => object!.start >= before.object!.end)
  );
  return outer.length > 0 ? outer : undefined;
}

function keywordCall(
  text: string,
  { tool, start }: { tool: KnownTool; start: number },
): MarkedCall | undefined {
  const nameEnd = start + tool.name.length;
  if (text[nameEnd] !== "(" || /[\p{L}\p{N}_.]/u.test(text[start - 1] ?? "")) return undefined;
  const end = closingParenthesis(text, nameEnd);
  const inner = end === undefined ? "" : text.slice(nameEnd + 1, end - 1);
  const hasKey = tool.keys.some((key) => new RegExp(`(?:^|,)\\s*${escaped(key)}\\s*=`).test(inner));
  if (end === undefined || !(hasKey || (inner.trim() === "" && tool.keys.length === 0))) return undefined;
  return { name: { start, end: nameEnd }, object: { start, end, isPython: true }, items: [] };
}

/** The end of the parentheses that open at a place; strings are skipped. */
function closingParenthesis(text: string, start: number): number | undefined {
  let depth = 0;
  let quote: string | undefined;
  for (let at = start; at < text.length; at++) {
    const character = text[at]!;
    if (quote !== undefined) {
      if (character === "\\") at++;
      else if (character === quote) quote = undefined;
    } else if (character === '"' || character === "'") quote = character;
    else if (character === "(") depth++;
    else if (character === ")" && --depth === 0) return at + 1;
  }
  return undefined;
}

function escaped(key: string): string {
  return key.replace(/[^\w]/g, "\\$&");
}
