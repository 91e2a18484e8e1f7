import assert from "node:assert/strict";
import { ruleSchema } from "../../../src/engine/rule/schema.ts";

const least = { rule: "my_rule", pattern: "<c {tool}>(?<body>…)</c>", body: "json" };

Deno.test("ruleSchema fills in everything but name, pattern and body", () => {
  const rule = ruleSchema.parse(least);
  assert.deepEqual(rule, {
    ...least,
    dialects: [],
    enabled: true,
    keys: "any",
    json: {},
    call_list: {},
    tagged: { containers: [], escapes: "none", extra_keys: [], nested: false, unwrap: [] },
    opaque: {
      precedence: "after_calls",
      prefilled: false,
      sends_as: "content",
      shows: "all",
      unclosed: "region",
    },
    group: { meta: [] },
    call: {},
    confidence: 0.9,
    begins: "anywhere",
    followed_by: "anything",
    in_code: "never",
    envelope: {
      name: ["name"],
      arguments: ["arguments", "parameters"],
      inline: [],
      nested: [],
      ignore: ["id", "type", "tool_call_id"],
      name_prefixes: [],
      keyed: false,
    },
    name_escapes: "none",
    names: "exact",
    examples: [],
    untouched: [],
  });
});

Deno.test("ruleSchema fills in what an example leaves out", () => {
  const rule = ruleSchema.parse({
    ...least,
    examples: [{ name: "one", offered: ["f"], input: "x", calls: [{ tool: "f" }] }],
  });
  assert.deepEqual(rule.examples, [
    { name: "one", offered: ["f"], input: "x", text: "", calls: [{ tool: "f", arguments: {} }] },
  ]);
});

const wrong: [name: string, fields: Record<string, unknown>, path: string][] = [
  ["a name in capitals", { rule: "MyRule" }, "rule"],
  ["a name with a dash", { rule: "my-rule" }, "rule"],
  ["no pattern", { pattern: undefined }, "pattern"],
  ["a body that does not exist", { body: "toml" }, "body"],
  ["a confidence above 1", { confidence: 1.5 }, "confidence"],
  ["a confidence in words", { confidence: "high" }, "confidence"],
  ["a commit that does not exist", { commit: "later" }, "commit"],
  ["an unknown field", { patern: "x" }, ""],
  [
    "an unknown field of an example",
    { examples: [{ name: "a", offered: [], input: "", calls: [], x: 1 }] },
    "examples.0",
  ],
  ["an example without calls", { examples: [{ name: "a", offered: [], input: "" }] }, "examples.0.calls"],
  ["an empty list of tools", { call: { tool: [] } }, "call.tool"],
  ["an envelope without a name's key", { envelope: { name: [] } }, "envelope.name"],
  ["a tool's name that is no text", { call: { tool: { a: 5 } } }, "call.tool"],
];

for (const [name, fields, path] of wrong) {
  Deno.test(`ruleSchema refuses ${name}`, () => {
    const { error } = ruleSchema.safeParse({ ...least, ...fields });
    assert.deepEqual(error?.issues.map((issue) => issue.path.join(".")), [path]);
  });
}
