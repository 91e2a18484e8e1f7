/**
 * The rule format as one value: the TypeScript types, the checks at load and the JSON Schema for editors come from
 * here. A rule describes how one dialect writes one tool call.
 *
 * @module
 */
import * as z from "zod";
import { speakSchema } from "./speak_schema.ts";

const name = z.string().regex(/^[a-z][a-z0-9_]*$/, "a name of lower-case letters, digits and _");

const offered = z.union([
  z.array(z.string()),
  z.record(z.string(), z.record(z.string(), z.unknown())),
]).describe(
  "The tools that the request offers: a list of names, or name → {parameter: type}, where a type is a JSON Schema type's name, one with a trailing ? for an optional parameter, or a whole JSON Schema",
);

const example = z.strictObject({
  name: z.string().describe("What the case shows"),
  offered,
  input: z.string().describe("What the model printed"),
  text: z.string().default("").describe("The text that the client gets"),
  calls: z.array(z.strictObject({
    tool: z.string(),
    arguments: z.record(z.string(), z.unknown()).default({}),
  })).describe("The calls that the client gets"),
});

const untouched = z.strictObject({
  name: z.string().describe("Why the text is not a call"),
  offered,
  input: z.string().describe("What the model printed; it stays unchanged"),
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
  "A mark, besides quotes, that encloses raw strings; keys can then be bare",
);

const between = z.string().optional().describe(
  "A regular expression for the text between two calls of one hole; by default only white space",
);

const json = z.strictObject({ string_mark: stringMark });

const envelope = z.strictObject({
  name: z.array(z.string()).min(1).default(["name"]).describe("Keys for the tool's name"),
  arguments: z.array(z.string()).default(["arguments", "parameters"]).describe(
    "Keys for the arguments",
  ),
  inline: z.array(z.string()).default([]).describe(
    "Name keys with the arguments next to them, in the same object",
  ),
  nested: z.array(z.string()).default([]).describe(
    'Keys of an object that holds the name and the arguments: `{"function": {"name": …, "arguments": …}}`',
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
    "One key and its value, a regular expression with `(?<key>)` and the hole `(?<value>…)`; a group `(?<type>)` holds the JSON type that the model gives the value, a group `(?<string>true|false)` whether it is a string. A list if items are written in several ways; of those that match, the longest wins",
  ),
  nested: z.boolean().default(false).describe(
    "Whether a value can contain items, which make it an object or a list",
  ),
  escapes: z.enum(["none", "entities", "backslash"]).default("none").describe(
    "The notation of special characters in values: unchanged, as XML entities, or after a backslash as in JSON",
  ),
  unwrap: z.array(z.string()).default([]).describe(
    "Keys that aren't parameters but contain an object of parameters, unless the tool declares them",
  ),
  containers: z.array(z.string()).default([]).describe(
    "Elements that can replace a parameter and contain the parameters",
  ),
  extra_keys: z.array(z.string()).default([]).describe(
    "Keys that count as items although no schema declares them (those that clients add to every tool)",
  ),
});

const opaque = z.strictObject({
  region: z.enum(["fence", "quote", "reasoning", "answer", "residue", "opener", "leak", "result"]).optional()
    .describe(
      "The kind of text; in an `answer`, calls count and only its marks are special. A `residue` leaves with the call directly before or after it, an `opener` of a wrapper with a call that text separates from it, a `leak` if the upstream sends the call itself, too; a `result` that the model invents directly after a call ends the answer",
    ),
  shows: z.enum(["all", "text", "nothing"]).default("all").describe(
    "What the client gets: all, the text without its opener and closer, or nothing",
  ),
  sends_as: z.enum(["content", "reasoning"]).default("content").describe(
    "For reasoning: whether the shown text is sent as content or as `reasoning_content`",
  ),
  prefilled: z.boolean().default(false).describe(
    "For reasoning: whether it is the one that an upstream's template opens (`begins_in_reasoning`)",
  ),
  precedence: z.enum(["before_calls", "after_calls"]).default("after_calls").describe(
    "Whether it takes precedence over a call that begins at the same position",
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
      "The target tool, or a list whose first offered tool counts. Without it, the text names the tool; a mapping from names in the text to tools renames it",
    ),
  parameters: z.record(z.string(), z.unknown()).optional().describe(
    "Parameter → a constant of any type, or `$name`: in a `text` body a group of the pattern (`$path`, `$1`) or `$body`, in other bodies an argument of the call, which is renamed. Without it, the named groups of a `text` body are the parameters",
  ),
  allowed_commands: z.array(z.string()).optional().describe(
    "For a shell text: the only first words of its simple commands",
  ),
  allowed_tools: z.array(z.string()).optional().describe("The only tools that this rule can call"),
});

const fields = {
  rule: name.describe("The rule's name, the same as its file's"),
  description: z.string().optional().describe("One sentence for readers"),
  source: z.string().optional().describe(
    "Where the dialect is documented: the engine, model card or template that defines it",
  ),
  dialects: z.array(z.string()).default([]).describe(
    "The dialects that the rule reads, by their public names",
  ),
  enabled: z.boolean().default(true).describe("Whether the rule is on by default"),
  pattern: z.string().describe(
    "One regular expression with a hole `(?<body>…)`: the part before it opens a call, the part after it closes it; `{tool}` is the tool's name. Without a hole, its last group is the hole, whose text must match the group",
  ),
  body: z.enum(BODY_KINDS).default("text").describe("How to read the text in the hole"),
  json: json.prefault({}).describe("For `body: json`: how its JSON is written"),
  envelope: envelope.prefault({}).describe("For `body: envelope`: the keys of the name and the arguments"),
  call_list: callList.prefault({}).describe("For `body: call_list`: what is between the calls"),
  tagged: tagged.prefault({}).describe("For `body: tagged`: how an item is written"),
  opaque: opaque.prefault({}).describe(
    "For `body: opaque`: what the text is, and what the client gets of it",
  ),
  group: group.prefault({}).describe("For `body: group`: what the inner calls contain"),
  call: call.prefault({}).describe(
    "Which call is made: the tool and its parameters where the text doesn't name them, and the only calls that are allowed",
  ),
  names: z.enum(["exact", "qualified"]).default("exact").describe(
    "`qualified`: a name can have a qualifier that ends in a dot (`default_api.read_file`), which is dropped unless the whole name is offered",
  ),
  name_escapes: z.enum(["none", "entities", "backslash"]).default("none").describe(
    "The notation of special characters in the tool's name before the hole and in the keys of items, such as XML entities in attributes",
  ),
  keys: z.enum(["any", "declared"]).default("any").describe(
    "`declared`: only parameters that the tool's schema declares count as items (for tags that look like HTML)",
  ),
  begins: z.enum(["anywhere", "line", "paragraph", "answer", "after_call", "after_reasoning"]).default(
    "anywhere",
  ).describe(
    "Where a call can begin: anywhere, at the start of a line, at the start of a line before which neither JSON nor markup ends, at the start of the answer, directly after another call, or directly after reasoning that leaves the text",
  ),
  followed_by: z.enum(["anything", "calls", "nothing"]).default("anything").describe(
    "What can follow a call up to the end of the answer: anything, only calls and white space, or only white space",
  ),
  in_code: z.enum(["never", "opening_fence", "allowed"]).default("never").describe(
    "Whether a call can be in code, if only calls are in it and only calls follow it. `opening_fence`: in a fence at the start of the answer; `allowed`: also in indented code",
  ),
  confidence: z.number().min(0).max(1).default(0.9).describe(
    "How certain it is that a match is a call, from 0 to 1",
  ),
  commit: z.enum(["open", "first_item", "close"]).optional().describe(
    "When the client gets the call: with its opener, with its first parameter, or when it is whole. Default `first_item`; `close` if `begins` isn't `anywhere`, `followed_by` isn't `anything`, the pattern begins with ^, the body is `text` or `yaml`, or the confidence is below 0.85",
  ),
  speak: speakSchema.optional().describe(
    "How the dialect is spoken to a model, for upstreams without tools (`tools: prompted`)",
  ),
  examples: z.array(example).default([]).describe("Cases that result in exactly these calls and this text"),
  untouched: z.array(untouched).default([]).describe("Cases that stay unchanged"),
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
  name: name.describe("The form's name, by which settings and logs refer to it"),
  pattern: fields.pattern,
});

/** A rule file, `rules/*.yaml`: a rule, and further forms of its dialect. */
export const ruleFileSchema = z.strictObject({
  ...fields,
  forms: z.array(formSchema).default([]).describe(
    "Other spellings of the dialect, each a rule with a name of its own: it has `name`, `pattern`, its own `examples`, and what else differs from the fields above",
  ),
});

/** One rule with its defaults filled in. */
export type Rule = z.infer<typeof ruleSchema>;

/** One rule file with its defaults filled in. */
export type RuleFile = z.infer<typeof ruleFileSchema>;

/** One case of a rule that gives calls. */
export type Example = Rule["examples"][number];
