/** Reads the tools that an example of a rule offers: the short forms of a rule file become JSON Schemas. @module */
import { isRecord } from "../object/record.ts";
import { asText } from "../object/text.ts";
import { type JsonSchema, offer, type OfferedTool, type OfferedTools } from "../tool/offered.ts";
import type { Example } from "./schema.ts";

/** JSON Schema's type names, which a short form may use. */
export const TYPE_NAMES: readonly string[] = [
  "string",
  "number",
  "integer",
  "boolean",
  "array",
  "object",
  "null",
];

/** A type name in an example that does not exist. */
interface UnknownType {
  readonly path: readonly string[];
  readonly type: string;
}

interface ExampleOffer {
  readonly offered: OfferedTools;
  /** Types that don't exist; their parameters accept any value. */
  readonly unknownTypes: readonly UnknownType[];
}

/**
 * Reads the `offered` of an example: a list of names (no schema), or name → {parameter: type}. A type is the name
 * of a JSON Schema type, one with a trailing `?` for a parameter that is not required, or a whole JSON Schema.
 *
 * @example
 * ```ts
 * import { readOffer } from "./offer.ts";
 * const { offered } = readOffer({ read_file: { path: "string", line: "integer?" } });
 * const schema = offered.resolve("read_file")?.schema;
 * console.assert(JSON.stringify(schema).includes('"required":["path"]'));
 * ```
 */
export function readOffer(offered: Example["offered"]): ExampleOffer {
  if (Array.isArray(offered)) return { offered: offer(offered.map((name) => ({ name }))), unknownTypes: [] };
  const unknownTypes: UnknownType[] = [];
  const tools = Object.entries(offered).map(([name, parameters]): OfferedTool => {
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const [parameter, type] of Object.entries(parameters)) {
      const { schema, isRequired, unknown } = readType(type);
      properties[parameter] = schema;
      if (isRequired) required.push(parameter);
      if (unknown !== undefined) unknownTypes.push({ path: [name, parameter], type: unknown });
    }
    return { name, schema: { type: "object", properties, required } };
  });
  return { offered: offer(tools), unknownTypes };
}

function readType(type: unknown): { schema: JsonSchema; isRequired: boolean; unknown?: string } {
  if (typeof type === "boolean") return { schema: type, isRequired: true };
  if (isRecord(type)) return { schema: type, isRequired: true };
  const text = asText(type);
  const isRequired = !text.endsWith("?");
  const name = isRequired ? text : text.slice(0, -1);
  if (TYPE_NAMES.includes(name)) return { schema: { type: name }, isRequired };
  return { schema: {}, isRequired, unknown: name };
}
