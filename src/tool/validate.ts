/**
 * Whether a call's arguments are what the tool's JSON Schema asks for. In: the schema of a request and a value.
 * Out: what is missing and what is wrong, in words that a model understands. Regular expressions of a schema
 * (`pattern`, `patternProperties`, `format`) are not run: the arguments are model text, and a badly written one
 * could hang the proxy.
 *
 * @module
 */
import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import { present } from "../object/present.ts";
import { isRecord } from "../object/record.ts";
import type { JsonSchema } from "./offered.ts";
import { OTHER_NAMES } from "./schema.ts";

/** What is wrong with arguments; nothing where both lists are empty. */
export interface ArgumentProblems {
  /** Required parameters that are missing, by name. */
  readonly missing: readonly string[];
  /** Everything else, one sentence each. */
  readonly wrong: readonly string[];
}

/** More sentences than this help nobody. */
const WRONG_MAXIMUM = 8;

/** Schemas nest no deeper than this; what lies deeper allows everything. */
const DEPTH_MAXIMUM = 32;

const NOTHING: ArgumentProblems = { missing: [], wrong: [] };

const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"];

/** A schema is prepared once for as long as its request lives. */
const prepared = new WeakMap<object, Validator | undefined>();

/**
 * Checks arguments against a tool's schema: drafts 7 and 2020-12, references inside the schema, unions.
 *
 * @param schema the schema; undefined, or one that is none: everything is right
 * @param value the arguments
 *
 * @example
 * ```ts
 * import { checkArguments } from "./validate.ts";
 * const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
 * console.assert(checkArguments(schema, {}).missing[0] === "path");
 * console.assert(checkArguments(schema, { path: "a" }).missing.length === 0);
 * ```
 */
export function checkArguments(schema: JsonSchema | undefined, value: unknown): ArgumentProblems {
  if (typeof schema !== "object" || schema === null) return NOTHING;
  const validator = prepare(schema);
  if (validator === undefined) return NOTHING;
  try {
    const { valid, errors } = validator.validate(value);
    return valid ? NOTHING : describe(errors);
  } catch {
    // A reference that points nowhere: the schema says nothing that could be checked.
    return NOTHING;
  }
}

function prepare(schema: object): Validator | undefined {
  if (prepared.has(schema)) return prepared.get(schema);
  let validator: Validator | undefined;
  try {
    const plain = clean(schema, 0);
    const draft = String(Reflect.get(schema, "$schema")).includes("draft-07") ? "7" : "2020-12";
    if (isRecord(plain)) validator = new Validator(plain as Schema, draft, false);
  } catch {
    validator = undefined;
  }
  prepared.set(schema, validator);
  return validator;
}

/** The schema without regular expressions and without identifiers, its types by their own names. */
function clean(schema: unknown, depth: number): unknown {
  if (depth > DEPTH_MAXIMUM) return true;
  if (Array.isArray(schema)) return schema.map((entry) => clean(entry, depth + 1));
  if (!isRecord(schema)) return schema;
  const {
    pattern: _,
    patternProperties,
    format: _format,
    nullable,
    type,
    $id: _id,
    $schema: _draft,
    ...rest
  } = schema;
  const isOpen = patternProperties !== undefined;
  const kept = Object.entries(rest).filter(([key]) =>
    !isOpen || (key !== "additionalProperties" && key !== "unevaluatedProperties")
  ).map(([key, value]) => {
    const isValue = key === "enum" || key === "const" || key === "default" || key === "examples" ||
      key === "required";
    if (isValue) return [key, value];
    return [key, isMapOfSchemas(key) && isRecord(value) ? cleanEach(value, depth) : clean(value, depth + 1)];
  });
  const types = typesOf(type, nullable === true);
  return { ...Object.fromEntries(kept), ...present({ type: types }) };
}

/** Names of parameters, which may be those of keywords. */
function isMapOfSchemas(key: string): boolean {
  return ["properties", "$defs", "definitions", "dependentSchemas"].includes(key);
}

function cleanEach(schemas: Readonly<Record<string, unknown>>, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, clean(schema, depth + 1)]),
  );
}

function typesOf(type: unknown, isNullable: boolean): string[] | undefined {
  const names = (Array.isArray(type) ? type : [type]).filter((name) => typeof name === "string")
    .map((name) => OTHER_NAMES[name.toLowerCase()] ?? name.toLowerCase());
  if (names.length === 0 || names.some((name) => !TYPES.includes(name))) return undefined;
  return isNullable ? [...new Set([...names, "null"])] : names;
}

/** Units that only say that something inside them is wrong. */
const CONTAINERS: readonly string[] = [
  "properties",
  "items",
  "prefixItems",
  "allOf",
  "$ref",
  "additionalProperties",
  "if",
  "then",
  "else",
];

function describe(errors: readonly OutputUnit[]): ArgumentProblems {
  const missing = errors.filter(({ keyword, instanceLocation }) =>
    keyword === "required" && instanceLocation === "#"
  )
    .flatMap(({ error }) => /"(.*)"/s.exec(error)?.[1] ?? []);
  const isInsideUnion = errors.some(({ keyword }) => keyword === "anyOf" || keyword === "oneOf");
  const wrong = errors.filter(({ keyword, instanceLocation }) => {
    if (keyword === "required" && instanceLocation === "#") return false;
    return !CONTAINERS.includes(keyword) || (keyword === "additionalProperties" && !isInsideUnion);
  }).map(({ instanceLocation, error }) => `${placeOf(instanceLocation)}: ${error}`);
  const sentences = [...new Set(wrong)].slice(0, WRONG_MAXIMUM);
  if (missing.length > 0 || sentences.length > 0) return { missing: [...new Set(missing)], wrong: sentences };
  return { missing: [], wrong: errors.slice(-1).map(({ error }) => error) };
}

/** `#/a/0/b` as people write it. */
function placeOf(pointer: string): string {
  const steps = pointer.slice(1).split("/").filter((step) => step !== "")
    .map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"));
  return steps.length === 0 ? "the arguments" : `\`${steps.join(".")}\``;
}
