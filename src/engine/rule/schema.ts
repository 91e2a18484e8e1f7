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

/** The kinds of bodies. */
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
});

const whitelist = z.strictObject({
  commands: z.array(z.string()).optional().describe(
    "For a shell text: the allowed first words of its simple commands",
  ),
  tools: z.array(z.string()).optional().describe("The only tools that this rule can call"),
});

/** One rule, in `rules/*.yaml`. */
export const ruleSchema = z.strictObject({
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
    "One regular expression with a hole `(?<body>…)`: the part before it opens a call, the part after it closes it; `{tool}` is the tool's name. For `opaque`, also a structure of Markdown: `{fence}`, `{indented_code}`, `{block_quote}`, `{table}`, `{code_span}`, `{link}`",
  ),
  body: z.enum(BODY_KINDS).describe("How to read the text in the hole"),
  item: z.union([z.string(), z.array(z.string()).min(1)]).optional().describe(
    "For `tagged`: one key and its value, a regular expression with `(?<key>)` and the hole `(?<value>…)`; a group `(?<type>)` holds the JSON type that the model gives the value, a group `(?<string>true|false)` whether it is a string. A list if items are written in several ways; of those that match, the longest wins",
  ),
  nested: z.boolean().default(false).describe(
    "For `tagged`: whether a value can contain items, which make it an object or a list",
  ),
  escapes: z.enum(["none", "entities", "backslash"]).default("none").describe(
    "For `tagged`: the notation of special characters in values: unchanged, as XML entities, or after a backslash as in JSON",
  ),
  name_escapes: z.enum(["none", "entities", "backslash"]).default("none").describe(
    "The notation of special characters in the tool's name before the hole and in the keys of items, such as XML entities in attributes",
  ),
  unwrap: z.array(z.string()).default([]).describe(
    "For `tagged`: keys that aren't parameters but contain an object of parameters, unless the tool declares them",
  ),
  string_mark: z.string().min(1).optional().describe(
    "For `json` and `envelope`: a mark, besides quotes, that encloses raw strings; keys can then be bare",
  ),
  between: z.string().optional().describe(
    "For `envelope` and `call_list`: a regular expression for the text between two calls of one hole; by default only white space",
  ),
  names: z.enum(["exact", "qualified"]).default("exact").describe(
    "`qualified`: a name can have a qualifier that ends in a dot (`default_api.read_file`), which is dropped unless the whole name is offered",
  ),
  keys: z.enum(["any", "declared"]).default("any").describe(
    "`declared`: only parameters that the tool's schema declares count as items (for tags that look like HTML)",
  ),
  containers: z.array(z.string()).default([]).describe(
    "Elements that can replace a parameter and contain the parameters",
  ),
  extra_keys: z.array(z.string()).default([]).describe(
    "Keys that count as items although no schema declares them (those that clients add to every tool)",
  ),
  envelope: envelope.prefault({}).describe("For `envelope`: the keys of the name and the arguments"),
  region: z.enum(["fence", "quote", "reasoning", "answer", "residue", "result"]).optional().describe(
    "For `opaque`: the kind of text; in an `answer`, calls count and only its marks are special. Directly after a call: a `residue` leaves with the call; a `result` that the model invents ends the answer",
  ),
  shows: z.enum(["all", "text", "nothing"]).default("all").describe(
    "For `opaque`: what the client gets: all, the text without its opener and closer, or nothing",
  ),
  sends_as: z.enum(["content", "reasoning"]).default("content").describe(
    "For a region of reasoning: whether the shown text is sent as content or as `reasoning_content`",
  ),
  prefilled: z.boolean().default(false).describe(
    "For a region of reasoning: whether it is the one that an upstream's template opens (`begins_in_reasoning`)",
  ),
  precedence: z.enum(["before_calls", "after_calls"]).default("after_calls").describe(
    "For `opaque`: whether it takes precedence over a call that begins at the same position",
  ),
  unclosed: z.enum(["region", "text"]).optional().describe(
    "For `opaque`: the meaning of an opener without a closer. `region` (the default): the region extends to the end of the answer; `text`: the opener is text",
  ),
  meta: z.array(z.string()).default([]).describe(
    "For `group`: items of the inner calls that identify the call and aren't arguments",
  ),
  tool: z.union([z.string(), z.array(z.string()).min(1)]).optional().describe(
    "The target tool, or a list whose first offered tool counts. Without it, the text names the tool",
  ),
  parameters: z.record(z.string(), z.string()).optional().describe(
    "Parameter → a constant, or `$name`: in a `text` body a named group of the pattern or `$body`, in other bodies an argument of the call, which is renamed",
  ),
  whitelist: whitelist.optional().describe("Which calls the rule can make"),
  confidence: z.number().min(0).max(1).default(0.9).describe(
    "How certain it is that a match is a call, from 0 to 1",
  ),
  commit: z.enum(["open", "first_item", "close"]).optional().describe(
    "When the call is announced to the client: at its opener, at its first parameter, or when it is whole. Default `first_item`; `close` if `where` or `at` isn't `anywhere`, the pattern begins with ^, the body is `text` or `yaml`, or the confidence is below 0.85",
  ),
  at: z.enum(["anywhere", "line", "paragraph", "start", "call"]).default("anywhere").describe(
    "Where a call can start: anywhere, at the start of a line, at the start of a line before which neither JSON nor markup ends, at the start of the answer, or directly after another call",
  ),
  where: z.enum(["anywhere", "ending", "last"]).default("anywhere").describe(
    "`ending`: only white space and calls can follow the call in the answer; `last`: only white space",
  ),
  inside: z.enum(["none", "fence", "any"]).default("none").describe(
    "The code in which the rule also applies, if only calls are in it and only calls follow it: none, a fence at the start of the answer, or also indented code",
  ),
  speak: speakSchema.optional().describe(
    "How the dialect is spoken to a model, for upstreams without tools (`tools: prompted`)",
  ),
  examples: z.array(example).default([]).describe("Cases that result in exactly these calls and this text"),
  untouched: z.array(untouched).default([]).describe("Cases that stay unchanged"),
});

/** One rule with its defaults filled in. */
export type Rule = z.infer<typeof ruleSchema>;

/** One case of a rule that gives calls. */
export type Example = Rule["examples"][number];
