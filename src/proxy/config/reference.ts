/** Writes the reference of the configuration from its schema, so that the two always agree. @module */
import * as z from "zod";
import { configSchema } from "./schema.ts";

interface Field {
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Field>>;
  readonly items?: Field;
  readonly additionalProperties?: Field | boolean;
}

export function configReference(): string {
  const schema = z.toJSONSchema(configSchema, { io: "input" }) as Field;
  return `# Every key of \`dragoman.yaml\`

This page is generated from the schema that checks the file. For completion in an editor, start the file with

    # yaml-language-server: $schema=rules/dragoman.schema.json

| key | meaning |
|---|---|
${rows(schema, "").join("\n")}
`;
}

/** One row per key with a value; keys of a list's entries are under \`[]\`, those of named entries under \`.*\`. */
function rows(schema: Field, path: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const key = path === "" ? name : `${path}.${name}`;
    if (field.properties !== undefined) return rows(field, key);
    const { items = {}, additionalProperties: named } = field;
    return [
      row(key, field),
      ...rows(items, `${key}[]`),
      ...rows(typeof named === "object" ? named : {}, `${key}.*`),
    ];
  });
}

function row(key: string, field: Field): string {
  const preset = field.default === undefined ? "" : ` Default \`${JSON.stringify(field.default)}\`.`;
  const values = field.enum ? ` One of ${field.enum.map((value) => `\`${value}\``).join(", ")}.` : "";
  const text = field.description === undefined ? "" : `${field.description}.`;
  return `| \`${key}\` | ${`${text}${values}${preset}`.replaceAll("|", "\\|").trim()} |`;
}
