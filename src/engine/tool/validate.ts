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
import { isWithinBudget, SchemaBudget, SchemaOverBudget, withinBudget } from "./schema_budget.ts";

/** What is wrong with arguments; both lists are empty if they are valid. */
export interface ArgumentProblems {
  /** Required parameters that are missing, by name. */
  readonly missing: readonly string[];
  /** Everything else, one sentence each. */
  readonly wrong: readonly string[];
  /** Whether checking costs more than a schema may, so that nothing is known. */
  readonly isUnchecked?: boolean;
}

const WRONG_MAXIMUM = 8;

/** The deepest nesting of schemas; everything below it is allowed. */
const DEPTH_MAXIMUM = 32;

/** The longest path to a value that an error shows, in characters. */
const PLACE_LENGTH_MAXIMUM = 1000;

const NOTHING: ArgumentProblems = { missing: [], wrong: [] };

const UNCHECKED: ArgumentProblems = { ...NOTHING, isUnchecked: true };

const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"];

interface Prepared {
  readonly validator: Validator;
  readonly payer: Payer;
}

/** Prepared schemas, for as long as their requests live. */
const prepared = new WeakMap<object, Prepared | "invalid" | "over budget">();

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
  const found = prepared.get(schema) ?? prepare(schema);
  prepared.set(schema, found);
  if (found === "invalid") return NOTHING;
  return found === "over budget" ? UNCHECKED : withinBudget(() => check(found, value)) ?? UNCHECKED;
}

function check({ validator, payer }: Prepared, value: unknown): ArgumentProblems {
  payer.begin(value);
  try {
    const { valid, errors } = validator.validate(value);
    return valid ? NOTHING : describe(errors);
  } catch (cause) {
    if (cause instanceof SchemaOverBudget) throw cause;
    // A reference leads nowhere or in a circle, so there is nothing to check.
    return NOTHING;
  }
}

function prepare(schema: object): Prepared | "invalid" | "over budget" {
  if (!isWithinBudget(schema, CHECKED_NODES_MAXIMUM)) return "over budget";
  const payer = new Payer();
  try {
    const plain = new Cleaner(payer).clean(schema, 0);
    const draft = String(Reflect.get(schema, "$schema")).includes("draft-07") ? "7" : "2020-12";
    if (!(plain instanceof CountedSchema)) return "invalid";
    return { validator: new Validator(plain as unknown as Schema, draft, false), payer };
  } catch {
    return "invalid";
  }
}

/** Keywords that aren't checked, or that are read in another way. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...["pattern", "patternProperties", "format", "nullable", "type", "dependencies", "__proto__"],
  ...["$id", "id", "$schema", "$recursiveAnchor", "$recursiveRef", "default", "examples"],
]);

/** Keywords whose value has no schema in it. */
const VALUES: ReadonlySet<string> = new Set(["enum", "const", "required", "dependentRequired"]);

/** No value fits it, and the error that shows it. Unlike `false`, it pays. */
const NEVER = { schema: { enum: [] }, error: "Instance does not match any of []." };

class Cleaner {
  readonly #payer: Payer;

  constructor(payer: Payer) {
    this.#payer = payer;
  }

  /** The schema without regular expressions and identifiers, and with the standard names of types. */
  clean(schema: unknown, depth: number): unknown {
    if (depth > DEPTH_MAXIMUM) return true;
    if (Array.isArray(schema)) return schema.map((entry) => this.clean(entry, depth + 1));
    if (schema === false) return new CountedSchema(NEVER.schema, 0, this.#payer);
    if (!isRecord(schema)) return schema;
    const isOpen = schema["patternProperties"] !== undefined;
    let length = 0;
    const kept = Object.entries({ ...schema, ...dependent(schema["dependencies"]) }).filter(([key]) =>
      !LEFT_OUT.has(key) &&
      !(isOpen && (key === "additionalProperties" || key === "unevaluatedProperties"))
    ).map(([key, value]): [string, unknown] => {
      length += key.length;
      if (VALUES.has(key)) {
        length += JSON.stringify(value).length;
        return [key, value];
      }
      if (!isMapOfSchemas(key) || !isRecord(value)) return [key, this.clean(value, depth + 1)];
      for (const name of Object.keys(value)) length += name.length;
      return [key, this.#cleanEach(value, depth)];
    });
    const types = typesOf(schema["type"], schema["nullable"] === true);
    return new CountedSchema(
      { ...Object.fromEntries(kept), ...present({ type: types }) },
      length,
      this.#payer,
    );
  }

  #cleanEach(schemas: Readonly<Record<string, unknown>>, depth: number): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [name, this.clean(schema, depth + 1)]),
    );
  }
}

/** The two kinds of `dependencies` under the names of later drafts. */
function dependent(dependencies: unknown): Record<string, unknown> {
  const entries = isRecord(dependencies) ? Object.entries(dependencies) : [];
  const required = entries.filter(([, one]) => Array.isArray(one));
  const schemas = entries.filter(([, one]) => !Array.isArray(one));
  return {
    ...required.length === 0 ? {} : { dependentRequired: Object.fromEntries(required) },
    ...schemas.length === 0 ? {} : { dependentSchemas: Object.fromEntries(schemas) },
  };
}

/** Names of parameters, which can equal names of keywords. */
function isMapOfSchemas(key: string): boolean {
  return ["properties", "$defs", "definitions", "dependentSchemas"].includes(key);
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
  }).map(({ instanceLocation, error }) =>
    `${placeOf(instanceLocation)}: ${error === NEVER.error ? "False boolean schema." : error}`
  );
  const sentences = [...new Set(wrong)].slice(0, WRONG_MAXIMUM);
  if (missing.length > 0 || sentences.length > 0) return { missing: [...new Set(missing)], wrong: sentences };
  return { missing: [], wrong: errors.slice(-1).map(({ error }) => error) };
}

/** `#/a/0/b` in readable form. */
function placeOf(pointer: string): string {
  if (pointer.length > PLACE_LENGTH_MAXIMUM) return "a value deep inside";
  const steps = pointer.slice(1).split("/").filter((step) => step !== "")
    .map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"));
  return steps.length === 0 ? "the arguments" : `\`${steps.join(".")}\``;
}

/** The most parts of a schema for the validator, and the most schemas that are applied to one value: the event loop waits. */
const CHECKED_NODES_MAXIMUM = 5000;

/** How much longer measuring a character takes than reading one. */
const MEASURING = 4;

/** How large a value is, as far as it decides what checking it costs. */
interface ValueSize {
  values: number;
  longestKey: number;
  longestText: number;
  longestList: number;
}

/** What one validator pays from: a new budget for each value. */
class Payer {
  #budget = new SchemaBudget(CHECKED_NODES_MAXIMUM);
  #size: ValueSize = { values: 0, longestKey: 0, longestText: 0, longestList: 0 };

  begin(value: unknown): void {
    this.#budget = new SchemaBudget(CHECKED_NODES_MAXIMUM);
    this.#size = { values: 0, longestKey: 0, longestText: 0, longestList: 0 };
    measure(value, this.#size);
  }

  /** Pays for the visit of a schema of this length that has these keywords. */
  pay(length: number, { minLength, maxLength, uniqueItems }: Readonly<Record<string, unknown>>): void {
    const { values, longestKey, longestText, longestList } = this.#size;
    const text = minLength === undefined && maxLength === undefined ? 0 : MEASURING * longestText;
    // Every element is compared with every other.
    const pairs = uniqueItems === undefined ? 0 : longestList * values;
    this.#budget.spend(length + longestKey + text + pairs);
  }
}

function measure(value: unknown, size: ValueSize): void {
  size.values++;
  if (typeof value === "string") size.longestText = Math.max(size.longestText, value.length);
  if (Array.isArray(value)) {
    size.longestList = Math.max(size.longestList, value.length);
    for (const element of value) measure(element, size);
  } else if (isRecord(value)) {
    for (const key of Object.keys(value)) {
      size.longestKey = Math.max(size.longestKey, key.length);
      measure(value[key], size);
    }
  }
}

/** The keywords of one schema. */
class CountedSchema {
  readonly #payer: Payer;
  readonly #length: number;

  /** @param length the characters of the keywords without the schemas in them */
  constructor(words: Readonly<Record<string, unknown>>, length: number, payer: Payer) {
    this.#payer = payer;
    this.#length = length;
    Object.assign(this, words);
  }

  get $recursiveAnchor(): undefined {
    this.#payer.pay(this.#length, this as unknown as Readonly<Record<string, unknown>>);
    return undefined;
  }
}
