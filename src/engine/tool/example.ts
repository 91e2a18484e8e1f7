/** Makes one correct example of a tool's arguments from its schema, for a model that called the tool wrongly. @module */
import { isRecord } from "../object/record.ts";
import { asText } from "../object/text.ts";
import type { JsonSchema, OfferedTool } from "./offered.ts";
import { SchemaBudget, withinBudget } from "./schema_budget.ts";

/** The deepest nesting of values. */
const DEPTH_MAXIMUM = 8;

type SchemaObject = Readonly<Record<string, unknown>>;

/**
 * Arguments with every required parameter; if none is required, the first declared one. None if the example costs more
 * than a schema may.
 *
 * @example
 * ```ts
 * import { exampleArguments } from "./example.ts";
 * const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
 * console.assert(exampleArguments(schema)["path"] === "path");
 * ```
 */
export function exampleArguments(schema: JsonSchema | undefined): Record<string, unknown> {
  return withinBudget(() => argumentsOf(schema)) ?? {};
}

function argumentsOf(schema: JsonSchema | undefined): Record<string, unknown> {
  const budget = new SchemaBudget();
  const value = exampleOf(schema, { name: "value", root: schema, depth: 0, budget });
  if (!isRecord(value)) return {};
  if (Object.keys(value).length > 0) return { ...value };
  const properties = isRecord(schema) ? schema["properties"] : undefined;
  const [first] = isRecord(properties) ? Object.entries(properties) : [];
  if (first === undefined) return {};
  return { [first[0]]: exampleOf(first[1], { name: first[0], root: schema, depth: 1, budget }) };
}

/** How a call is written: the tool's tag around JSON, or around a tag for each parameter. */
export type ExampleForm = "json" | "parameters";

/** One correct call of a tool, as text. */
export function writeExampleCall(
  { name, schema, documented = schema }: OfferedTool,
  form: ExampleForm,
): string {
  const example = exampleArguments(documented);
  if (form === "json") return `<${name}>\n${JSON.stringify(example)}\n</${name}>`;
  const parameters = Object.entries(example).map(([key, value]) => `<${key}>${asText(value)}</${key}>`);
  return [`<${name}>`, ...parameters, `</${name}>`].join("\n");
}

interface ExampleContext {
  readonly name: string;
  readonly root: unknown;
  readonly depth: number;
  readonly budget: SchemaBudget;
}

function exampleOf(schema: unknown, place: ExampleContext): unknown {
  place.budget.spend(place.name.length);
  if (!isRecord(schema) || place.depth > DEPTH_MAXIMUM) return place.name;
  const inside = { ...place, depth: place.depth + 1 };
  const reference = schema["$ref"];
  if (typeof reference === "string") return exampleOf(follow(reference, place.root), inside);
  for (const word of ["const", "default"]) if (schema[word] !== undefined) return schema[word];
  for (const word of ["examples", "enum"]) {
    const values = schema[word];
    if (Array.isArray(values) && values.length > 0) return values[0];
  }
  const all = schema["allOf"];
  if (Array.isArray(all)) return joined([schema, ...all], inside);
  for (const word of ["anyOf", "oneOf"]) {
    const branches = schema[word];
    if (Array.isArray(branches) && branches.length > 0) {
      return schema["properties"] === undefined
        ? exampleOf(branches[0], inside)
        : joined([schema, branches[0]], inside);
    }
  }
  return ofType(schema, inside);
}

function joined(schemas: readonly unknown[], place: ExampleContext): unknown {
  const values = schemas.map((schema) => {
    const { allOf: _all, anyOf: _any, oneOf: _one, ...rest } = isRecord(schema) ? schema : {};
    return exampleOf(rest, place);
  });
  const objects = values.filter(isRecord);
  return objects.length > 0 ? Object.assign({}, ...objects) : values.at(-1);
}

function ofType(schema: SchemaObject, place: ExampleContext): unknown {
  const [type] = [schema["type"]].flat();
  switch (typeof type === "string" ? type.toLowerCase() : impliedType(schema)) {
    case "object":
      return objectOf(schema, place);
    case "array": {
      const least = typeof schema["minItems"] === "number" ? Math.min(schema["minItems"], 8) : 1;
      return Array.from({ length: Math.max(1, least) }, () => exampleOf(schema["items"], place));
    }
    case "integer":
    case "number":
      return numberOf(schema);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return textOf(schema, place.name);
  }
}

function impliedType(schema: SchemaObject): string {
  if ("properties" in schema || "required" in schema) return "object";
  return "items" in schema ? "array" : "string";
}

function objectOf(schema: SchemaObject, place: ExampleContext): Record<string, unknown> {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.fromEntries(
    required.filter((name) => typeof name === "string")
      .map((name) => [name, exampleOf(properties[name], { ...place, name })]),
  );
}

function numberOf({ minimum, exclusiveMinimum, maximum, multipleOf }: SchemaObject): number {
  const low = typeof minimum === "number"
    ? minimum
    : typeof exclusiveMinimum === "number"
    ? exclusiveMinimum + 1
    : 1;
  const step = typeof multipleOf === "number" && multipleOf > 0 ? multipleOf : 1;
  const value = Math.ceil(low / step) * step;
  return typeof maximum === "number" && value > maximum ? maximum : value;
}

function textOf({ minLength, maxLength }: SchemaObject, name: string): string {
  const long = typeof minLength === "number" ? name.padEnd(Math.min(minLength, 1000), "x") : name;
  return typeof maxLength === "number" ? long.slice(0, maxLength) : long;
}

function follow(reference: string, root: unknown): unknown {
  let target = root;
  for (const step of reference.replace(/^#/, "").split("/").slice(1)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    target = isRecord(target) && Object.hasOwn(target, name) ? target[name] : undefined;
  }
  return target;
}
