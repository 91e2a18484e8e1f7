/**
 * The part of a rule that states how its dialect is spoken to a model: how tools are announced, and how earlier calls and
 * their results are written. Each text is a template whose placeholders are words in braces.
 *
 * @module
 */
import * as z from "zod";

export const speakSchema = z.strictObject({
  models: z.array(z.string().min(1)).default([]).describe(
    "Models that know this dialect, in any case, with * for any run of characters. For `tools: prompted` without a `dialect`, the rule with the longest matching name speaks",
  ),
  announce: z.string().describe(
    "The announcement of the tools in the system message; `{tools}` is all of them",
  ),
  tool: z.string().default("{tool}").describe(
    "How one tool is announced: `{tool}` is its JSON, `{function}` the JSON of its function only, `{name}`, `{description}` and `{parameters}` are parts of the function; `{each_parameter}` is every parameter as `parameter` writes it, `{fields}` every other field of the schema as `field` writes it",
  ),
  between_tools: z.string().default("\n").describe("The text between two tools"),
  parameter: z.string().optional().describe(
    "How `{each_parameter}` writes one parameter: `{name}`, and `{fields}` for the fields of its schema as `field` writes them",
  ),
  field: z.string().optional().describe("How `{fields}` writes one field of a schema: `{key}` and `{value}`"),
  json: z.enum(["spaced", "compact", "indented"]).default("spaced").describe(
    "How JSON is written in the announcement: with a space after commas and colons, without white space, or indented by four",
  ),
  call: z.string().describe(
    "One call: `{name}`, and `{arguments}` for its arguments as one object or `{items}` for every argument as `item` writes it; `{index}` and `{number}` count the calls, from 0 and from 1",
  ),
  item: z.union([z.string(), z.array(z.string()).min(1)]).optional().describe(
    "How `{items}` writes one argument: `{key}` and `{value}`; `{type}` is the value's JSON type, `{is_string}` is `true` or `false`. A list if the dialect has several forms: a call gets the first that carries it",
  ),
  between_items: z.string().default("").describe("The text between two arguments"),
  values: z.enum(["raw", "json", "python", "marked", "elements"]).default("raw").describe(
    "How `{value}` writes a value. `raw`: a string unchanged apart from `escapes`, anything else as JSON; `json`: as JSON; `python`: as a Python literal; `marked`: strings between `string_mark`, keys bare, also in `{arguments}`; `elements`: the values of an object or a list as items of their own",
  ),
  calls: z.string().default("{calls}").describe("All calls of one message; `{calls}` is each of them"),
  between_calls: z.string().default("\n").describe("The text between two calls"),
  result: z.string().describe(
    "The result of one call: `{content}`, or `{content_json}` as a JSON string; `{name}`, `{index}` and `{number}` are those of the call",
  ),
  results: z.string().default("{results}").describe(
    "All results that the model gets in one user's message; `{results}` is each of them",
  ),
  between_results: z.string().default("\n").describe("The text between two results"),
  otherwise: z.string().optional().describe(
    "The rule that writes an earlier call that this dialect can't carry exactly. Without one, such a request is refused",
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
