/**
 * The client format as one value: the TypeScript types, the checks at load and the JSON Schema for editors all
 * come from here. A client file states how to recognize an agent, which tools it runs, and how to write a call so
 * that the agent reads back exactly the values that were meant.
 *
 * @module
 */
import * as z from "zod";

const name = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "a name of letters, digits and _");
const texts = z.array(z.string().min(1)).default([]);

const section = z.strictObject({
  heading: z.string().min(1).describe("The line that opens the list of tools"),
  tool: z.array(z.string().regex(/^[^{]*\{tool\}[^{]*$/, "one `{tool}`, as in '## {tool}'")).min(1).describe(
    "The lines that introduce one tool, with `{tool}` for its name; a `…` at the end matches the rest of the line",
  ),
  ends: texts.describe(
    "The lines that end the list; a `…` at the end matches the rest of the line. Inside the example of a tool nothing ends it",
  ),
});

const recognize = z.strictObject({
  order: z.number().int().default(100).describe("Clients with a lower number are tried first"),
  has_tools: z.boolean().default(false).describe("The request has a list `tools` or `functions`"),
  tools_section: z.array(section).default([]).describe(
    "Where the system prompt lists the tools; the first section that names a tool of this client counts",
  ),
  user_agent: texts.describe("Beginnings of the User-Agent header"),
  native_from: z.record(z.string(), z.string().regex(/^\d+(\.\d+)*$/)).default({}).describe(
    "Beginning of the User-Agent header → the first version that executes `tool_calls` only; a request of it without tools passes untouched",
  ),
  titles: texts.describe("Values of the X-Title header"),
  headers: z.array(z.string().regex(/^[a-z0-9-]+$/, "a header's name in lower case, as in 'x-agent'"))
    .default([]).describe("Names of headers that only this client sends"),
  prompt: texts.describe("Phrases of the system prompt"),
  any_tool: texts.describe("Listed tools that only this client has"),
});

const unwritable = z.strictObject({
  contains: texts.describe("What the client would misread anywhere"),
  numbered_lines: z.boolean().default(false).describe(
    "The client strips line numbers where every line begins with a number and `|`",
  ),
}).describe(
  "Values that the client cannot read back as they are; a call with one is not written, its original text is sent",
);

const rawIf = z.strictObject({
  model_contains: texts.describe("The request's `model` contains one of these"),
  parameter_ends_with: z.record(name, z.array(z.string().min(1))).default({}).describe(
    "Another parameter's value ends with one of these",
  ),
}).describe("Where the client decodes nothing after all, and the value has to be written raw");

const parameterFields = {
  description: z.string().optional().describe("One sentence for people"),
  from: z.array(z.string().min(1)).default([]).describe(
    "The names under which a model may give the value, the first that is there counts; a dot goes into an object (`args.file`), `[]` at the end takes only a list or an object, `.` alone is the whole of the arguments. Without it, and where the list leaves it out, the own name comes first",
  ),
  type: z.enum(["string", "integer", "number", "boolean", "object", "list"]).default("string").describe(
    "What the value is; `object` is written as JSON, `list` entry by entry",
  ),
  required: z.boolean().default(false).describe("Without it the call is not written"),
  default: z.union([z.string(), z.number(), z.boolean()]).optional().describe(
    "Written where the model gave none",
  ),
  lines_of: name.optional().describe("Computed: the number of lines of another parameter"),
  only_if_documented: z.boolean().default(false).describe(
    "Written only where the request's own prompt names it in the tool's description",
  ),
  join: z.string().optional().describe(
    "A list is accepted and joined with this; with `each`, an entry is written by `write`, or is the first value of `each`",
  ),
  lines: z.boolean().default(false).describe(
    "A text is the list of its lines, without bullets and numbers; it stays as it is if every line is `as_written`",
  ),
  escape: z.enum(["none", "entities", "markup", "balanced", "xml", "json"]).default("none").describe(
    "`none`: as it is. `entities`: raw but for the client's entities and the parameter's closing tag. `markup`: the same, and every `<`. `xml`: every &, < and >. `balanced`: as it is where its tags close, else every `<` becomes `&lt;`, which the client shows. `json`: JSON text in which `</` is written `<\\/`",
  ),
  raw_if: rawIf.prefault({}),
  newline_around: z.boolean().default(false).describe(
    "A newline after the opening and before the closing tag",
  ),
  trimmed: z.boolean().default(true).describe(
    "The client cuts white space off both ends; it is lost, and noted. false: the client keeps it",
  ),
  over_limit: z.enum(["refuse", "escape"]).default("refuse").describe(
    "A value longer than the client's `value_limit`: `refuse` the call, or `escape` every `<` in it",
  ),
  unwritable: unwritable.prefault({}),
  dropped_lines: texts.describe(
    "Where a value begins with one of these, the client drops its first line, and where it ends with one, its last: a line more is written",
  ),
  spread: texts.describe(
    "An entry that has a list under one of these names is written once for each of the list",
  ),
  max: z.number().int().positive().optional().describe("A list with more entries is not written"),
  write: z.string().optional().describe(
    "One entry of a list, with `{parameter}` for the values; a line with a value that is absent is left out",
  ),
  as_written: texts.describe(
    "A text that begins with one of these is already in the client's notation and is sent as it is",
  ),
  values: z.record(z.string(), z.string()).default({}).describe(
    "What a value is written as, by its lower-case form (`in_progress: '-'`); another value counts as absent",
  ),
  written_as: z.record(z.string().min(1), z.string()).default({}).describe(
    "Texts that the client replaces when it reads the value, and what it reads back as each of them",
  ),
  trimmed_if: z.strictObject({
    listed: z.array(name).min(1).describe("The prompt lists all these tools"),
    unlisted: z.array(name).min(1).describe("It lists none of these"),
  }).optional().describe(
    "The client cuts white space off after all where its prompt shows that it is an old version",
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
    "The parameters of one entry of a list; an entry that is not an object is the value of the first one",
  ),
});

const parameters = z.record(name, parameterSchema).default({});

const form = z.strictObject({
  if_documented: z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*@?$/)).min(1).describe(
    "The request's own prompt names all these in the tool's description; `name@`: with an `@` in the example of its value",
  ),
  parameters: parameters.describe("The parameters of this form"),
  write: z.string().optional().describe("How the call is written in this form"),
});

const tool = z.strictObject({
  description: z.string().optional().describe("One sentence for people"),
  aliases: z.array(name).default([]).describe("Other names that models use for it"),
  parameters: parameters.describe(
    "The parameters; without `write`, each is one element, in this order",
  ),
  write: z.string().optional().describe(
    "The whole call, with `{parameter}` for the values; a line with a value that is absent is left out",
  ),
  forms: z.array(form).default([]).describe(
    "Other forms of the tool; the first whose `if_documented` holds replaces the parameters above",
  ),
});

export const clientSchema = z.strictObject({
  client: z.string().regex(/^[a-z][a-z0-9_]*$/, "a name of lower-case letters, digits and _").describe(
    "The client's name, the same as its file's",
  ),
  description: z.string().optional().describe("What is known of the client, for people"),
  recognize: recognize.prefault({}),
  writes: z.enum(["tool_calls", "text"]).describe(
    "What the client executes: OpenAI's `tool_calls`, or calls in the text of the answer",
  ),
  reads: z.array(z.string()).default([]).describe(
    "Dialects that the client executes by itself; the model's own text of such a call is sent as it is",
  ),
  reasoning_text: z.enum(["separate", "keep"]).default("separate").describe(
    "Reasoning that the model prints in its text. `separate`: the client reads reasoning in a field of its own; `keep`: it reads the marks in the text, and no field",
  ),
  reasoning_field: z.enum(["reasoning_content", "reasoning"]).default("reasoning_content").describe(
    "The field of chat completions in which the client reads reasoning that the model printed in its text",
  ),
  calls: z.enum(["streamed", "whole"]).default("streamed").describe(
    "`whole`: the client runs what it gets of a call, so it gets one only when it is whole; `streamed`: the arguments arrive while the model writes them",
  ),
  keep_alive: z.enum(["comment", "chunk", "none"]).default("comment").describe(
    "What keeps a chat-completions stream alive while there is nothing to send. `comment`: a comment, which is enough where bytes count; `chunk`: a chunk with nothing in it, for clients whose clock counts events; `none`: nothing, on every wire",
  ),
  cache_help: z.string().optional().describe(
    "What to set in the client if its prompts change from request to request, so that the server's cache holds",
  ),
  calls_per_message: z.number().int().positive().optional().describe(
    "The number of calls after which the answer ends; by default there is no limit",
  ),
  entities: z.strictObject({
    guarded: texts.describe("What the client's decoder turns back; `&` in front of one of them is escaped"),
    lost: texts.describe("What the decoder turns back even then; a value with one of them is not written"),
  }).prefault({}),
  value_limit: z.number().int().positive().optional().describe(
    "Characters of one written value that the client's parser takes",
  ),
  message_limit: z.number().int().positive().optional().describe(
    "Characters of one message that the client's parser takes",
  ),
  results: z.strictObject({
    label: z.string().includes("{tool}").optional().describe(
      "How the result of a call begins in a user's message, with `{tool}` for the tool's name",
    ),
    label_end: z.string().min(1).optional().describe("What ends that beginning"),
    rejected: texts.describe(
      "Phrases at the beginning of a result that show that the client could not use the call; `…` is any text",
    ),
    volatile: texts.describe(
      "Lines of a result that differ each time, such as how long a command took, with `*` for any characters; results that differ only in them count as equal",
    ),
    no_call: texts.describe(
      "Phrases at the beginning of a user's message that show that the client found no call in the answer",
    ),
  }).prefault({}).describe(
    "How the next request shows what became of a call; the audit log counts it as accepted or rejected",
  ),
  tools: z.record(name, tool).default({}).describe("The tools that the client can execute"),
  parser_tools: z.array(name).default([]).describe(
    "Other names that the client's parser takes for tools; their tags in text are made inert, as those of `tools` are",
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
