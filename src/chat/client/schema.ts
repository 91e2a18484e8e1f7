/** The client format as one value: types, checks at load and the JSON Schema for editors. @module */
import * as z from "zod";

const name = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "a name that consists of letters, digits, and _");
const texts = z.array(z.string().min(1)).default([]);

const section = z.strictObject({
  heading: z.string().min(1).describe("The line that opens the list of tools"),
  tool: z.array(z.string().regex(/^[^{]*\{tool\}[^{]*$/, "one `{tool}`, as in '## {tool}'")).min(1).describe(
    "The lines that introduce one tool, with `{tool}` for its name; a `…` at the end matches the rest of the line",
  ),
  ends: texts.describe(
    "The lines that end the list; a `…` at the end matches the rest of the line. They have no effect inside a tool's example",
  ),
});

const recognize = z.strictObject({
  order: z.number().int().default(100).describe("Clients with a lower number are tried first"),
  has_tools: z.boolean().default(false).describe("The request has a `tools` or `functions` list"),
  tools_section: z.array(section).default([]).describe(
    "The sections of the system prompt that can list the tools; Dragoman uses the first that names a tool of this client",
  ),
  user_agent: texts.describe("Prefixes of the User-Agent header"),
  native_from: z.record(z.string(), z.string().regex(/^\d+(\.\d+)*$/)).default({}).describe(
    "Prefix of the User-Agent header → the first version that executes only `tool_calls`; its requests without tools pass unchanged",
  ),
  titles: texts.describe("Values of the X-Title header"),
  headers: z.array(z.string().regex(/^[a-z0-9-]+$/, "a header's name in lower case, as in 'x-agent'"))
    .default([]).describe("Names of headers that only this client sends"),
  prompt: texts.describe("Phrases in the system prompt"),
  any_tool: texts.describe("Listed tools that only this client has"),
});

const unwritable = z.strictObject({
  contains: texts.describe("Strings that the client would misread anywhere in a value"),
  numbered_lines: z.boolean().default(false).describe(
    "Whether the client strips line numbers if every line begins with a number and `|`",
  ),
}).describe(
  "Values that the client can't read unchanged; Dragoman doesn't write a call with such a value, but sends its original text",
);

const rawIf = z.strictObject({
  model_contains: texts.describe("The request's `model` contains one of these"),
  parameter_ends_with: z.record(name, z.array(z.string().min(1))).default({}).describe(
    "Another parameter's value ends with one of these",
  ),
}).describe("Exceptions in which the client decodes nothing, so that the value must be written raw");

const parameterFields = {
  description: z.string().optional().describe("A one-sentence description for readers"),
  from: z.array(z.string().min(1)).default([]).describe(
    "The names under which models write the value; Dragoman uses the first one that is present. A dot selects a key of an object (`args.file`), `[]` at the end accepts only a list or an object, and `.` is all the arguments. Unless listed, the parameter's own name comes first",
  ),
  type: z.enum(["string", "integer", "number", "boolean", "object", "list"]).default("string").describe(
    "The type of the value; an `object` is written as JSON, a `list` entry by entry",
  ),
  required: z.boolean().default(false).describe("Whether the call is written only with this parameter"),
  default: z.union([z.string(), z.number(), z.boolean()]).optional().describe(
    "The value to write if the model gave none",
  ),
  lines_of: name.optional().describe("Computed: the number of lines in another parameter's value"),
  only_if_documented: z.boolean().default(false).describe(
    "Whether the parameter is written only if the system prompt lists it in the tool's description",
  ),
  join: z.string().optional().describe(
    "The text that joins a list into one value; with `each`, an entry is written by `write`, or is the first value of `each`",
  ),
  lines: z.boolean().default(false).describe(
    "Whether a string is split into a list of its lines, without bullets and numbers; it stays unchanged if every line is `as_written`",
  ),
  escape: z.enum(["none", "entities", "markup", "balanced", "xml", "json"]).default("none").describe(
    "What to escape. `none`: nothing. `entities`: the client's entities and the parameter's closing tag. `markup`: also every `<`. `xml`: every &, < and >. `balanced`: nothing if all tags in the value are closed; otherwise every `<` becomes `&lt;`, which the client shows. `json`: `</` in JSON text, which becomes `<\\/`",
  ),
  shell: z.boolean().default(false).describe(
    "Whether the value is a shell command. HTML entities outside its quotes, which no shell can mean, are then decoded once",
  ),
  raw_if: rawIf.prefault({}),
  newline_around: z.boolean().default(false).describe(
    "A newline after the opening and before the closing tag",
  ),
  trimmed: z.boolean().default(true).describe(
    "Whether the client trims the value; leading and trailing whitespace is then lost, and the log notes the loss",
  ),
  over_limit: z.enum(["refuse", "escape"]).default("refuse").describe(
    "What to do with a value longer than `value_limit`: `refuse` the call, or `escape` every `<` in the value",
  ),
  unwritable: unwritable.prefault({}),
  dropped_lines: texts.describe(
    "Strings that make the client drop the first line of a value that begins with one, and the last line of a value that ends with one. Dragoman writes an extra line",
  ),
  spread: texts.describe(
    "Names of lists inside an entry; the entry is written once for each item of such a list",
  ),
  max: z.number().int().positive().optional().describe(
    "The maximum number of entries; a longer list is not written",
  ),
  write: z.string().optional().describe(
    "How one entry of a list is written, with `{parameter}` for the values; a line with a missing value is left out",
  ),
  as_written: texts.describe(
    "Prefixes of values that are already in the client's notation and are sent unchanged",
  ),
  values: z.record(z.string(), z.string()).default({}).describe(
    "Value in lower case → what is written for it (`in_progress: '-'`); any other value counts as missing",
  ),
  written_as: z.record(z.string().min(1), z.string()).default({}).describe(
    "String that the client would change when it parses the value → the string that it parses as the original",
  ),
  trimmed_if: z.strictObject({
    listed: z.array(name).min(1).describe("The prompt lists all these tools"),
    unlisted: z.array(name).min(1).describe("It lists none of these"),
  }).optional().describe(
    "Exception: if the prompt shows that the client is an old version, the client does trim whitespace",
  ),
};

/** One parameter of a tool, or of an entry of a list. */
export interface Parameter extends z.infer<z.ZodObject<typeof parameterFields>> {
  /** What an entry of a list has; a plain entry is the value of the first. */
  readonly each: Readonly<Record<string, Parameter>>;
}

interface ParameterInput extends z.input<z.ZodObject<typeof parameterFields>> {
  readonly each?: Readonly<Record<string, ParameterInput>> | undefined;
}

const parameterSchema: z.ZodType<Parameter, ParameterInput> = z.strictObject({
  ...parameterFields,
  each: z.record(name, z.lazy(() => parameterSchema)).default({}).describe(
    "The parameters of one entry of a list; an entry that is not an object becomes the value of the first parameter",
  ),
});

const parameters = z.record(name, parameterSchema).default({});

const form = z.strictObject({
  if_documented: z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*@?$/)).min(1).describe(
    "The parameters that the system prompt must list in the tool's description; `name@`: with an `@` in the example of its value",
  ),
  parameters: parameters.describe("The parameters of this form"),
  write: z.string().optional().describe("How the call is written in this form"),
});

const tool = z.strictObject({
  description: z.string().optional().describe("A one-sentence description for readers"),
  aliases: z.array(name).default([]).describe("Other names that models use for it"),
  parameters: parameters.describe(
    "The parameters; without `write`, each is one element, in this order",
  ),
  write: z.string().optional().describe(
    "How the whole call is written, with `{parameter}` for the values; a line with a missing value is left out",
  ),
  forms: z.array(form).default([]).describe(
    "Other forms of the tool; the first whose `if_documented` is true replaces the parameters above",
  ),
});

export const clientSchema = z.strictObject({
  client: z.string().regex(/^[a-z][a-z0-9_]*$/, "a name that consists of lowercase letters, digits, and _")
    .describe(
      "The client's name, the same as its file's",
    ),
  description: z.string().optional().describe("Notes about the client for readers"),
  recognize: recognize.prefault({}),
  writes: z.enum(["tool_calls", "text"]).describe(
    "The form of calls that the client executes: OpenAI's `tool_calls`, or calls in the answer's text",
  ),
  reads: z.array(z.string()).default([]).describe(
    "Dialects that the client can execute itself; Dragoman sends the model's text for such a call unchanged",
  ),
  reasoning_text: z.enum(["separate", "keep"]).default("separate").describe(
    "How the client reads reasoning that the model prints in its text. `separate`: in a separate field; `keep`: from the tags in the text",
  ),
  reasoning_field: z.enum(["reasoning_content", "reasoning"]).default("reasoning_content").describe(
    "The field of chat completions in which the client reads reasoning that the model printed in its text",
  ),
  calls: z.enum(["streamed", "whole"]).default("streamed").describe(
    "When the client gets a call. `streamed`: while the model writes the arguments; `whole`: only when it is complete, for clients that would run part of a call",
  ),
  keep_alive: z.enum(["comment", "chunk", "none"]).default("comment").describe(
    "What keeps a chat-completions stream alive while no data is sent. `comment`: a comment, for clients whose timeout counts bytes; `chunk`: an empty chunk, for clients whose timeout counts events; `none`: nothing, on every wire",
  ),
  cache_help: z.string().optional().describe(
    "The client's setting that keeps its prompts from changing with every request, so that the server can use its cache",
  ),
  calls_per_message: z.number().int().positive().optional().describe(
    "The maximum number of calls per message; the answer ends after them. By default, there is no limit",
  ),
  entities: z.strictObject({
    guarded: texts.describe("Entities that the client decodes; Dragoman escapes the `&` of such an entity"),
    lost: texts.describe(
      "Entities that the client decodes even if their `&` is escaped; a value with one of them is not written",
    ),
  }).prefault({}),
  value_limit: z.number().int().positive().optional().describe(
    "The longest value that the client's parser accepts, in characters",
  ),
  message_limit: z.number().int().positive().optional().describe(
    "The longest message that the client's parser accepts, in characters",
  ),
  results: z.strictObject({
    label: z.string().includes("{tool}").optional().describe(
      "The prefix of a call's result in a user message, with `{tool}` for the tool's name",
    ),
    label_end: z.string().min(1).optional().describe("The text that ends this prefix"),
    rejected: texts.describe(
      "Prefixes of a result that show that the client could not use the call; `…` is any text",
    ),
    volatile: texts.describe(
      "Lines of a result that change every time, such as the duration of a command, with `*` for any text; they are ignored when results are compared",
    ),
    no_call: texts.describe(
      "Prefixes of a user message that show that the client found no call in the answer",
    ),
  }).prefault({}).describe(
    "How the next request shows whether the client accepted or rejected a call",
  ),
  tools: z.record(name, tool).default({}).describe("The tools that the client can execute"),
  parser_tools: z.array(name).default([]).describe(
    "Other names that the client's parser treats as tools; Dragoman disarms their tags in text, like those of `tools`",
  ),
  every_tool: parameters.describe("Parameters that every tool has, after its own"),
});

export type Client = z.infer<typeof clientSchema>;

export type ClientTool = Client["tools"][string];

/** How and by which parameters a tool is written for one request. */
export interface ToolForm {
  /** Parameter → how it is found and written, in the order in which they are written. */
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** The template of the whole call; without it each parameter is one element. */
  readonly write?: string | undefined;
}
