/** The JSON Schema of a client's tool, for the matcher: all names that the file accepts for a parameter, and types. @module */
import type { JsonSchema } from "../../engine/tool/offered.ts";
import { lookupNames, plainName } from "./form.ts";
import type { Parameter, ToolForm } from "./schema.ts";

/**
 * The schema of a tool's arguments.
 *
 * @param form the parameters with which the tool is written
 *
 * @example
 * ```ts
 * import { clientSchema } from "./schema.ts";
 * import { toolJsonSchema } from "./json_schema.ts";
 * const client = clientSchema.parse({
 *   client: "mine",
 *   writes: "text",
 *   tools: { look: { parameters: { path: { from: ["path", "file"], required: true } } } },
 * });
 * const schema = toolJsonSchema(client.tools.look ?? { parameters: {} });
 * console.assert(JSON.stringify(schema).includes('"file":{"type":"string"}'));
 * ```
 */
export function toolJsonSchema(form: ToolForm): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  const holders = new Set<string>();
  const lists = new Set<string>();
  declare(form.parameters, { properties, required, holders, lists });
  for (const name of holders) properties[name] ??= { type: "object" };
  for (const name of lists) properties[name] = withList(properties[name]);
  return { type: "object", properties, required };
}

interface Declaration {
  readonly properties: Record<string, JsonSchema>;
  readonly required: string[];
  /** Names that only hold parameters: `args` of `args.file.path`. */
  readonly holders: Set<string>;
  /** Names that take a list besides what they are by themselves. */
  readonly lists: Set<string>;
}

function declare(parameters: Readonly<Record<string, Parameter>>, declared: Declaration): void {
  const { properties, required, holders, lists } = declared;
  for (const [name, parameter] of Object.entries(parameters)) {
    const names = lookupNames(name, parameter);
    const isRequired = parameter.required && parameter.default === undefined;
    for (const from of names) {
      if (from === ".") continue;
      const [first = from, ...rest] = plainName(from).split(".");
      if (rest.length > 0) holders.add(first);
      else if (from.endsWith("[]")) lists.add(first);
      else properties[first] ??= valueSchema(parameter);
    }
    if (names.includes(".")) declare(parameter.each, { ...declared, required: isRequired ? required : [] });
    else if (isRequired) required.push(name);
  }
}

function valueSchema({ type, join, as_written }: Parameter): JsonSchema {
  switch (type) {
    case "list":
      // A text in the client's own notation must stay the text it is.
      return as_written.length === 0 ? { type: "array" } : {};
    case "object":
      return { type: "object" };
    case "string":
    case "integer":
    case "number":
    case "boolean":
      return { type: join === undefined ? type : [type, "array"] };
  }
}

function withList(schema: JsonSchema | undefined): JsonSchema {
  const type = typeof schema === "object" ? schema["type"] : undefined;
  const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string");
  return types.length === 0 ? {} : { type: [...new Set([...types, "array"])] };
}

/** The schema of a tool's arguments with the client's own names only, to be shown to a model. */
export function documentedSchema(form: ToolForm, documented: ReadonlySet<string>): JsonSchema {
  const shown = Object.entries(form.parameters).filter(([name, parameter]) =>
    !parameter.only_if_documented || documented.has(name)
  );
  return entrySchema(shown);
}

function entrySchema(parameters: readonly (readonly [string, Parameter])[]): Record<string, unknown> {
  return {
    type: "object",
    properties: Object.fromEntries(parameters.map(([name, parameter]) => [name, ownSchema(parameter)])),
    required: parameters.filter(([, { required, default: instead }]) => required && instead === undefined)
      .map(([name]) => name),
  };
}

function ownSchema({ type, each }: Parameter): JsonSchema {
  return type === "list" ? { type: "array", items: entrySchema(Object.entries(each)) } : { type };
}
