/** How a dialect is spoken to a model: tools, earlier calls and results, as templates with words in braces. @module */
import * as z from "zod";

export const speakSchema = z.strictObject({
  models: z.array(z.string().min(1)).default([]).describe(
    "Names of models that know this dialect, ignoring case, with * as a wildcard. If `tools: prompted` has no `dialect`, the rule with the longest matching name is used",
  ),
  announce: z.string().describe(
    "The announcement of the tools in the system message; `{tools}` is the list of all tools",
  ),
  tool: z.string().default("{tool}").describe(
    "How one tool is announced. `{tool}` is its JSON, `{function}` the JSON of only its function, and `{name}`, `{description}`, and `{parameters}` are parts of the function. `{each_parameter}` is every parameter, written with `parameter`; `{fields}` is every other field of the schema, written with `field`",
  ),
  between_tools: z.string().default("\n").describe("The text between one tool and the next"),
  parameter: z.string().optional().describe(
    "How `{each_parameter}` writes one parameter: `{name}`, and `{fields}` for the fields of its schema, written with `field`",
  ),
  field: z.string().optional().describe("How `{fields}` writes one field of a schema: `{key}` and `{value}`"),
  json: z.enum(["spaced", "compact", "indented"]).default("spaced").describe(
    "The format of JSON in the announcement: with a space after commas and colons, without whitespace, or indented by four spaces",
  ),
  call: z.string().describe(
    "How one call is written. `{name}` is the tool's name, `{arguments}` the arguments as one object, and `{items}` every argument, written with `item`. `{index}` and `{number}` count the calls, from 0 and from 1",
  ),
  item: z.union([z.string(), z.array(z.string()).min(1)]).optional().describe(
    "How `{items}` writes one argument: `{key}` and `{value}`, `{type}` for the value's JSON type, and `{is_string}` for `true` or `false`. If the dialect has several forms, write a list; each call uses the first form that can express it",
  ),
  between_items: z.string().default("").describe("The text between one argument and the next"),
  values: z.enum(["raw", "json", "python", "marked", "elements"]).default("raw").describe(
    "How `{value}` writes a value. `raw`: strings unchanged except for `escapes`, anything else as JSON; `json`: as JSON; `python`: as a Python literal; `marked`: strings between `string_mark` and keys unquoted, also in `{arguments}`; `elements`: the values of an object or a list as separate items",
  ),
  calls: z.string().default("{calls}").describe(
    "How all calls in one message are written; `{calls}` is the list of calls",
  ),
  between_calls: z.string().default("\n").describe("The text between one call and the next"),
  result: z.string().describe(
    "How the result of one call is written: `{content}`, or `{content_json}` as a JSON string. `{name}`, `{index}`, and `{number}` refer to the call",
  ),
  results: z.string().default("{results}").describe(
    "How all results in one user message are written; `{results}` is the list of results",
  ),
  between_results: z.string().default("\n").describe("The text between one result and the next"),
  otherwise: z.string().optional().describe(
    "The rule that writes earlier calls that this dialect can't express exactly. Without it, Dragoman refuses such a request",
  ),
});

/** How a rule's dialect is spoken, with its defaults filled in. */
export type Speak = z.infer<typeof speakSchema>;

export type SpokenField = keyof typeof PLACEHOLDERS;

/** Template → the words that it can contain in braces. */
export const PLACEHOLDERS = {
  announce: ["tools"],
  tool: ["tool", "function", "name", "description", "parameters", "each_parameter", "fields"],
  parameter: ["name", "fields"],
  field: ["key", "value"],
  call: ["name", "arguments", "items", "index", "number"],
  item: ["key", "value", "type", "is_string"],
  calls: ["calls"],
  result: ["content", "content_json", "name", "index", "number"],
  results: ["results"],
} as const satisfies Readonly<Partial<Record<keyof Speak, readonly string[]>>>;
