/**
 * What a tool's JSON Schema states about one parameter, as far as reading a value that came as text needs it. The
 * schema comes out of a request: it is read with care and never trusted to be one.
 *
 * @module
 */
import { own } from "../object/own.ts";
import { isRecord } from "../object/record.ts";
import type { JsonSchema } from "./offered.ts";

/** A JSON type that a value may have. */
export type ValueType = "string" | "integer" | "number" | "boolean" | "object" | "array" | "null";

/** Every type. */
export const VALUE_TYPES: readonly ValueType[] = [
  "string",
  "integer",
  "number",
  "boolean",
  "object",
  "array",
  "null",
];

/** What tools out in the world write for JSON Schema's names, besides writing them in capitals. */
export const OTHER_NAMES: Readonly<Record<string, ValueType>> = {
  str: "string",
  int: "integer",
  float: "number",
  double: "number",
  bool: "boolean",
  dict: "object",
  list: "array",
  tuple: "array",
  none: "null",
};

/** Schemas nest no deeper than this before a type; a cycle of references ends here. */
const DEPTH_MAXIMUM = 16;

type SchemaObject = Readonly<Record<string, unknown>>;

/** The schema of one parameter, or undefined if the tool's schema does not declare it. */
export function parameterSchema(schema: JsonSchema | undefined, key: string): JsonSchema | undefined {
  for (const part of parts(schema, schema)) {
    const properties = part["properties"];
    if (isRecord(properties) && Object.hasOwn(properties, key)) {
      const found = properties[key];
      if (isRecord(found) || typeof found === "boolean") return found;
      return true;
    }
  }
  return undefined;
}

/** The schema of a list's elements, or undefined if the schema does not say. */
export function itemSchema(schema: JsonSchema | undefined): JsonSchema | undefined {
  for (const part of parts(schema, schema)) {
    const items = part["items"];
    if (isRecord(items) || typeof items === "boolean") return items;
  }
  return undefined;
}

/** Whether a key is a parameter of the tool; with no schema every key may be one. */
export function declares(schema: JsonSchema | undefined, key: string): boolean {
  return schema === undefined || parameterSchema(schema, key) !== undefined;
}

/** Whether a key is a parameter that may be any text; false where the schema does not declare it. */
export function takesText(schema: JsonSchema | undefined, key: string): boolean {
  const declared = parameterSchema(schema, key);
  if (declared === undefined) return false;
  const types = allowedTypes(declared, schema);
  return types.size === 0 || types.has("string");
}

/** Whether a text is one of the values that a schema lists, and no longer one begins with it. */
export function isMember(text: string, schema: JsonSchema | undefined): boolean {
  const values = parts(schema, schema).flatMap((part) => Array.isArray(part["enum"]) ? part["enum"] : []);
  return values.includes(text) &&
    !values.some((value) => typeof value === "string" && value !== text && value.startsWith(text));
}

/** The names of the parameters that a call must have. */
export function requiredParameters(schema: JsonSchema | undefined): string[] {
  const names = parts(schema, schema, false).flatMap((part) => {
    const required = part["required"];
    return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  });
  return [...new Set(names)];
}

/** The types that a schema allows; empty if it does not say. */
export function allowedTypes(
  schema: JsonSchema | undefined,
  root: JsonSchema | undefined,
): ReadonlySet<ValueType> {
  return new Set(typesOf(schema, root, 0));
}

function typesOf(schema: unknown, root: JsonSchema | undefined, depth: number): ValueType[] {
  if (!isRecord(schema) || depth > DEPTH_MAXIMUM) return [];
  const target = follow(schema, root);
  if (target !== schema) return typesOf(target, root, depth + 1);
  const nullable: ValueType[] = schema["nullable"] === true ? ["null"] : [];
  const own = ownTypes(schema);
  if (own.length > 0) return [...own, ...nullable];
  for (const word of ["anyOf", "oneOf"]) {
    const branches = schema[word];
    if (!Array.isArray(branches)) continue;
    const found = branches.flatMap((branch) => typesOf(branch, root, depth + 1));
    if (found.length > 0) return [...found, ...nullable];
  }
  const all = schema["allOf"];
  if (Array.isArray(all)) {
    const branches = all.map((branch) => typesOf(branch, root, depth + 1)).filter((types) =>
      types.length > 0
    );
    const common = branches[0]?.filter((type) => branches.every((types) => types.includes(type)));
    if (common) return [...common, ...nullable];
  }
  return impliedTypes(schema, nullable);
}

function ownTypes(schema: SchemaObject): ValueType[] {
  const type = schema["type"];
  const words = (Array.isArray(type) ? type : [type]).filter((word) => typeof word === "string")
    .map((word) => word.toLowerCase());
  const names = words.map((word) => own(OTHER_NAMES, word) ?? word);
  return VALUE_TYPES.filter((known) => names.includes(known));
}

/** A schema without a type may still show it: by its values or by the words it uses. */
function impliedTypes(schema: SchemaObject, nullable: ValueType[]): ValueType[] {
  const values = Array.isArray(schema["enum"]) ? schema["enum"] : "const" in schema ? [schema["const"]] : [];
  if (values.length > 0) return [...new Set(values.map(typeOfValue)), ...nullable];
  if ("properties" in schema || "additionalProperties" in schema) return ["object", ...nullable];
  if ("items" in schema || "prefixItems" in schema) return ["array", ...nullable];
  return [];
}

function typeOfValue(value: unknown): ValueType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "boolean" || typeof value === "object" ? typeof value as ValueType : "string";
}

/** A schema and, level by level, the schemas that it is put together from. */
function parts(schema: unknown, root: JsonSchema | undefined, branches = true, depth = 0): SchemaObject[] {
  if (!isRecord(schema) || depth > DEPTH_MAXIMUM) return [];
  const target = follow(schema, root);
  if (target !== schema) return parts(target, root, branches, depth + 1);
  const words = branches ? ["allOf", "anyOf", "oneOf"] : ["allOf"];
  const lists = words.map((word) => schema[word]).filter((list) => Array.isArray(list));
  return [schema, ...lists.flat().flatMap((part) => parts(part, root, branches, depth + 1))];
}

/** What `$ref` points to inside the same schema; the schema itself if it points nowhere. */
function follow(schema: SchemaObject, root: JsonSchema | undefined): unknown {
  const reference = schema["$ref"];
  if (typeof reference !== "string" || !reference.startsWith("#")) return schema;
  let target: unknown = root;
  for (const step of reference.slice(1).split("/").slice(1)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isRecord(target) || !Object.hasOwn(target, name)) return schema;
    target = target[name];
  }
  return target ?? schema;
}
