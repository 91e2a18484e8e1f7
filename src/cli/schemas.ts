/**
 * The generated files: JSON Schemas for editors, and the references of the rule format and of the configuration.
 * `check --write-schemas` writes them; a test compares them.
 *
 * @module
 */
import { clientSchema } from "../client/schema.ts";
import { configReference } from "../config/reference.ts";
import { configSchema } from "../config/schema.ts";
import { writeJsonSchema } from "../document/json_schema.ts";
import { ruleReference } from "../rule/reference.ts";
import { ruleSchema } from "../rule/schema.ts";

/** A generated file. */
export interface SchemaFile {
  /** Its path below the folder of the built-in rules. */
  readonly path: string;
  /** Its full text. */
  readonly text: string;
}

/** Every generated file. */
export function schemaFiles(): SchemaFile[] {
  return [
    { path: "README.md", text: ruleReference() },
    { path: "configuration.md", text: configReference() },
    { path: "rule.schema.json", text: writeJsonSchema(ruleSchema, { title: "Dragoman rule" }) },
    { path: "clients/client.schema.json", text: writeJsonSchema(clientSchema, { title: "Dragoman client" }) },
    {
      path: "dragoman.schema.json",
      text: writeJsonSchema(configSchema, { title: "Dragoman configuration" }),
    },
  ];
}
