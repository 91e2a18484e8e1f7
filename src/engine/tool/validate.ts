/**
 * Checks a call's arguments against the tool's JSON Schema, and describes what is missing and wrong in words that a model
 * understands. It runs no regular expressions of a schema (`pattern`, `patternProperties`, `format`): the arguments are
 * model text, and a badly written expression could hang the proxy.
 *
 * @module
 */
import { own } from "../object/own.ts";
import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import { present } from "../object/present.ts";
import { isRecord } from "../object/record.ts";
import type { JsonSchema } from "./offered.ts";
import { OTHER_NAMES } from "./schema.ts";

/** What is wrong with arguments; both lists are empty if they are valid. */
export interface ArgumentProblems {
  /** Required parameters that are missing, by name. */
  readonly missing: readonly string[];
  /** Everything else, one sentence each. */
  readonly wrong: readonly string[];
}

/** The most sentences. */
const WRONG_MAXIMUM = 8;

/** The deepest nesting of schemas; everything below it is allowed. */
const DEPTH_MAXIMUM = 32;

const NOTHING: ArgumentProblems = { missing: [], wrong: [] };

const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"];

/** Prepared schemas, for as long as their requests live. */
const prepared = new WeakMap<object, Validator | undefined>();

/**
 * Checks arguments against a tool's schema: drafts 7 and 2020-12, references inside the schema, unions.
 *
 * @param schema the schema; without a valid one, every value is valid
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
    // A reference leads nowhere, so there is nothing to check.
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

/** The schema without regular expressions and identifiers, and with the standard names of types. */
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

/** Names of parameters, which can equal names of keywords. */
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
    .map((name) => own(OTHER_NAMES, name.toLowerCase()) ?? name.toLowerCase());
  if (names.length === 0 || names.some((name) => !TYPES.includes(name))) return undefined;
  return isNullable ? [...new Set([...names, "null"])] : names;
}

/** Units that only report an error inside them. */
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

/** `#/a/0/b` in readable form. */
function placeOf(pointer: string): string {
  const steps = pointer.slice(1).split("/").filter((step) => step !== "")
    .map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"));
  return steps.length === 0 ? "the arguments" : `\`${steps.join(".")}\``;
}
