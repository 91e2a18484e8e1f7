/**
 * A call's arguments become the values that the client's parameters take: found under the names that models use,
 * defaults filled in, counts computed, lists joined. It never invents a value that the client's file does not name, and
 * changes a text only where the file asks for a list of its lines.
 *
 * @module
 */
import { lookupNames, placeholders, plainName } from "../client/form.ts";
import type { Parameter, ToolForm } from "../client/schema.ts";
import type { Reason } from "../../engine/event/reason.ts";
import { isRecord } from "../../engine/object/record.ts";
import { decodeCommand } from "./command_entities.ts";
import { findArgument, type JsonObject, structureOf } from "./lookup.ts";
import { parseJson } from "../../engine/object/parse.ts";

export type Value =
  | { readonly kind: "text"; readonly text: string }
  /** A text that the model has already written in the client's notation. */
  | { readonly kind: "written"; readonly text: string }
  | { readonly kind: "list"; readonly entries: readonly Entry[] };

/** One entry of a list: its values, or the client's notation as it is. */
export type Entry = { readonly values: Values } | { readonly written: string };

/** Parameter → value, in the order of the client's file; a parameter without a value is not in it. */
export type Values = ReadonlyMap<string, Value>;

export interface Refusal {
  readonly reason: Reason;
  /** One short phrase, without contents of the answer. */
  readonly detail: string;
}

export interface MappedArguments {
  readonly values: Values;
  /** Whether every value came as the client itself takes it: under its own name, no required one filled in. */
  readonly isOwnForm: boolean;
  /** Parameters whose entities were decoded. */
  readonly decoded: readonly string[];
  /** Names of arguments that no parameter takes. */
  readonly leftOut: readonly string[];
}

/** What is known of the call besides its arguments. */
export interface ArgumentContext {
  readonly form: ToolForm;
  /** Names that the request's own prompt gives the tool's parameters. */
  readonly documented: ReadonlySet<string>;
}

/** The values of a call, or the refusal of the first parameter that is missing or can't be read. */
export function mapArguments(given: JsonObject, context: ArgumentContext): MappedArguments | Refusal {
  const { parameters } = context.form;
  const mapped = mapParameters(given, { parameters, documented: context.documented });
  if ("reason" in mapped) return mapped;
  const known = knownNames(parameters);
  return { ...mapped, leftOut: Object.keys(given).filter((name) => !known.has(name)) };
}

/** The required parameters for which a call has no value under any of their names. */
export function missingParameters(given: JsonObject, { form, documented }: ArgumentContext): string[] {
  return Object.entries(form.parameters).filter(([name, parameter]) => {
    if (!parameter.required || parameter.default !== undefined) return false;
    if (parameter.only_if_documented && !documented.has(name)) return false;
    const found = findArgument(given, lookupNames(name, parameter));
    if (found?.name !== ".") return found === undefined;
    return missingParameters(given, { form: { parameters: parameter.each }, documented }).length > 0;
  }).map(([name]) => name);
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
  const decoded: string[] = [];
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
    if (found === undefined ? parameter.required : !isOwn(found, { name, parameter })) isOwnForm = false;
    const read = readValue(found?.value ?? parameter.default, { name, parameter, documented });
    if (read !== undefined && "reason" in read) return read;
    if (read?.kind === "text" && parameter.shell) {
      const text = decodeCommand(read.text);
      values.set(name, { kind: "text", text });
      if (text === read.text) continue;
      decoded.push(name);
      // A client that decodes the value reads the model's own text as well.
      if (parameter.escape !== "entities") isOwnForm = false;
    } else if (read !== undefined) values.set(name, read);
    else if (parameter.required) return { reason: "missing_required", detail: `parameter ${name}` };
  }
  return { values, isOwnForm, decoded };
}

/** Whether the client itself knows the name and takes the value; names with a dot are its own nested elements. */
function isOwn(
  found: { readonly name: string; readonly value: unknown },
  { name, parameter }: { name: string; parameter: Parameter },
): boolean {
  if (parameter.type === "list") return true;
  if (parameter.lines && linesOf(found.value, parameter) !== undefined) return false;
  if (parameter.type !== "object" && structureOf(found.value) === found.value) return false;
  return found.name === name || found.name.includes(".");
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
  const text = joinedText(value, context) ?? plainText(value);
  if (text === undefined) return notReadable(name);
  const written = writtenAs(text, parameter);
  return written === undefined ? undefined : { kind: "text", text: written };
}

function plainText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

/** A list as one text, where the parameter joins its entries; so is one entry that is an object. */
function joinedText(value: unknown, context: ValueContext): string | undefined {
  const { parameter } = context;
  const { join, each } = parameter;
  if (join === undefined) return undefined;
  const lines = parameter.lines ? linesOf(value, parameter) : undefined;
  if (lines !== undefined) return joinedText(lines, context);
  const isEntry = isRecord(value) && Object.keys(each).length > 0;
  const entries: readonly unknown[] | undefined = isEntry
    ? [value]
    : Array.isArray(value)
    ? value
    : undefined;
  const texts = entries?.map((entry) => {
    const text = entryText(entry, context);
    return parameter.lines ? text && onOneLine(text) : text;
  });
  return texts?.every((text) => text !== undefined) ? texts.join(join) : undefined;
}

/** The entries of a text that should be a list: those of its JSON, or its lines. Undefined: it is written already. */
function linesOf(value: unknown, parameter: Parameter): readonly unknown[] | undefined {
  if (typeof value !== "string") return undefined;
  const structure = structureOf(value);
  if (structure !== undefined) return Array.isArray(structure) ? structure : [structure];
  const lines = value.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  if (lines.every((line) => isWritten(line, parameter))) return undefined;
  return isWritten(lines[0], parameter) ? joinContinuations(lines, parameter) : lines;
}

/** Lines of a list that is written already, each with the lines after it that have no mark of their own. */
function joinContinuations(lines: readonly string[], parameter: Parameter): string[] {
  const entries: string[] = [];
  for (const line of lines) {
    const isOwn = isWritten(line, parameter) || withoutBullet(line) !== line;
    if (isOwn) entries.push(line);
    else entries.push(`${entries.pop()} ${line}`);
  }
  return entries;
}

/** An entry of a list of lines: the client takes a second line for another entry, or drops it. */
function onOneLine(text: string): string {
  return text.split("\n").map((line) => line.trim()).filter((line) => line !== "").join(" ");
}

/** A line of a list without what marks it as one: `- `, `* `, `1. `. */
function withoutBullet(line: string): string {
  const space = line.indexOf(" ");
  const mark = line.slice(0, Math.max(space, 0));
  const digits = mark.slice(0, -1);
  const isNumber = digits !== "" && [...digits].every((digit) => digit >= "0" && digit <= "9");
  const isMark = ["-", "*", "+", "•"].includes(mark) ||
    (isNumber && (mark.endsWith(".") || mark.endsWith(")")));
  return isMark ? line.slice(space + 1).trimStart() : line;
}

function entryText(entry: unknown, { parameter, documented }: ValueContext): string | undefined {
  const { each, write } = parameter;
  const [first] = Object.keys(each);
  if (first === undefined) return plainText(entry);
  if (isWritten(entry, parameter)) return entry;
  const plain = parameter.lines && typeof entry === "string" ? withoutBullet(entry.trim()) : entry;
  const mapped = mapParameters(isRecord(plain) ? plain : { [first]: plain }, {
    parameters: each,
    documented,
  });
  if ("reason" in mapped) return undefined;
  const textOf = (name: string) => {
    const value = mapped.values.get(name);
    return value?.kind === "text" ? value.text : "";
  };
  if (write === undefined) return textOf(first);
  let text = "";
  let from = 0;
  for (const { name, start, end } of placeholders(write)) {
    text += write.slice(from, start) + textOf(name);
    from = end;
  }
  return text + write.slice(from);
}

/** The text in the client's words; undefined where it has none for it. */
function writtenAs(text: string, { values, default: instead }: Parameter): string | undefined {
  if (Object.keys(values).length === 0) return text;
  const word = text.trim().toLowerCase().replaceAll(" ", "_").replaceAll("-", "_");
  if (Object.hasOwn(values, word)) return values[word];
  return instead === undefined ? undefined : String(instead);
}

function readObject(value: unknown, name: string): Value | Refusal {
  const object = typeof value === "string" ? parseJson(value) : value;
  return isRecord(object) ? { kind: "text", text: JSON.stringify(object) } : notReadable(name);
}

function readList(value: unknown, context: ValueContext): Value | Refusal | undefined {
  const { parameter, name } = context;
  if (isWritten(value, parameter)) return { kind: "written", text: value };
  const parsed = typeof value === "string" ? parseJson(value) : value;
  const list = (Array.isArray(parsed) ? parsed : [isRecord(parsed) ? parsed : value])
    .flatMap((entry) => spread(entry, parameter));
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
    return {
      reason: "unwritable",
      detail: `parameter ${name} accepts ${parameter.max} entries and got more`,
    };
  }
  return { kind: "list", entries };
}

/** One entry for each value of a list in an entry: `{path, diff: [a, b]}` as `{path, diff: a}`, `{path, diff: b}`. */
function spread(entry: unknown, parameter: Parameter): unknown[] {
  if (!isRecord(entry)) return [entry];
  for (const name of parameter.spread) {
    const values = Object.hasOwn(entry, name) ? structureOf(entry[name]) : undefined;
    if (!Array.isArray(values)) continue;
    const { [name]: _, ...rest } = entry;
    const [own = name] = parameter.spread;
    return values.map((value: unknown) => ({ ...rest, [own]: value }));
  }
  return [entry];
}

function isWritten(value: unknown, { as_written }: Parameter): value is string {
  return typeof value === "string" && as_written.some((text) => value.trimStart().startsWith(text));
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
      if (from !== ".") known.add(plainName(from).split(".", 1)[0] ?? from);
      else for (const inner of knownNames(parameter.each)) known.add(inner);
    }
  }
  return known;
}

function countLines(text: string): number {
  return text.split("\n").length;
}
