/**
 * Gemini's schemas are OpenAPI's, with types in capitals and `nullable`. Chat servers need JSON Schema.
 *
 *     {type: STRING, nullable: true}  ─▶  {type: [string, null]}
 *
 * @see https://ai.google.dev/api/caching#Schema
 * @module
 */
import { isRecord } from "../../engine/object/record.ts";
import { present } from "../../engine/object/present.ts";

/** The JSON Schema of a schema; undefined if there is none. */
export function chatSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(chatSchema);
  if (!isRecord(schema)) return schema;
  const { nullable, type, ...others } = schema;
  const lower = chatTypes(type);
  const types = nullable === true && lower !== undefined ? [lower, "null"].flat() : lower;
  const fields = Object.entries(others).map(([name, value]) => [
    name,
    name === "properties" && isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([property, each]) => [property, chatSchema(each)]))
      : SCHEMAS.has(name)
      ? chatSchema(value)
      : value,
  ]);
  return { ...present({ type: types }), ...Object.fromEntries(fields) };
}

/** The fields of a schema that contain schemas. */
const SCHEMAS = new Set(["items", "anyOf", "oneOf", "allOf", "prefixItems", "additionalProperties"]);

function chatTypes(types: unknown): unknown {
  if (typeof types === "string") return types.toLowerCase();
  return Array.isArray(types) ? types.map(chatTypes) : undefined;
}
