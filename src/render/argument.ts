/**
 * A call's arguments become the values that the client's parameters take: found under the names that models use,
 * defaults filled in, counts computed. In: a JSON object and the form of a tool. Out: values, or why there can be
 * no call. It never invents a value that the client's file does not name, and never changes a text.
 *
 * @module
 */
import { lookupNames } from "../client/form.ts";
import type { Parameter, ToolForm } from "../client/schema.ts";
import type { Reason } from "../event/reason.ts";
import { isRecord } from "../object/record.ts";

/** One value, not yet written in the client's notation. */
export type Value =
  | { readonly kind: "text"; readonly text: string }
  /** A text that the model has already written in the client's notation. */
  | { readonly kind: "written"; readonly text: string }
  | { readonly kind: "list"; readonly entries: readonly Entry[] };

/** One entry of a list: its values, or the client's notation as it is. */
export type Entry = { readonly values: Values } | { readonly written: string };

/** Parameter → value, in the order of the client's file; a parameter without a value is not in it. */
export type Values = ReadonlyMap<string, Value>;

/** Why a call cannot be made. */
export interface Refusal {
  /** The reason code. */
  readonly reason: Reason;
  /** One short phrase, without contents of the answer. */
  readonly detail: string;
}

/** The arguments as the client takes them. */
export interface MappedArguments {
  /** What the call is written from. */
  readonly values: Values;
  /** Whether every value came as the client itself takes it: under its own name, no required one filled in. */
  readonly isOwnForm: boolean;
  /** Names of arguments that no parameter takes. */
  readonly leftOut: readonly string[];
}

/** What is known of the call beside its arguments. */
export interface ArgumentContext {
  /** The parameters that the tool takes in this request. */
  readonly form: ToolForm;
  /** Names that the request's own prompt gives the tool's parameters. */
  readonly documented: ReadonlySet<string>;
}

/** An object of a parsed JSON text. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The values of a call.
 *
 * @param given the call's arguments
 * @param context the tool's form and the names that the prompt documents
 * @returns the values, or the refusal of the first parameter that is missing or cannot be read
 */
export function mapArguments(given: JsonObject, context: ArgumentContext): MappedArguments | Refusal {
  const { parameters } = context.form;
  const mapped = mapParameters(given, { parameters, documented: context.documented });
  if ("reason" in mapped) return mapped;
  const known = knownNames(parameters);
  return { ...mapped, leftOut: Object.keys(given).filter((name) => !known.has(name)) };
}

interface ParameterContext {
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly documented: ReadonlySet<string>;
}

function mapParameters(
  given: JsonObject,
  { parameters, documented }: ParameterContext,
): Omit<MappedArguments, "leftOut"> | Refusal {
  const values = new Map<string, Value>();
  let isOwnForm = true;
  for (const [name, parameter] of Object.entries(parameters)) {
    if (parameter.only_if_documented && !documented.has(name)) continue;
    if (parameter.lines_of !== undefined) {
      const counted = values.get(parameter.lines_of);
      if (counted?.kind === "text") {
        values.set(name, { kind: "text", text: String(countLines(counted.text)) });
      }
      continue;
    }
    const found = findArgument(given, lookupNames(name, parameter));
    if (found === undefined ? parameter.required : isAlias(found.name, { name, parameter })) {
      isOwnForm = false;
    }
    const read = readValue(found?.value ?? parameter.default, { name, parameter, documented });
    if (read !== undefined && "reason" in read) return read;
    if (read !== undefined) values.set(name, read);
    else if (parameter.required) return { reason: "missing_required", detail: `parameter ${name}` };
  }
  return { values, isOwnForm };
}

/** Whether the client itself would not know the name; names with a dot are its own nested elements. */
function isAlias(found: string, { name, parameter }: { name: string; parameter: Parameter }): boolean {
  return found !== name && parameter.type !== "list" && !found.includes(".");
}

function findArgument(
  given: JsonObject,
  names: readonly string[],
): { name: string; value: unknown } | undefined {
  for (const name of names) {
    const value = name === "." ? given : valueAt(given, name);
    if (value !== undefined && value !== null) return { name, value };
  }
  return undefined;
}

function valueAt(given: JsonObject, path: string): unknown {
  let value: unknown = given;
  for (const key of path.split(".")) {
    if (!isRecord(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

interface ValueContext {
  readonly name: string;
  readonly parameter: Parameter;
  readonly documented: ReadonlySet<string>;
}

function readValue(value: unknown, context: ValueContext): Value | Refusal | undefined {
  const { name, parameter } = context;
  if (value === undefined || value === null) return undefined;
  if (parameter.type === "list") return readList(value, context);
  if (parameter.type === "object") return readObject(value, name);
  const text = plainText(value, parameter.join);
  return text === undefined ? notReadable(name) : { kind: "text", text };
}

/** A plain value as text; of a list of plain values their texts, where the parameter joins them. */
function plainText(value: unknown, join: string | undefined): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (join === undefined || !Array.isArray(value)) return undefined;
  const texts = value.map((entry) => plainText(entry, undefined));
  return texts.every((text) => text !== undefined) ? texts.join(join) : undefined;
}

function readObject(value: unknown, name: string): Value | Refusal {
  const object = typeof value === "string" ? parseJson(value) : value;
  return isRecord(object) ? { kind: "text", text: JSON.stringify(object) } : notReadable(name);
}

function readList(value: unknown, context: ValueContext): Value | Refusal | undefined {
  const { parameter, name } = context;
  if (isWritten(value, parameter)) return { kind: "written", text: value };
  const parsed = typeof value === "string" ? parseJson(value) : value;
  const list = Array.isArray(parsed) ? parsed : [isRecord(parsed) ? parsed : value];
  const entries: Entry[] = [];
  for (const entry of list) {
    if (isWritten(entry, parameter)) {
      entries.push({ written: entry });
      continue;
    }
    const [first = name] = Object.keys(parameter.each);
    const mapped = mapParameters(isRecord(entry) ? entry : { [first]: entry }, {
      parameters: parameter.each,
      documented: context.documented,
    });
    if ("reason" in mapped) return mapped;
    if (mapped.values.size === 0) return notReadable(name);
    entries.push({ values: mapped.values });
  }
  if (entries.length === 0) return undefined;
  if (parameter.max !== undefined && entries.length > parameter.max) {
    return { reason: "unwritable", detail: `parameter ${name} takes ${parameter.max} and was given more` };
  }
  return { kind: "list", entries };
}

function isWritten(value: unknown, { as_written }: Parameter): value is string {
  return as_written !== undefined && typeof value === "string" && value.trimStart().startsWith(as_written);
}

function notReadable(name: string): Refusal {
  return { reason: "invalid_arguments", detail: `parameter ${name} has a value of another type` };
}

/** The first keys of every name that some parameter answers to. */
function knownNames(parameters: Readonly<Record<string, Parameter>>): Set<string> {
  const known = new Set<string>();
  for (const [name, parameter] of Object.entries(parameters)) {
    known.add(name);
    for (const from of lookupNames(name, parameter)) {
      if (from !== ".") known.add(from.split(".", 1)[0] ?? from);
      else for (const inner of knownNames(parameter.each)) known.add(inner);
    }
  }
  return known;
}

function countLines(text: string): number {
  return text.split("\n").length;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
