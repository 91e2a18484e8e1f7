/**
 * JSON objects anywhere in a text.
 *
 * @module
 */
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { EnvelopeKeys, Span } from "./sample.ts";

export interface FoundObject extends Span {
  readonly value: Readonly<Record<string, unknown>>;
}

/** More objects than this are not looked at in one text. */
const OBJECTS_MAXIMUM = 2_000;

/** Every JSON object of a text, inner ones after the ones around them. */
export function objectsIn(text: string, from = 0): FoundObject[] {
  const found: FoundObject[] = [];
  for (let start = text.indexOf("{", from); start >= 0; start = text.indexOf("{", start + 1)) {
    const end = objectEnd(text, start);
    const value = end === undefined ? undefined : parseObject(text.slice(start, end));
    if (end !== undefined && value !== undefined) found.push({ start, end, value });
    if (found.length >= OBJECTS_MAXIMUM) break;
  }
  return found;
}

/** Where the braces that open at a place are balanced, strings left aside. */
function objectEnd(text: string, start: number): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (isInString) {
      if (character === "\\") at++;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === "{") depth++;
    else if (character === "}" && --depth === 0) return at + 1;
  }
  return undefined;
}

/** The object that a text is; undefined where it is something else. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(text);
  return isRecord(value) ? value : undefined;
}

/**
 * Where an object holds a tool's name and its arguments; undefined where it does not.
 *
 * @param value the object
 * @param options the tool's name, and whether a value is the arguments of the call
 */
export function envelopeKeys(
  value: Readonly<Record<string, unknown>>,
  { tool, isArguments }: { readonly tool: string; readonly isArguments: (value: unknown) => boolean },
): EnvelopeKeys | undefined {
  const fields = Object.entries(value);
  if (fields.length === 1 && fields[0]![0] === tool && isArguments(fields[0]![1])) {
    return { name: tool, isKeyed: true, prefix: "", others: [] };
  }
  const named = fields.find(([, text]) => typeof text === "string" && isNameOf(text, tool));
  if (named === undefined) return nestedKeys(fields, { tool, isArguments });
  const [name, text] = named;
  const rest = fields.filter(([key]) => key !== name);
  const held = rest.find(([, candidate]) => isArguments(decoded(candidate)));
  const prefix = String(text).slice(0, String(text).length - tool.length);
  if (held !== undefined) {
    const others = rest.filter(([key]) => key !== held[0]).map(([key]) => key);
    return { name, arguments: held[0], prefix, others };
  }
  return isArguments(Object.fromEntries(rest)) ? { name, prefix, others: [] } : undefined;
}

/** An object in the object holds name and arguments: `{"id": 1, "function": {"name": "f", "arguments": {…}}}`. */
function nestedKeys(
  fields: readonly (readonly [string, unknown])[],
  call: Parameters<typeof envelopeKeys>[1],
): EnvelopeKeys | undefined {
  for (const [nested, value] of fields) {
    const inner = isRecord(value) ? envelopeKeys(value, call) : undefined;
    if (inner?.arguments === undefined || inner.nested !== undefined) continue;
    const others = fields.map(([key]) => key).filter((key) => key !== nested);
    return { ...inner, nested, others: [...others, ...inner.others] };
  }
  return undefined;
}

/** `get`, or `functions.get`. */
function isNameOf(text: string, tool: string): boolean {
  return text === tool || text.endsWith(`.${tool}`);
}

/** Arguments that are JSON text in a string count as that JSON. */
function decoded(value: unknown): unknown {
  return typeof value === "string" ? parseObject(value) ?? value : value;
}
