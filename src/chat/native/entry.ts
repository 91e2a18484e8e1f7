/** Reads one piece of an upstream's own call in any form: an element of `tool_calls`, or a `function_call`. @module */
import { isRecord } from "../../engine/object/record.ts";
import { asText } from "../../engine/object/text.ts";

/** The index of a `function_call`; no tool call has it. */
export const FUNCTION_CALL_INDEX: number = -1;

export interface NativeEntry {
  readonly index: number | undefined;
  /** Its id; undefined if it has none or an empty one. */
  readonly id: string | undefined;
  /** The tool's name; undefined if it has none or an empty one. */
  readonly name: string | undefined;
  readonly json: string;
  /** Whether the arguments are text, as they should be, or absent. */
  readonly isText: boolean;
  /** Whether its type is `function`. */
  readonly hasType: boolean;
  /** Whether every client can read its form. */
  readonly isUsual: boolean;
  readonly extra: Readonly<Record<string, unknown>> | undefined;
}

const KNOWN: ReadonlySet<string> = new Set(["index", "id", "type", "function", "name", "arguments"]);

export function readEntry(value: unknown): NativeEntry | undefined {
  if (!isRecord(value)) return undefined;
  const called = isRecord(value.function) ? value.function : value;
  const given = called.arguments ?? "";
  const others = Object.entries(value).filter(([field]) => !KNOWN.has(field));
  return {
    index: isPlace(value.index) ? value.index : undefined,
    id: filled(value.id),
    name: filled(called.name),
    json: asText(given),
    isText: typeof given === "string",
    hasType: value.type === "function",
    isUsual: isUsual(value),
    extra: others.length === 0 ? undefined : Object.fromEntries(others),
  };
}

export function readFunctionCall(value: unknown): NativeEntry | undefined {
  if (!isRecord(value)) return undefined;
  const { name, arguments: given } = value;
  const entry = readEntry({ index: 0, type: "function", function: { name, arguments: given } });
  return entry && { ...entry, index: FUNCTION_CALL_INDEX };
}

function isUsual(entry: Readonly<Record<string, unknown>>): boolean {
  const { index, id, type, function: called } = entry;
  if (!isPlace(index) || !isTextOrNull(id) || id === "" || !isTextOrNull(type)) return false;
  if (called == null) return entry.name === undefined && entry.arguments === undefined;
  if (!isRecord(called)) return false;
  const { name, arguments: json } = called;
  return (name === undefined || typeof name === "string") && name !== "" && isTextOrNull(json) &&
    (json?.isWellFormed() ?? true);
}

/** Whether a number is one by which clients place a call. */
function isPlace(index: unknown): index is number {
  return typeof index === "number" && Number.isSafeInteger(index) && index >= 0;
}

function isTextOrNull(value: unknown): value is string | null | undefined {
  return value == null || typeof value === "string";
}

function filled(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
