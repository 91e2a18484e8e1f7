/**
 * The JSON Schema of a YAML format, for editors: they complete fields, show their descriptions and mark mistakes
 * while one types. In: a zod schema. Out: the text of a `.schema.json` file.
 *
 * @module
 */
import { z } from "zod";

/** What the file says of itself. */
export interface JsonSchemaOptions {
  /** The format's name, for people. */
  readonly title: string;
}

/** The text of a schema's `.schema.json` file, with a final newline. Fields with a default may be left out. */
export function writeJsonSchema(schema: z.ZodType, { title }: JsonSchemaOptions): string {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return JSON.stringify({ $schema, title, ...rest }, null, 2) + "\n";
}
