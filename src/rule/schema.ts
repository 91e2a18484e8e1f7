/**
 * The rule format as one value: the TypeScript types, the checks at load and the JSON Schema for editors all
 * come from here. A rule says how one dialect writes one tool call.
 *
 * @module
 */
import { z } from "zod";

const name = z.string().regex(/^[a-z][a-z0-9_]*$/, "a name of lower-case letters, digits and _");

const offered = z.union([
  z.array(z.string()),
  z.record(z.string(), z.record(z.string(), z.unknown())),
]).describe(
  "The tools that the request offers: a list of names, or name → {parameter: type}, where a type is a JSON Schema type's name, one with a trailing ? for an optional parameter, or a whole JSON Schema",
);

const example = z.strictObject({
  name: z.string().describe("What the case shows, as a sentence"),
  offered,
  input: z.string().describe("What the model printed"),
  text: z.string().default("").describe("The text that the client gets"),
  calls: z.array(z.strictObject({
    tool: z.string(),
    arguments: z.record(z.string(), z.unknown()).default({}),
  })).describe("The calls that the client gets"),
});

const untouched = z.strictObject({
  name: z.string().describe("Why it is no call"),
  offered,
  input: z.string().describe("What the model printed; it leaves byte for byte"),
});

const envelope = z.strictObject({
  name: z.array(z.string()).min(1).default(["name"]).describe("Keys under which the tool's name may stand"),
  arguments: z.array(z.string()).default(["arguments", "parameters"]).describe(
    "Keys under which the arguments may stand",
  ),
  inline: z.array(z.string()).default([]).describe(
    "Name keys beside which the arguments may stand in the same object",
  ),
  ignore: z.array(z.string()).default(["id", "type", "tool_call_id"]).describe(
    "Keys that say nothing of the call",
  ),
  name_prefixes: z.array(z.string().min(1)).default([]).describe(
    "What may stand before the tool's name and does not belong to it (`functions.`)",
  ),
});

const whitelist = z.strictObject({
  commands: z.array(z.string()).optional().describe(
    "For a shell text: the words that every simple command in it may begin with",
  ),
  tools: z.array(z.string()).optional().describe("The only tools that this rule may call"),
});

/** One rule, as it stands in `rules/*.yaml`. */
export const ruleSchema = z.strictObject({
  rule: name.describe("The rule's name, the same as its file's"),
  description: z.string().optional().describe("One sentence for people"),
  source: z.string().optional().describe(
    "Where the dialect is written down: the engine, model card or template that it comes from",
  ),
  dialects: z.array(z.string()).default([]).describe(
    "The dialects that the rule reads, by their public names",
  ),
  enabled: z.boolean().default(true).describe("Whether the rule is on by default"),
  pattern: z.string().describe(
    "One regular expression with a hole `(?<body>…)`: what stands before it opens a call, what stands after it closes it; `{tool}` is the tool's name",
  ),
  body: z.enum(["text", "json", "envelope", "tagged", "xml", "opaque", "group"]).describe(
    "How the text in the hole is read",
  ),
  item: z.string().optional().describe(
    "For `tagged`: one key and its value, a regular expression with `(?<key>)` and the hole `(?<value>…)`",
  ),
  keys: z.enum(["any", "declared"]).default("any").describe(
    "`declared`: only parameters that the tool's schema declares count as items (for tags that look like HTML)",
  ),
  containers: z.array(z.string()).default([]).describe(
    "Elements that may stand where a parameter is expected and hold the parameters",
  ),
  extra_keys: z.array(z.string()).default([]).describe(
    "Keys that count as items though no schema declares them (what clients add to every tool)",
  ),
  envelope: envelope.optional().describe("For `envelope`: where the name and the arguments stand"),
  region: z.enum(["fence", "quote", "reasoning"]).optional().describe(
    "For `opaque`: what kind of text it is",
  ),
  meta: z.array(z.string()).default([]).describe(
    "For `group`: items of the inner calls that name the call and are no arguments",
  ),
  tool: z.union([z.string(), z.array(z.string()).min(1)]).optional().describe(
    "The target tool; of a list the first that is offered wins. Without it the text names the tool",
  ),
  parameters: z.record(z.string(), z.string()).optional().describe(
    "Parameter → a constant, or `$name`: in a `text` body a named group of the pattern or `$body`, in other bodies an argument of the call, which is renamed",
  ),
  whitelist: whitelist.optional().describe("What the rule may call at all"),
  confidence: z.number().min(0).max(1).default(0.9).describe("How sure it is that a match is a call, 0 to 1"),
  commit: z.enum(["open", "first_item", "close"]).optional().describe("When the client hears of the call"),
  at: z.enum(["anywhere", "line", "start"]).default("anywhere").describe(
    "Where the opener may stand: anywhere, at the start of a line, at the start of the answer",
  ),
  where: z.enum(["anywhere", "last"]).default("anywhere").describe(
    "`last`: only white space may follow the call in the answer",
  ),
  inside: z.enum(["none", "fence", "any"]).default("none").describe(
    "In which opaque regions the rule is read too: none, fences, or fences and quotations",
  ),
  examples: z.array(example).default([]).describe("Cases that must give exactly these calls and this text"),
  untouched: z.array(untouched).default([]).describe("Cases that must leave byte for byte"),
});

/** One rule with its defaults filled in. */
export type Rule = z.infer<typeof ruleSchema>;

/** One case of a rule that gives calls. */
export type Example = Rule["examples"][number];

/** One case of a rule that must not be touched. */
export type Untouched = Rule["untouched"][number];
