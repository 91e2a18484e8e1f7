/**
 * The reference of the rule format, made from its schema, so that it cannot say anything else.
 *
 * @module
 */
import { z } from "zod";
import { ruleSchema } from "./schema.ts";

/** What of a JSON Schema the reference shows. */
interface Field {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Field>>;
  readonly items?: Field;
  readonly required?: readonly string[];
}

/** The page `rules/README.md`, whole. */
export function ruleReference(): string {
  const schema = z.toJSONSchema(ruleSchema, { io: "input" }) as Field;
  return `# The rule format

One rule says how one dialect writes one tool call; it is one YAML file, named after the rule. This page is made from
the schema that checks the files. For completion in an editor, begin a rule with

    # yaml-language-server: $schema=rule.schema.json

## Fields

${table(schema)}
## \`envelope\`

${table(schema.properties?.["envelope"] ?? {})}
## \`whitelist\`

${table(schema.properties?.["whitelist"] ?? {})}
## An example, and a case that must stay untouched

${table(schema.properties?.["examples"]?.items ?? {})}
Each runs in \`check\` and in the tests: whole, one character at a time, and cut at every place.

## Patterns

A pattern is a regular expression that an automaton can run while the text is still coming: literals, classes, groups,
\`| ? * + {m,n}\`, a leading \`^\`, a look-ahead at the end or before the hole, \`\\k<name>\` after the hole. There is no
look-behind, no negative look-ahead, no \`$\` and no \`\\b\`.

- \`(?<body>…)\` is the hole, \`(?<value>…)\` the one of an item; \`…\` is the one character U+2026.
- \`{tool}\` is short for a tool's name.
- \`^\` matches at the start of a line, before its indentation or behind it.
- An optional group at the very beginning and one at the very end are a wrapper: where the opener took it along, the
  closer counts only if the wrapper's closer, the next call or the end follows.
`;
}

function table(schema: Field): string {
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const isRequired = schema.required?.includes(name);
    const preset = field.default === undefined ? "" : ` Default \`${JSON.stringify(field.default)}\`.`;
    const values = field.enum ? ` One of ${field.enum.map((value) => `\`${value}\``).join(", ")}.` : "";
    const text = `${field.description ?? ""}.${values}${preset}`.replaceAll("|", "\\|").replace(/^\./, "");
    return `| \`${name}\`${isRequired ? " (required)" : ""} | ${text.trim()} |`;
  });
  return `| field | |\n|---|---|\n${rows.join("\n")}\n`;
}
