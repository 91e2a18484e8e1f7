/**
 * The reference of the configuration, made from its schema, so that it cannot say anything else.
 *
 * @module
 */
import { z } from "zod";
import { configSchema } from "./schema.ts";

/** What of a JSON Schema the reference shows. */
interface Field {
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Field>>;
  readonly items?: Field;
}

/** The page `rules/configuration.md`, whole. */
export function configReference(): string {
  const schema = z.toJSONSchema(configSchema, { io: "input" }) as Field;
  return `# Every key of \`dragoman.yaml\`

This page is made from the schema that checks the file. For completion in an editor, begin the file with

    # yaml-language-server: $schema=rules/dragoman.schema.json

| key | |
|---|---|
${rows(schema, "").join("\n")}
`;
}

/** One row a key that holds a value; those of a list's entries stand under \`[]\`. */
function rows(schema: Field, path: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const key = path === "" ? name : `${path}.${name}`;
    if (field.properties !== undefined) return rows(field, key);
    return [row(key, field), ...rows(field.items ?? {}, `${key}[]`)];
  });
}

function row(key: string, field: Field): string {
  const preset = field.default === undefined ? "" : ` Default \`${JSON.stringify(field.default)}\`.`;
  const values = field.enum ? ` One of ${field.enum.map((value) => `\`${value}\``).join(", ")}.` : "";
  const text = field.description === undefined ? "" : `${field.description}.`;
  return `| \`${key}\` | ${`${text}${values}${preset}`.replaceAll("|", "\\|").trim()} |`;
}
