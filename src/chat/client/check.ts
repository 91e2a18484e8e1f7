/** Finds what is wrong with a client that parses but can't work: undeclared names, shared aliases, missing entities. @module */
import { didYouMean } from "../../engine/diagnostic/suggest.ts";
import { present } from "../../engine/object/present.ts";
import { placeholders } from "./form.ts";
import type { Client, Parameter } from "./schema.ts";

interface ClientProblem {
  /** The field: `["tools", "look", "write"]`. */
  readonly path: readonly (string | number)[];
  /** Where in the field's text: UTF-16 offset and length; the whole field when absent. */
  readonly offset?: number;
  /** How many UTF-16 units from `offset` on. */
  readonly length?: number;
  readonly message: string;
  readonly expected: string;
  readonly help?: string;
}

type Path = readonly (string | number)[];
type Parameters = Readonly<Record<string, Parameter>>;

/**
 * Every problem of a client.
 *
 * @example
 * ```ts
 * import { checkClient } from "./check.ts";
 * import { clientSchema } from "./schema.ts";
 * const client = clientSchema.parse({
 *   client: "mine",
 *   writes: "text",
 *   tools: { look: { parameters: { path: {} }, write: "<look>{paht}</look>" } },
 * });
 * console.assert(checkClient(client)[0]?.help === "did you mean `path`?");
 * ```
 */
export function checkClient(client: Client): ClientProblem[] {
  return [
    ...checkRecognition(client),
    ...checkAliases(client),
    ...Object.entries(client.tools).flatMap(([name, tool]) => [
      ...checkForm(client, { path: ["tools", name], form: tool }),
      ...tool.forms.flatMap((form, index) =>
        checkForm(client, { path: ["tools", name, "forms", index], form })
      ),
    ]),
    ...checkParameters(client, { path: ["every_tool"], parameters: client.every_tool }),
  ];
}

function checkRecognition(client: Client): ClientProblem[] {
  const tools = Object.keys(client.tools);
  return client.recognize.any_tool.flatMap((name, index) =>
    Object.hasOwn(client.tools, name) ? [] : [unknownName({
      path: ["recognize", "any_tool", index],
      message: `No tool "${name}" is declared`,
      expected: "a tool of this client",
      name,
      known: tools,
    })]
  );
}

function checkAliases(client: Client): ClientProblem[] {
  const owners = new Map(Object.keys(client.tools).map((name) => [name, name]));
  const problems: ClientProblem[] = [];
  for (const [tool, { aliases }] of Object.entries(client.tools)) {
    for (const [index, alias] of aliases.entries()) {
      const owner = owners.get(alias);
      if (owner !== undefined) {
        problems.push({
          path: ["tools", tool, "aliases", index],
          message: `The name "${alias}" already means ${owner}`,
          expected: "a name that refers to only one tool",
          help: "remove one of the two",
        });
      } else owners.set(alias, tool);
    }
  }
  return problems;
}

interface FormContext {
  readonly path: Path;
  readonly form: { readonly parameters: Parameters; readonly write?: string | undefined };
}

function checkForm(client: Client, { path, form }: FormContext): ClientProblem[] {
  const problems = checkParameters(client, { path: [...path, "parameters"], parameters: form.parameters });
  if (form.write === undefined) return problems;
  const parameters = { ...form.parameters, ...client.every_tool };
  return [
    ...problems,
    ...checkTemplate(form.write, { path: [...path, "write"], parameters }),
  ];
}

/** Every placeholder is declared, and every required parameter has one. */
function checkTemplate(
  write: string,
  { path, parameters }: { path: Path; parameters: Parameters },
): ClientProblem[] {
  const found = placeholders(write);
  const unknown = found.filter(({ name }) => !Object.hasOwn(parameters, name)).map((
    { name, start, end },
  ) => ({
    ...unknownName({
      path,
      message: `The template names a parameter "${name}" that is not declared`,
      expected: "a parameter declared next to `write`",
      name,
      known: Object.keys(parameters),
    }),
    offset: start,
    length: end - start,
  }));
  const forgotten = Object.entries(parameters)
    .filter(([name, { required }]) => required && !found.some((placeholder) => placeholder.name === name))
    .map(([name]) => ({
      path,
      message: `The template leaves out the required parameter "${name}"`,
      expected: `\`{${name}}\` somewhere in it`,
    }));
  return [...unknown, ...forgotten];
}

interface ParametersContext {
  readonly path: Path;
  readonly parameters: Parameters;
}

function checkParameters(client: Client, { path, parameters }: ParametersContext): ClientProblem[] {
  return Object.entries(parameters).flatMap(([name, parameter]) => [
    ...checkReferences([...path, name], { parameter, parameters }),
    ...checkEntities(client, { path: [...path, name], parameter }),
    ...checkList([...path, name], parameter),
    ...checkParameters(client, { path: [...path, name, "each"], parameters: parameter.each }),
    ...(parameter.write === undefined
      ? []
      : checkTemplate(parameter.write, { path: [...path, name, "write"], parameters: parameter.each })),
  ]);
}

function checkReferences(
  path: Path,
  { parameter, parameters }: { parameter: Parameter; parameters: Parameters },
): ClientProblem[] {
  const named: [Path, string][] = Object.keys(parameter.raw_if.parameter_ends_with)
    .map((name) => [[...path, "raw_if", "parameter_ends_with", name], name]);
  if (parameter.lines_of !== undefined) named.push([[...path, "lines_of"], parameter.lines_of]);
  return named.filter(([, name]) => !Object.hasOwn(parameters, name)).map(([at, name]) =>
    unknownName({
      path: at,
      message: `No parameter "${name}" is declared next to this one`,
      expected: "another parameter of the same tool",
      name,
      known: Object.keys(parameters),
    })
  );
}

function checkEntities(
  client: Client,
  { path, parameter }: { path: Path; parameter: Parameter },
): ClientProblem[] {
  if (parameter.escape !== "entities" && parameter.escape !== "markup") return [];
  const missing = ["&lt;", "&amp;"].filter((entity) => !client.entities.guarded.includes(entity));
  return missing.map((entity) => ({
    path: [...path, "escape"],
    message: `Values are escaped with ${entity}, but \`entities.guarded\` does not list it`,
    expected: `\`${entity}\` in \`entities.guarded\``,
    help: "list the entities that the client decodes, or use `escape: none`",
  }));
}

function checkList(path: Path, { type, each, write, max, as_written, join }: Parameter): ClientProblem[] {
  if (type === "list") {
    return Object.keys(each).length > 0 ? [] : [{
      path,
      message: "A list does not define its entries",
      expected: "`each` with at least one parameter",
    }];
  }
  const entryFields = { each: Object.keys(each)[0], write, as_written: as_written[0] };
  const fields = join === undefined ? { ...entryFields, max } : { max };
  return Object.entries(fields).filter(([, value]) => value !== undefined).map(([field]) => ({
    path: [...path, field],
    message: `\`${field}\` is set for a parameter that is not a list`,
    expected: "`type: list` next to it",
  }));
}

interface UnknownName {
  readonly path: Path;
  readonly message: string;
  readonly expected: string;
  readonly name: string;
  readonly known: readonly string[];
}

function unknownName({ path, message, expected, name, known }: UnknownName): ClientProblem {
  const help = didYouMean(name, known);
  return { path, message, expected, ...present({ help }) };
}
