/** Describes a field of a schema for diagnostics: its keys, its expected values, its description. @module */
import { present } from "../object/present.ts";
import { isRecord } from "../object/record.ts";

/** A JSON Schema as zod writes it. */
export type Schema = Readonly<Record<string, unknown>>;

/** A path of keys and indexes from the document's root. */
export type Path = readonly (string | number)[];

interface Field {
  /** What the field takes, as a phrase: `a list of strings`. */
  readonly expected: string;
  readonly description?: string;
  readonly keys: readonly string[];
  /** The allowed values, if the list is closed. */
  readonly values: readonly string[];
}

/** What the schema states about the field at a path; a field without constraints if it states nothing. */
export function fieldAt(root: Schema, path: Path): Field {
  let schemas = alternatives(root, root);
  for (const key of path) schemas = schemas.flatMap((schema) => children(root, { schema, key }));
  const description = schemas.map((schema) => schema.description).find((text) => typeof text === "string");
  return {
    expected: [...new Set(schemas.map((schema) => phrase(root, schema)))].join(", or ") || "another value",
    ...present({ description }),
    keys: schemas.flatMap((schema) => Object.keys(objectOf(schema.properties))),
    values: schemas.flatMap((schema) => listOf(schema.enum).map(String)),
  };
}

/** The schemas of an `anyOf`, each with the description of the whole; a `$ref` is followed. */
function alternatives(root: Schema, schema: Schema): Schema[] {
  const target = followed(root, schema);
  const choices = [...listOf(target.anyOf), ...listOf(target.oneOf)];
  if (choices.length === 0) return [target];
  const shared = present({ description: target.description });
  return choices.flatMap((choice) => alternatives(root, { ...shared, ...objectOf(choice) }));
}

function followed(root: Schema, schema: Schema): Schema {
  if (typeof schema.$ref !== "string") return schema;
  const { $ref, ...rest } = schema;
  const steps = $ref.split("/").slice(1);
  return { ...steps.reduce<Schema>((at, step) => objectOf(at[step]), root), ...rest };
}

function children(root: Schema, { schema, key }: { schema: Schema; key: string | number }): Schema[] {
  const declared = objectOf(schema.properties)[String(key)];
  const child = typeof key === "number" ? schema.items : declared ?? schema.additionalProperties;
  return isRecord(child) ? alternatives(root, child) : [];
}

function phrase(root: Schema, schema: Schema): string {
  const values = listOf(schema.enum);
  if (values.length > 0) return `one of ${values.map((value) => `\`${value}\``).join(", ")}`;
  if (schema.const !== undefined) return `\`${schema.const}\``;
  switch (schema.type) {
    case "string":
      return "a text";
    case "boolean":
      return "true or false";
    case "null":
      return "nothing";
    case "integer":
      return `a whole number${range(schema)}`;
    case "number":
      return `a number${range(schema)}`;
    case "array":
      return `a list${entries(root, schema.items)}`;
    case "object":
      return schema.properties === undefined ? mapping(root, schema) : "a mapping";
    default:
      return "any value";
  }
}

function mapping(root: Schema, schema: Schema): string {
  const of = entries(root, schema.additionalProperties);
  return of === "" ? "a mapping" : `a mapping from names to${of.slice(" of".length)}`;
}

const PLURALS: Readonly<Record<string, string>> = {
  string: "texts",
  number: "numbers",
  integer: "whole numbers",
  boolean: "true or false",
  array: "lists",
  object: "mappings",
};

function entries(root: Schema, schema: unknown): string {
  if (!isRecord(schema)) return "";
  const plurals = alternatives(root, schema).map((choice) => PLURALS[String(choice.type)]);
  return plurals.includes(undefined) ? "" : ` of ${[...new Set(plurals)].join(" or ")}`;
}

function range(schema: Schema): string {
  const { minimum, maximum, exclusiveMinimum } = schema;
  const low = isBound(minimum) ? minimum : undefined;
  const high = isBound(maximum) ? maximum : undefined;
  if (low !== undefined && high !== undefined) return ` from ${low} to ${high}`;
  if (low !== undefined) return `, at least ${low}`;
  if (isBound(exclusiveMinimum)) return ` greater than ${exclusiveMinimum}`;
  return high === undefined ? "" : `, at most ${high}`;
}

function isBound(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER;
}

function objectOf(value: unknown): Schema {
  return isRecord(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
