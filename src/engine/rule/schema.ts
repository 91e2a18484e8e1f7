/** The rule format as one value: types, checks and JSON Schema. A rule describes how one dialect writes one call. @module */
import * as z from "zod";
import { speakSchema } from "./speak_schema.ts";

const name = z.string().regex(
  /^[a-z][a-z0-9_]*$/,
  "a name that consists of lowercase letters, digits, and _",
);

const offered = z.union([
  z.array(z.string()),
  z.record(z.string(), z.record(z.string(), z.unknown())),
]).describe(
  "The tools that the request offers: a list of names, or name → {parameter: type}. A type is the name of a JSON Schema type (with a trailing ? for an optional parameter) or a JSON Schema",
);

const example = z.strictObject({
  name: z.string().describe("A short name for the case"),
  offered,
  input: z.string().describe("The model's text"),
  text: z.string().default("").describe("The text that the client gets"),
  calls: z.array(z.strictObject({
    tool: z.string(),
    arguments: z.record(z.string(), z.unknown()).default({}),
  })).describe("The calls that the client gets"),
});

const untouched = z.strictObject({
  name: z.string().describe("The reason why the text is not a call"),
  offered,
  input: z.string().describe("The model's text, which stays unchanged"),
});

export const BODY_KINDS = [
  "text",
  "json",
  "envelope",
  "call_list",
  "tagged",
  "yaml",
  "none",
  "opaque",
  "group",
] as const;

const stringMark = z.string().min(1).optional().describe(
  "A delimiter that encloses raw strings, in addition to quotes; keys can then be unquoted",
);

const between = z.string().optional().describe(
  "A regular expression for the text between two calls in one hole; by default, only whitespace",
);

const json = z.strictObject({ string_mark: stringMark });

const envelope = z.strictObject({
  name: z.array(z.string()).min(1).default(["name"]).describe("Keys for the tool's name"),
  arguments: z.array(z.string()).default(["arguments", "parameters"]).describe(
    "Keys for the arguments",
  ),
  inline: z.array(z.string()).default([]).describe(
    "Keys for the tool's name if the arguments are next to it in the same object",
  ),
  nested: z.array(z.string()).default([]).describe(
    'Keys of an object that contains the name and the arguments: `{"function": {"name": …, "arguments": …}}`',
  ),
  ignore: z.array(z.string()).default(["id", "type", "tool_call_id"]).describe(
    "Keys to ignore",
  ),
  name_prefixes: z.array(z.string().min(1)).default([]).describe(
    "Prefixes to remove from the tool's name (`functions.`)",
  ),
  keyed: z.boolean().default(false).describe(
    'Whether the envelope has one key, which is the tool\'s name, and the arguments are its value: `{"read_file": {…}}`',
  ),
  between,
  string_mark: stringMark,
});

const callList = z.strictObject({ between });

const tagged = z.strictObject({
  item: z.union([z.string(), z.array(z.string()).min(1)]).optional().describe(
    "A regular expression for one key and its value, with the groups `(?<key>)` and `(?<value>…)`. A group `(?<type>)` captures the JSON type that the model states, and `(?<string>true|false)` whether the value is a string. For several notations, write a list; the longest match wins",
  ),
  nested: z.boolean().default(false).describe(
    "Whether a value can contain items, which make it an object or a list",
  ),
  escapes: z.enum(["none", "entities", "backslash"]).default("none").describe(
    "How values escape special characters: not at all, as XML entities, or with a backslash as in JSON",
  ),
  unwrap: z.array(z.string()).default([]).describe(
    "Keys that aren't parameters but contain an object of parameters, unless the tool declares them",
  ),
  containers: z.array(z.string()).default([]).describe(
    "Names of elements that can enclose the parameters",
  ),
  extra_keys: z.array(z.string()).default([]).describe(
    "Keys that count as items even if no schema declares them, such as those that clients add to every tool",
  ),
});

const opaque = z.strictObject({
  region: z.enum(["fence", "quote", "reasoning", "answer", "residue", "opener", "leak", "result"]).optional()
    .describe(
      "The kind of text. In an `answer`, Dragoman makes calls, and only the markers around it are special. Dragoman removes a `residue` along with the call next to it, a wrapper's `opener` if a call follows later, and a `leak` if the upstream also sends the call itself. A `result` that the model invents after a call ends the answer",
    ),
  shows: z.enum(["all", "text", "nothing"]).default("all").describe(
    "What the client gets: all of it, the text without its opener and closer, or nothing",
  ),
  sends_as: z.enum(["content", "reasoning"]).default("content").describe(
    "For reasoning: whether the text is sent as content or as `reasoning_content`",
  ),
  prefilled: z.boolean().default(false).describe(
    "For reasoning: whether an upstream's template can open it (`begins_in_reasoning`)",
  ),
  precedence: z.enum(["before_calls", "after_calls"]).default("after_calls").describe(
    "Whether the text takes precedence over a call that begins at the same position",
  ),
  unclosed: z.enum(["region", "text"]).default("region").describe(
    "The meaning of an opener without a closer. `region`: the region extends to the end of the answer; `text`: the opener is text",
  ),
});

const group = z.strictObject({
  meta: z.array(z.string()).default([]).describe(
    "Items of the inner calls that identify the call and aren't arguments",
  ),
});

const call = z.strictObject({
  tool: z.union([z.string(), z.array(z.string()).min(1), z.record(z.string(), z.string())]).optional()
    .describe(
      "The tool to call, or a list from which the first offered tool is called. Without it, the text names the tool; a mapping from names in the text to tools renames it",
    ),
  parameters: z.record(z.string(), z.unknown()).optional().describe(
    "Parameter → a constant, or `$name`. In a `text` body, `$name` is a group of the pattern (`$path`, `$1`) or `$body`; in other bodies, it is an argument of the call, which is renamed. Without it, the named groups of a `text` body are the parameters",
  ),
  allowed_commands: z.array(z.string()).optional().describe(
    "For shell commands: the only words that a command can begin with",
  ),
  allowed_tools: z.array(z.string()).optional().describe("The only tools that this rule can call"),
});

const fields = {
  rule: name.describe("The rule's name, the same as its file's"),
  description: z.string().optional().describe("A one-sentence description of the rule"),
  source: z.string().optional().describe(
    "The engine, model card, or template that defines the dialect",
  ),
  dialects: z.array(z.string()).default([]).describe(
    "The dialects that the rule reads, by their public names",
  ),
  enabled: z.boolean().default(true).describe("Whether the rule is on by default"),
  pattern: z.string().describe(
    "A regular expression with a hole `(?<body>…)`: the part before the hole opens a call, the part after it closes the call, and `{tool}` is the tool's name. If no group is named as the hole, the last group is the hole, and its content must match that group",
  ),
  body: z.enum(BODY_KINDS).default("text").describe("How to read the text in the hole"),
  json: json.prefault({}).describe("For `body: json`: the notation of the JSON"),
  envelope: envelope.prefault({}).describe("For `body: envelope`: the keys of the name and the arguments"),
  call_list: callList.prefault({}).describe("For `body: call_list`: the text between the calls"),
  tagged: tagged.prefault({}).describe("For `body: tagged`: the notation of the items"),
  opaque: opaque.prefault({}).describe(
    "For `body: opaque`: the kind of text, and how much of it the client gets",
  ),
  group: group.prefault({}).describe("For `body: group`: the contents of the inner calls"),
  call: call.prefault({}).describe(
    "The call to make: the tool and its parameters, if the text doesn't name them, and the calls that are allowed",
  ),
  names: z.enum(["exact", "qualified"]).default("exact").describe(
    "Whether names can have a qualifier. `qualified`: a qualifier that ends in a dot (`default_api.read_file`) is dropped, unless the full name is offered",
  ),
  name_escapes: z.enum(["none", "entities", "backslash"]).default("none").describe(
    "How the tool's name before the hole and the items' keys escape special characters, such as with XML entities in attributes",
  ),
  keys: z.enum(["any", "declared"]).default("any").describe(
    "Which keys count as items. `declared`: only parameters in the tool's schema, for tags that look like HTML",
  ),
  begins: z.enum(["anywhere", "line", "paragraph", "answer", "after_call", "after_reasoning"]).default(
    "anywhere",
  ).describe(
    "Where a call can begin: anywhere, at the start of a line, at the start of a line that doesn't follow JSON or markup (`paragraph`), at the start of the answer, directly after another call, or directly after removed reasoning",
  ),
  followed_by: z.enum(["anything", "calls", "nothing"]).default("anything").describe(
    "What can follow a call up to the end of the answer: anything, only calls and whitespace, or only whitespace",
  ),
  in_code: z.enum(["never", "opening_fence", "allowed"]).default("never").describe(
    "Whether a call can be in a code block that contains only calls and is followed only by calls. `opening_fence`: in a fence at the start of the answer; `allowed`: also in indented code",
  ),
  confidence: z.number().min(0).max(1).default(0.9).describe(
    "The confidence that a match is a call, from 0 to 1",
  ),
  commit: z.enum(["open", "first_item", "close"]).optional().describe(
    "When the client gets the call: after its opener, after its first parameter, or when it is complete. The default is `first_item`. It is `close` if `begins` isn't `anywhere`, `followed_by` isn't `anything`, the pattern begins with ^, the body is `text` or `yaml`, or the confidence is below 0.85",
  ),
  speak: speakSchema.optional().describe(
    "How Dragoman writes the dialect for a model if the upstream has no tools (`tools: prompted`)",
  ),
  examples: z.array(example).default([]).describe(
    "Model output that results in exactly these calls and this text",
  ),
  untouched: z.array(untouched).default([]).describe("Model output that stays unchanged"),
};

export const ruleSchema = z.strictObject(fields);

type FormFields = { [Field in keyof typeof fields]: z.ZodOptional<(typeof fields)[Field]> };

/** The same fields, without defaults: what a form leaves out is as in its file's rule. */
const formSchema = z.strictObject({
  ...Object.fromEntries(
    Object.entries(fields).filter(([field]) => field !== "rule").map(([field, schema]) => [
      field,
      (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault ? schema.unwrap() : schema)
        .optional()
        .describe(schema.description ?? ""),
    ]),
  ) as unknown as Omit<FormFields, "rule">,
  name: name.describe("The form's name, which settings and logs use"),
  pattern: fields.pattern,
});

/** A rule file, `rules/*.yaml`: a rule, and further forms of its dialect. */
export const ruleFileSchema = z.strictObject({
  ...fields,
  forms: z.array(formSchema).default([]).describe(
    "Variants of the dialect. Each is a rule with its own `name`, `pattern`, and `examples`, and with any other fields that differ from those above",
  ),
});

/** One rule with its defaults filled in. */
export type Rule = z.infer<typeof ruleSchema>;

/** One rule file with its defaults filled in. */
export type RuleFile = z.infer<typeof ruleFileSchema>;

/** One case of a rule that gives calls. */
export type Example = Rule["examples"][number];
