/**
 * Writes the arguments of a call in the notation of a dialect: as JSON, as Python literals, raw, between marks, or as
 * elements of their own.
 *
 *     {"path": "a", "on": true}        JSON
 *     path="a", on=True                Python literals as items
 *     {path:<|"|>a<|"|>,on:true}       strings between marks
 *     <path>a</path><on>true</on>      raw items
 *
 * @module
 */
import { isSpelledNumber } from "../message/number_spelling.ts";
import { isRecord } from "../../engine/object/record.ts";
import { fill } from "../../engine/rule/placeholder.ts";
import type { Notation } from "../../engine/rule/speech.ts";
import type { Speak } from "../../engine/rule/speak_schema.ts";
import type { Escapes } from "../../engine/scan/compiled_rule.ts";
import { writeJson } from "./json_text.ts";

export type Arguments = Readonly<Record<string, unknown>>;

const ENTRY_KEY = "item";

/** The arguments as one object, for `{arguments}`. */
export function writeArguments(all: Arguments, notation: Notation): string {
  return notation.speak.values === "marked" ? marked(all, markOf(notation)) : writeJson(all, "spaced");
}

export function itemForms({ item = "{value}" }: Speak): readonly string[] {
  return [item].flat();
}

/** Every argument as an item, for `{items}`, in one of the forms. */
export function writeItems(all: Arguments, notation: Notation, form = 0): string {
  return itemsOf(Object.entries(all), { ...notation, item: itemForms(notation.speak)[form]! });
}

type ItemNotation = Notation & { readonly item: string };

function itemsOf(entries: readonly (readonly [string, unknown])[], notation: ItemNotation): string {
  const { item, speak: { between_items: between } } = notation;
  return entries.map(([key, value]) =>
    fill(item, {
      key: escaped(key, notation.name_escapes),
      value: writeValue(value, notation),
      type: typeName(value),
      is_string: String(typeof value === "string"),
    })
  ).join(between);
}

export function writeName(name: string, { name_escapes: escapes }: Notation): string {
  return escaped(name, escapes);
}

function writeValue(value: unknown, notation: ItemNotation): string {
  const { speak, tagged: { escapes } } = notation;
  switch (speak.values) {
    case "json":
      return writeJson(value, "spaced");
    case "python":
      return python(value);
    case "marked":
      return marked(value, markOf(notation));
    case "elements":
      if (Array.isArray(value)) return itemsOf(value.map((entry) => [ENTRY_KEY, entry]), notation);
      return isObject(value) ? itemsOf(Object.entries(value), notation) : raw(value, escapes);
    default:
      return raw(value, escapes);
  }
}

function raw(value: unknown, escapes: Escapes): string {
  return typeof value === "string" ? escaped(value, escapes) : writeJson(value, "spaced");
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string, escapes: Escapes): string {
  if (escapes === "entities") return text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);
  return escapes === "backslash" ? JSON.stringify(text).slice(1, -1) : text;
}

/** A literal that Python and JSON's strings share. */
function python(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{${
    Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${python(one)}`).join(", ")
  }}`;
}

const BARE_KEY = /^[A-Za-z_]\w*$/;

function markOf({ body, json, envelope }: Notation): string {
  return (body === "json" ? json : envelope).string_mark ?? '"';
}

/** Strings between marks and bare keys; a string that contains the mark is a JSON string. */
function marked(value: unknown, mark: string): string {
  if (typeof value === "string") {
    return value.includes(mark) ? JSON.stringify(value) : `${mark}${value}${mark}`;
  }
  if (Array.isArray(value)) return `[${value.map((entry) => marked(entry, mark)).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, one]) =>
    `${BARE_KEY.test(key) ? key : JSON.stringify(key)}:${marked(one, mark)}`
  );
  return `{${entries.join(",")}}`;
}

/** Whether a value is an object and not a number with its spelling. */
function isObject(value: unknown): value is Arguments {
  return isRecord(value) && !isSpelledNumber(value);
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return isSpelledNumber(value) ? "number" : typeof value;
}
