/**
 * Writes calls as a `response_template` reads them, so that a rule can be derived from the texts and proved by others.
 *
 *     open_pattern \s*<tool_call>\s*<function=(?P<name>[^>\n]+)>   ─▶   <tool_call>\n<function=read_file>
 *
 * @module
 */
import { isSpace, type Node } from "../../engine/pattern/node.ts";
import { parsePattern } from "../../engine/pattern/parse.ts";
import { splitPattern } from "../../engine/pattern/split.ts";
import { isRecord } from "../../engine/object/record.ts";
import { asText } from "../../engine/object/text.ts";
import type { Delimiter, ResponseField } from "./response_template.ts";
import type { Sample, SampleCall } from "./sample.ts";

interface SampleWriter {
  /** The text of the calls; undefined if the template can't hold this many. */
  write(calls: readonly SampleCall[], style: SampleStyle): Sample | undefined;
}

export interface SampleStyle {
  /** The whitespace where any can be: "" or a line break. */
  readonly gap: string;
  /** Whether strings are between the template's own marks. */
  readonly isMarked: boolean;
}

/** The most repetitions of a part that are written. */
const REPEAT_MAXIMUM = 64;

/** A writer of the calls that a field reads; the reason if there can't be one. */
export function sampleWriter(field: ResponseField): SampleWriter | string {
  const { open, close, repeats, transformEach: isList } = field;
  const opener = open && readMark(open, "open");
  const closer = close && readMark(close, "close");
  if (typeof opener === "string") return opener;
  if (typeof closer === "string") return closer;
  const body = bodyWriter(field);
  if (typeof body === "string") return body;
  return {
    write(calls, style) {
      const { gap } = style;
      const isOne = isList || calls.length === 1;
      if (!isOne && (!repeats || closer === undefined)) return undefined;
      const regions = isList ? [calls] : calls.map((call) => [call]);
      const texts = regions.map((group) => {
        const [first] = group;
        const groups = { name: first?.tool ?? "" };
        return (writeNode(opener!, { gap, groups }).trimStart() + gap + body(group, style) + gap +
          (closer === undefined ? "" : writeNode(closer, { gap, groups }).trim())).trimEnd();
      });
      return { text: texts.join(gap), calls, ids: [] };
    },
  };
}

/** The regular expression of a mark, as the engine reads patterns. */
function readMark(mark: Delimiter, key: string): Node | string {
  const [literal] = "literals" in mark ? mark.literals : [];
  const source = literal === undefined && "pattern" in mark
    ? fromPython(mark.pattern)
    : escape(literal ?? "");
  const { node, problems: [problem] } = parsePattern(source);
  return node ?? `\`${key}\` can't be read: ${problem?.message ?? "it is not a pattern"}`;
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** The syntax of named groups and of the end differs. */
function fromPython(pattern: string): string {
  return pattern.replaceAll("(?P<", "(?<").replace(/\(\?P=(\w+)\)/g, "\\k<$1>").replaceAll("\\Z", "$")
    .replaceAll("(?m:^)", "");
}

/** Writes a text that a pattern matches: required parts, whitespace where any can be, and the texts of groups. */
function writeNode(
  node: Node,
  around: { readonly gap: string; readonly groups: Readonly<Record<string, string>> },
): string {
  switch (node.type) {
    case "characters": {
      const [range] = node.ranges;
      return String.fromCharCode(pickUnit(node.ranges, range?.[0] ?? 0));
    }
    case "sequence": {
      const end = node.items.findIndex(({ type }) => type === "mark");
      return node.items.slice(0, end < 0 ? undefined : end).map((item) => writeNode(item, around)).join("");
    }
    case "choice":
      return node.items[0] === undefined ? "" : writeNode(node.items[0], around);
    case "repeat":
      if (node.item.type === "characters" && isSpaceOnly(node.item.ranges)) {
        return node.minimum === 0 ? around.gap : around.gap || " ";
      }
      return writeNode(node.item, around).repeat(Math.min(node.minimum, REPEAT_MAXIMUM));
    case "group":
      return around.groups[node.name] ?? writeNode(node.item, around);
    case "reference":
      return around.groups[node.name] ?? "";
    default:
      return "";
  }
}

function pickUnit(ranges: readonly (readonly [number, number])[], otherwise: number): number {
  const letter = "a".charCodeAt(0);
  return ranges.some(([from, to]) => from <= letter && letter <= to) && ranges.length > 1
    ? letter
    : otherwise;
}

function isSpaceOnly(ranges: readonly (readonly [number, number])[]): boolean {
  return ranges.every(([from, to]) => isSpace(from) && isSpace(to));
}

type WriteBody = (calls: readonly SampleCall[], style: SampleStyle) => string;

/** Writes the content of a region. */
function bodyWriter(field: ResponseField): WriteBody | string {
  const { content, contentArgs } = field;
  if (content === "json") return jsonWriter(field);
  if (content === "kv-lines") {
    return "The values end at line breaks (`kv-lines`), so the end of a multi-line value is unknown";
  }
  const place = placesOf(field);
  if (place.name !== "name" || place.arguments !== "content") {
    return "The transform doesn't take the name from `open_pattern` and all arguments from the content";
  }
  if (contentArgs["value_parser"] !== undefined) {
    return "The template parses each value again (`value_parser`), but a rule parses values according to the tool's schema";
  }
  return tagsWriter(contentArgs);
}

function tagsWriter({ tag_pattern: pattern }: ResponseField["contentArgs"]): WriteBody | string {
  if (typeof pattern !== "string") return "`xml-inline` has no `tag_pattern`";
  const item = splitPattern(fromPython(pattern).replace(VALUE_GROUP, "(?<value>…)"), "value");
  const { split, problems: [problem] } = item;
  if (split === undefined) return `\`tag_pattern\` can't be read: ${problem?.message ?? "it has no value"}`;
  return ([call], { gap }) =>
    Object.entries(call?.arguments ?? {}).map(([key, value]) => {
      const around = { gap, groups: { key } };
      return writeNode(split.opener, around) + asText(value) + writeNode(split.closer, around);
    }).join(gap);
}

const VALUE_GROUP = /\(\?<value>(?:[^()\\]|\\.)*\)/;

/** Where a transform takes name and arguments from: the path of a placeholder. */
interface Places {
  readonly name: string | undefined;
  readonly arguments: string | undefined;
}

/** The places in OpenAI's form of a call, or in one without `function` around it. */
function placesOf({ transform }: ResponseField): Places {
  const shape = isRecord(transform) ? transform["function"] ?? transform : transform;
  const whole = pathOf(shape);
  if (whole !== undefined) return { name: `${whole}.name`, arguments: `${whole}.arguments` };
  const { name, arguments: given } = isRecord(shape) ? shape : {};
  return { name: pathOf(name), arguments: pathOf(given) };
}

function pathOf(text: unknown): string | undefined {
  return typeof text === "string" ? /^\{(\w+(?:\.\w+)*)\}$/.exec(text)?.[1] : undefined;
}

function jsonWriter(field: ResponseField): WriteBody | string {
  const { contentArgs, transform, transformEach: isList } = field;
  const places: Places = transform === undefined || transform === null
    ? { name: "content.function.name", arguments: "content.function.arguments" }
    : placesOf(field);
  if (places.name === undefined || places.arguments === undefined) {
    return "The transform doesn't show where the name and the arguments of a call are";
  }
  const isNamedAhead = places.name === "name" && !isList;
  const path = (text: string) => {
    const steps = text.split(".");
    return isList ? steps : steps.slice(1);
  };
  const marks = stringMarks(contentArgs);
  if (typeof marks === "string") return marks;
  return (calls, { isMarked }) => {
    const objects = calls.map(({ tool, arguments: given }) => {
      const inner = path(places.arguments!);
      const value = inner.length === 0 ? given : put({}, inner, given);
      return isNamedAhead ? value : put({}, path(places.name!), tool, value);
    });
    const value = isList ? objects : objects[0];
    return isMarked && marks !== undefined ? markedJson(value, marks) : spacedJson(value);
  };
}

/** An object with a value at a path, the name first. */
function put(
  object: Record<string, unknown>,
  path: readonly string[],
  value: unknown,
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const [key = "", ...rest] = path;
  const others = { ...object, ...more };
  const inside = isRecord(others[key]) ? others[key] : {};
  const own = rest.length === 0 ? value : put({}, rest, value, inside as Record<string, unknown>);
  return { [key]: own, ...Object.fromEntries(Object.entries(others).filter(([name]) => name !== key)) };
}

/** The marks around strings; undefined if there are only quotes. */
function stringMarks(
  { string_delims: given }: ResponseField["contentArgs"],
): string | undefined | readonly [string] {
  if (!Array.isArray(given) || given.length === 0) return undefined;
  const [pair] = given;
  const [open, close] = Array.isArray(pair) ? pair : [];
  return typeof open === "string" && open === close
    ? [open]
    : "Strings open and close with different delimiters (`string_delims`), but a rule has one delimiter for both";
}

/** The mark around strings in a field's JSON, if it has one. */
export function stringMarkOf({ contentArgs }: ResponseField): string | undefined {
  const marks = stringMarks(contentArgs);
  return typeof marks === "string" ? undefined : marks?.[0];
}

function spacedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(", ")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  return `{${
    Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${spacedJson(one)}`).join(", ")
  }}`;
}

/** JSON with bare keys and marks around strings. */
function markedJson(value: unknown, marks: readonly [string]): string {
  const [mark] = marks;
  if (typeof value === "string") return mark + value + mark;
  if (Array.isArray(value)) return `[${value.map((one) => markedJson(one, marks)).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  return `{${Object.entries(value).map(([key, one]) => `${key}:${markedJson(one, marks)}`).join(",")}}`;
}
