/**
 * Fits an object to a tool: each key is declared, each required one is there, each value is of its type. And finds the
 * calls in an object that names its tool.
 *
 *     {"name": "read", "arguments": {"path": "a"}}     one call
 *     [{"tool": "read", "path": "a"}, …]                several
 *     {"read": {"path": "a"}}                           one call, named by its key
 *
 * @module
 */
import { isRecord } from "../object/record.ts";
import { parseJson } from "../object/parse.ts";
import type { OfferedTool } from "../tool/offered.ts";
import {
  allowedTypes,
  declares,
  itemTypes,
  parameterSchema,
  requiredParameters,
  type ValueType,
} from "../tool/schema.ts";
import { readValue } from "../tool/value.ts";
import { readLooseValue } from "./loose_value.ts";

export type Arguments = Readonly<Record<string, unknown>>;

/** The tools by the names that text can use for them. */
export type ToolsByName = ReadonlyMap<string, OfferedTool>;

interface FittedCall {
  readonly tool: OfferedTool;
  readonly arguments: Arguments;
}

/** What an object calls its arguments. */
const ARGUMENT_KEYS: ReadonlySet<string> = new Set([
  "arguments",
  "parameters",
  "params",
  "input",
  "args",
  "tool_input",
  "action_input",
  "tool_args",
  "kwargs",
  "function_args",
  "tool_arguments",
  "arguments_json",
]);

/** What an object calls its tool's name. */
const NAME_KEYS: ReadonlySet<string> = new Set([
  "name",
  "tool",
  "function",
  "tool_name",
  "function_name",
  "method",
  "action",
  "recipient_name",
  "toolName",
  "functionName",
  "call",
  "command_name",
  "tool_code",
]);

/** What holds a call and nothing else. */
const HOLDERS: ReadonlySet<string> = new Set([
  "tool_call",
  "function_call",
  "function",
  "call",
  "tool_use",
  "tool",
  "command",
]);

/** The last word of a key that states why a call is made. */
const THOUGHTS: ReadonlySet<string> = new Set(["thought", "thoughts", "thinking", "reasoning", "rationale"]);

/** The last word of a key that states what a call gave back. */
const RESULTS: ReadonlySet<string> = new Set([
  ...["result", "results", "output", "outputs", "response", "observation", "stdout", "stderr", "error"],
]);

const NAMESPACES = ["functions.", "function.", "default_api.", "default_api:", "tools.", "tool.", "call:"];

const DEPTH_MAXIMUM = 4;

export function isArgumentKey(key: string): boolean {
  return ARGUMENT_KEYS.has(key);
}

export function isNameKey(key: string): boolean {
  return NAME_KEYS.has(key);
}

/** Whether a key states why a call is made: `thoughts`, `next_thought`. */
export function isThoughtKey(key: string): boolean {
  return THOUGHTS.has(lastWord(key));
}

function lastWord(key: string): string {
  return key.split("_").at(-1)!;
}

/** A name without its namespace and the number of its call. */
export function plainName(name: string): string {
  const namespace = NAMESPACES.find((start) => name.startsWith(start)) ?? "";
  const rest = name.slice(namespace.length);
  const at = Math.max(rest.lastIndexOf(":"), rest.lastIndexOf("#"));
  const isNumbered = at > 0 && rest.length > at + 1 && Number.isInteger(Number(rest.slice(at + 1)));
  return isNumbered ? rest.slice(0, at) : rest;
}

/** Whether a tool declares its parameters one by one. */
export function hasParameters({ schema }: OfferedTool): boolean {
  return isRecord(schema) && isRecord(schema["properties"]);
}

/** The arguments, if an object, or the text of one, fits the tool. */
export function fitArguments(tool: OfferedTool, given: unknown): Arguments | undefined {
  const value = typeof given === "string" ? objectIn(given) : given;
  if (!isRecord(value)) return undefined;
  const { schema } = tool;
  const keys = Object.keys(value);
  if (hasParameters(tool) ? keys.some((key) => !declares(schema, key)) : isDefinition(value)) {
    return undefined;
  }
  if (requiredParameters(schema).some((name) => !Object.hasOwn(value, name))) return undefined;
  const fitted: Record<string, unknown> = {};
  for (const key of keys) {
    const read = fitValue(tool, key, value[key]);
    if (read === undefined) return undefined;
    fitted[key] = read.value;
  }
  return fitted;
}

/** A schema in the place of arguments: a tool is described, not called. */
function isDefinition(value: Readonly<Record<string, unknown>>): boolean {
  return Object.hasOwn(value, "properties") || Object.hasOwn(value, "$schema");
}

function fitValue(
  { schema }: OfferedTool,
  key: string,
  value: unknown,
): { readonly value: unknown } | undefined {
  const parameter = parameterSchema(schema, key);
  const types = allowedTypes(parameter, schema);
  const ofItems = itemTypes(parameter, schema);
  const isText = typeof value === "string" && types.size > 0 && !types.has("string");
  const read = isText ? readValue(value, types, ofItems) : undefined;
  if (read?.isKeptAsText) return undefined;
  const found = read === undefined ? value : parseJson(read.json);
  if (!Array.isArray(found) || !types.has("array") || ofItems.size === 0) return { value: found };
  const items = found.map((item) => fitItem(item, ofItems));
  return items.includes(undefined) ? undefined : { value: items };
}

/** An item of a list as one of its types, perhaps from the JSON in a string; undefined if it isn't that. */
function fitItem(item: unknown, types: ReadonlySet<ValueType>): unknown {
  if (types.has(typeOf(item)) || (types.has("number") && typeof item === "number")) return item;
  if (typeof item !== "string") return undefined;
  const read = readValue(item, types);
  return read.isKeptAsText ? undefined : parseJson(read.json);
}

function typeOf(value: unknown): ValueType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "object" ? "object" : typeof value === "boolean" ? "boolean" : "string";
}

function objectIn(text: string): unknown {
  const trimmed = text.trim();
  if (!trimmed.startsWith("{") || !trimmed.endsWith("}")) return undefined;
  const read = readLooseValue(trimmed, 0);
  return read?.end === trimmed.length ? read.value : undefined;
}

/** Whether a value states what a call gave back, next to its arguments: then it tells of a call that was made. */
export function isReport(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isReport);
  if (!isRecord(value)) return false;
  const isResult = (key: string) => RESULTS.has(lastWord(key)) && value[key] !== null;
  const isCall = (key: string) => isArgumentKey(key) || key === "function" || key === "tool_calls";
  return Object.keys(value).some(isResult) && Object.keys(value).some(isCall);
}

/** The calls that a value holds; undefined if a part of it is something else. */
export function callsIn(value: unknown, tools: ToolsByName, depth = 0): FittedCall[] | undefined {
  if (depth > DEPTH_MAXIMUM || isReport(value)) return undefined;
  if (Array.isArray(value)) return callsInList(value, tools, depth);
  if (!isRecord(value)) return undefined;
  const list = value["tool_calls"];
  if (Array.isArray(list)) return callsInList(list, tools, depth);
  const [key, ...others] = Object.keys(value).filter((one) => !isThoughtKey(one));
  if (key !== undefined && others.length === 0) {
    const tool = tools.get(key);
    if (tool === undefined && HOLDERS.has(key) && isRecord(value[key])) {
      return callsIn(value[key], tools, depth + 1);
    }
    const fitted = tool && fitArguments(tool, value[key]);
    if (tool !== undefined) return fitted && [{ tool, arguments: fitted }];
  }
  const { function: inner, ...outer } = value;
  if (isRecord(inner) && typeof inner["name"] === "string") {
    // The arguments can be next to what holds the name.
    const isApart = Object.keys(outer).some(isArgumentKey);
    return isApart ? namedCall({ ...outer, ...inner }, tools) : callsIn(inner, tools, depth + 1);
  }
  const parameters = value["parameters"];
  if (Object.hasOwn(value, "description") && isRecord(parameters) && Object.hasOwn(parameters, "type")) {
    return undefined;
  }
  return namedCall(value, tools);
}

function callsInList(
  values: readonly unknown[],
  tools: ToolsByName,
  depth: number,
): FittedCall[] | undefined {
  const calls: FittedCall[] = [];
  for (const value of values) {
    const found = callsIn(value, tools, depth + 1);
    if (found === undefined) return undefined;
    calls.push(...found);
  }
  return calls.length === 0 ? undefined : calls;
}

/** The one call that an object with a tool's name is, whichever of its keys is taken for the name's. */
function namedCall(value: Readonly<Record<string, unknown>>, tools: ToolsByName): FittedCall[] | undefined {
  const found = new Map<string, FittedCall>();
  for (const key of Object.keys(value)) {
    const name = value[key];
    const tool = NAME_KEYS.has(key) && typeof name === "string" ? tools.get(plainName(name)) : undefined;
    const fitted = tool && argumentsOf(tool, value, key);
    if (tool && fitted) found.set(tool.name + JSON.stringify(fitted), { tool, arguments: fitted });
  }
  return found.size === 1 ? [...found.values()] : undefined;
}

/** The arguments under a key of their own, or those next to the name. */
function argumentsOf(
  tool: OfferedTool,
  value: Readonly<Record<string, unknown>>,
  nameKey: string,
): Arguments | undefined {
  const others = Object.keys(value).filter((key) => key !== nameKey);
  const holders = others.filter((key) =>
    ARGUMENT_KEYS.has(key) && (value[key] === null || ["object", "string"].includes(typeof value[key]))
  );
  if (holders.length > 1) return undefined;
  const [holder] = holders;
  if (holder !== undefined) {
    const fitted = fitArguments(tool, value[holder] ?? {});
    if (fitted !== undefined) return fitted;
  }
  if (!hasParameters(tool)) return undefined;
  const isOwn = (key: string) => !["type", "id"].includes(key) || declares(tool.schema, key);
  const inline = others.filter((key) => holder !== undefined || isOwn(key));
  return fitArguments(tool, Object.fromEntries(inline.map((key) => [key, value[key]])));
}
