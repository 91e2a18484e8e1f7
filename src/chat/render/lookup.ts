/**
 * Finds a value in a call's arguments by the names that a client's file gives a parameter: `path`, `args.file.path`
 * in an object or the JSON text of one, `files[]` for a list only, `.` for the arguments as a whole.
 *
 * @module
 */
import { plainName } from "../client/form.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/** The first value that is there under one of these names, as a client's file has them. */
export function findArgument(
  given: JsonObject,
  names: readonly string[],
): { name: string; value: unknown } | undefined {
  for (const name of names) {
    const value = name === "." ? given : valueAt(given, plainName(name));
    if (value === undefined || value === null) continue;
    if (!name.endsWith("[]")) return { name, value };
    const structure = structureOf(value);
    if (structure !== undefined) return { name, value: structure };
  }
  return undefined;
}

function valueAt(given: JsonObject, path: string): unknown {
  let value: unknown = given;
  for (const key of path.split(".")) {
    const structure = structureOf(value);
    // A list of one entry is that entry: `{"file": [{"path": "a.ts"}]}`.
    const object = Array.isArray(structure) && structure.length === 1 ? structure[0] : structure;
    if (!isRecord(object) || !Object.hasOwn(object, key)) return undefined;
    value = object[key];
  }
  return value;
}

/** A list or an object, also as JSON text; undefined: the value is plain. */
export function structureOf(value: unknown): unknown {
  if (typeof value === "object" && value !== null) return value;
  if (typeof value !== "string" || !["{", "["].includes(value.trimStart()[0] ?? "")) return undefined;
  const parsed = parseJson(value);
  return typeof parsed === "object" && parsed !== null ? parsed : undefined;
}
