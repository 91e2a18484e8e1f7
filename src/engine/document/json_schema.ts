/** Writes the JSON Schema of a YAML format for editors, which complete fields, show descriptions and mark errors. @module */
import * as z from "zod";

/** The text of a `.schema.json` file, with a final newline. Fields with a default are optional. */
export function writeJsonSchema(schema: z.ZodType, { title }: { readonly title: string }): string {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return JSON.stringify({ $schema, title, ...rest }, null, 2) + "\n";
}
