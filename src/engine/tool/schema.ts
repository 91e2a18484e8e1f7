/**
 * What a tool's JSON Schema states about one parameter, as far as reading a value that came as text needs it. The
 * schema comes out of a request: it is read with care and never trusted to be one. A walk through a schema enters each
 * target of a reference once, and what it finds is kept with the schema, so a call costs as much as the schema is long.
 *
 * @module
 */
import { own } from "../object/own.ts";
import { isRecord } from "../object/record.ts";
import type { JsonSchema, OfferedTool } from "./offered.ts";

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

/** Schemas nest no deeper than this before a type. */
const DEPTH_MAXIMUM = 16;

type SchemaObject = Readonly<Record<string, unknown>>;

/** What a schema and the parts that it is put together from declare. */
interface Declared {
  readonly parameters: ReadonlyMap<string, JsonSchema>;
  readonly required: readonly string[];
  readonly items: JsonSchema | undefined;
  /** The values that they list. */
  readonly values: readonly unknown[];
}

/** What was found in schemas, under the schema that their references point into, for as long as their requests live. */
const declarations = new WeakMap<object, { readonly root: unknown; readonly declared: Declared }>();

const NOTHING: Declared = { parameters: new Map(), required: [], items: undefined, values: [] };

function declaredBy(schema: JsonSchema | undefined, root: JsonSchema | undefined = schema): Declared {
  if (!isRecord(schema)) return NOTHING;
  const known = declarations.get(schema);
  if (known !== undefined && known.root === root) return known.declared;
  const all = parts(schema, { root, branches: true });
  const parameters = new Map<string, JsonSchema>();
  for (const { properties } of all) {
    for (const [key, found] of isRecord(properties) ? Object.entries(properties) : []) {
      if (!parameters.has(key)) parameters.set(key, isSchema(found) ? found : true);
    }
  }
  const required = parts(schema, { root, branches: false }).flatMap(({ required }) =>
    Array.isArray(required) ? required.filter((name) => typeof name === "string") : []
  );
  const declared = {
    parameters,
    required: [...new Set(required)],
    items: all.map(({ items }) => items).find(isSchema),
    values: all.flatMap(({ enum: values }) => Array.isArray(values) ? values : []),
  };
  declarations.set(schema, { root, declared });
  return declared;
}

function isSchema(value: unknown): value is JsonSchema {
  return isRecord(value) || typeof value === "boolean";
}

/**
 * The schema of one parameter, or undefined if the schema does not declare it.
 *
 * @param root the tool's schema, if `schema` is a part of it: references point into it
 */
export function parameterSchema(
  schema: JsonSchema | undefined,
  key: string,
  root = schema,
): JsonSchema | undefined {
  return declaredBy(schema, root).parameters.get(key);
}

/** The schema of a list's elements, or undefined if the schema does not say. */
export function itemSchema(schema: JsonSchema | undefined, root = schema): JsonSchema | undefined {
  return declaredBy(schema, root).items;
}

const naming = new WeakMap<object, boolean>();

/** Whether a schema names parameters anywhere. */
export function namesParameters(schema: JsonSchema): boolean {
  if (!isRecord(schema)) return false;
  const known = naming.get(schema) ?? JSON.stringify(schema).includes('"properties"');
  naming.set(schema, known);
  return known;
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
  const { values } = declaredBy(schema);
  return values.includes(text) &&
    !values.some((value) => typeof value === "string" && value !== text && value.startsWith(text));
}

/** The names of the parameters that the schema declares. */
export function parameterNames(schema: JsonSchema | undefined): string[] {
  return [...declaredBy(schema).parameters.keys()];
}

/** The names of the parameters that a call must have. */
export function requiredParameters(schema: JsonSchema | undefined): readonly string[] {
  return declaredBy(schema).required;
}

/** Whether a call has every parameter of a schema that declares them, be it none, so that no other one can follow. */
export function hasEvery(schema: JsonSchema | undefined, has: (name: string) => boolean): boolean {
  return isRecord(schema) && "properties" in schema && parameterNames(schema).every(has);
}

/**
 * Whether a call that nothing closes can be whole at the end of an answer: it has everything, or, between items, what is required.
 */
export function canEnd(
  { schema, documented = schema }: OfferedTool,
  has: (name: string) => boolean,
  isBetween: boolean,
): boolean {
  const required = requiredParameters(schema);
  return isBetween && required.length > 0 ? required.every(has) : hasEvery(documented, has);
}

/** The types that were found in schemas, under the schema that their references point into. */
const typesFound = new WeakMap<object, { readonly root: unknown; readonly types: ReadonlySet<ValueType> }>();

/** The types that a schema allows; empty if it does not say. */
export function allowedTypes(
  schema: JsonSchema | undefined,
  root: JsonSchema | undefined,
): ReadonlySet<ValueType> {
  if (!isRecord(schema)) return new Set();
  const known = typesFound.get(schema);
  if (known !== undefined && known.root === root) return known.types;
  const types = new Set(new TypeSearch(root).typesOf(schema, 0));
  typesFound.set(schema, { root, types });
  return types;
}

/** The types that a parameter can have; empty if the schema does not say. */
export function parameterTypes(schema: JsonSchema | undefined, key: string): ReadonlySet<ValueType> {
  return allowedTypes(parameterSchema(schema, key), schema);
}

/** The types that a list's elements can have; empty if its schema does not say. */
export function itemTypes(
  schema: JsonSchema | undefined,
  root: JsonSchema | undefined,
): ReadonlySet<ValueType> {
  return allowedTypes(itemSchema(schema, root), root);
}

/** One walk for the types of a schema. */
class TypeSearch {
  readonly #root: JsonSchema | undefined;
  /** The types of each target of a reference; while it is searched, none. */
  readonly #targets = new Map<unknown, readonly ValueType[]>();

  constructor(root: JsonSchema | undefined) {
    this.#root = root;
  }

  typesOf(schema: unknown, depth: number): readonly ValueType[] {
    if (!isRecord(schema) || depth > DEPTH_MAXIMUM) return [];
    const target = follow(schema, this.#root);
    return target === schema ? this.#composed(schema, depth) : this.#target(target, depth);
  }

  #target(target: unknown, depth: number): readonly ValueType[] {
    const known = this.#targets.get(target);
    if (known !== undefined) return known;
    this.#targets.set(target, []);
    const types = this.typesOf(target, depth + 1);
    this.#targets.set(target, types);
    return types;
  }

  #composed(schema: SchemaObject, depth: number): readonly ValueType[] {
    const nullable: ValueType[] = schema["nullable"] === true ? ["null"] : [];
    const own = ownTypes(schema);
    if (own.length > 0) return [...own, ...nullable];
    for (const word of ["anyOf", "oneOf"]) {
      const found = this.#branches(schema[word], depth).flat();
      if (found.length > 0) return [...new Set([...found, ...nullable])];
    }
    const [first, ...others] = this.#branches(schema["allOf"], depth).filter((types) => types.length > 0);
    const common = first?.filter((type) => others.every((types) => types.includes(type)));
    return common ? [...common, ...nullable] : impliedTypes(schema, nullable);
  }

  #branches(branches: unknown, depth: number): (readonly ValueType[])[] {
    return Array.isArray(branches) ? branches.map((branch) => this.typesOf(branch, depth + 1)) : [];
  }
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

interface PartsOptions {
  readonly root: JsonSchema | undefined;
  /** Whether the parts of which one applies count, too. */
  readonly branches: boolean;
}

/** A schema and, level by level, the schemas that it is put together from, each once. */
function parts(schema: JsonSchema, { root, branches }: PartsOptions): SchemaObject[] {
  const words = branches ? ["allOf", "anyOf", "oneOf"] : ["allOf"];
  const found = new Set<SchemaObject>();
  const entered = new Set<unknown>();
  const enter = (part: unknown, depth: number): void => {
    if (!isRecord(part) || depth > DEPTH_MAXIMUM || entered.has(part)) return;
    entered.add(part);
    const target = follow(part, root);
    if (target !== part) return enter(target, depth + 1);
    found.add(part);
    for (const list of words.map((word) => part[word])) {
      if (Array.isArray(list)) { for (const inner of list) enter(inner, depth + 1); }
    }
  };
  enter(schema, 0);
  return [...found];
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
