import assert from "node:assert/strict";
import { compileRules } from "../../../src/engine/rule/compile.ts";
import { checkFields } from "../../../src/engine/rule/fields.ts";
import { ruleSchema } from "../../../src/engine/rule/schema.ts";

const base = { rule: "r", pattern: "<c {tool}>(?<body>…)</c>", body: "json" };
const nameless = "<c>(?<body>…)</c>";
const item = "<p=(?<key>\\w+)>(?<value>…)</p>";

/** The errors of a rule: code and field of each. */
function problemsOf(fields: Record<string, unknown>): string[] {
  const { problems } = compileRules([ruleSchema.parse({ ...base, ...fields })]);
  return problems.map(({ code, path }) => `${code} ${path.join(".")}`);
}

const cases: [name: string, fields: Record<string, unknown>, problems: string[]][] = [
  ["nothing", {}, []],
  ["an envelope for another body", { envelope: { name: ["tool"] } }, ["field_conflict envelope"]],
  ["a region for another body", { region: "fence" }, ["field_conflict region"]],
  ["a tool for a group", { pattern: nameless, body: "group", tool: "f" }, ["field_conflict tool"]],
  ["a mapping for an opaque body", {
    pattern: nameless,
    body: "opaque",
    region: "quote",
    parameters: { a: "b" },
  }, [
    "field_conflict parameters",
  ]],
  ["a whitelist for a group", { pattern: nameless, body: "group", whitelist: { tools: ["f"] } }, [
    "field_conflict whitelist",
  ]],
  ["wrapper's items for another body", { meta: ["id"] }, ["field_conflict meta"]],
  ["containers for another body", { containers: ["args"] }, ["field_conflict containers"]],
  ["extra keys for another body", { extra_keys: ["x"] }, ["field_conflict extra_keys"]],
  ["an opaque body of no kind", { pattern: nameless, body: "opaque" }, ["field_conflict body"]],
  ["commands for a body that is no text", { whitelist: { commands: ["ls"] } }, ["field_conflict whitelist"]],
  ["an item for another body", { item }, ["item_unexpected item"]],
  ["a tagged body without an item", { body: "tagged" }, ["item_missing body"]],
  ["an item without a key", { body: "tagged", item: "<p>(?<value>…)</p>" }, ["pattern_group_missing item"]],
  ["no tool", { pattern: nameless }, ["pattern_group_missing pattern"]],
  ["a tool in the field", { pattern: nameless, tool: "f" }, []],
  ["an envelope, which names its tool", { pattern: nameless, body: "envelope" }, []],
  ["a group that nothing uses", { pattern: "<c {tool} (?<x>y)>(?<body>…)</c>" }, [
    "pattern_group_unused pattern",
  ]],
  ["a group that the closer uses", { pattern: "<c {tool} (?<x>y)>(?<body>…)</\\k<x>>" }, []],
  [
    "a group that the mapping uses",
    { body: "text", pattern: "<c {tool} (?<x>y)>(?<body>…)</c>", parameters: { a: "$x" } },
    [],
  ],
  ["a group in the mapping of a body that reads arguments", {
    pattern: "<c {tool} (?<x>y)>(?<body>…)</c>",
    parameters: { a: "$x" },
  }, ["parameter_capture parameters.a"]],
  ["the hole in the mapping of a body that reads arguments", { parameters: { a: "$body" } }, [
    "parameter_capture parameters.a",
  ]],
  ["a group's mode", { pattern: '<g m="(?<mode>\\w+)">(?<body>…)</g>', body: "group" }, []],
  ["a mode of something else", { pattern: "<c {tool} (?<mode>y)>(?<body>…)</c>" }, [
    "pattern_group_unused pattern",
  ]],
  ["text that is no parameter", { body: "text" }, ["field_conflict body"]],
  ["a capture that does not exist", { body: "text", parameters: { a: "$body", b: "$x" } }, [
    "parameter_capture parameters.b",
  ]],
  ["an argument's new name, which is no capture", { parameters: { a: "$b" } }, []],
  ["several errors", { item, meta: ["x"], pattern: nameless }, [
    "field_conflict meta",
    "item_unexpected item",
    "pattern_group_missing pattern",
  ]],
];

for (const [name, fields, problems] of cases) {
  Deno.test(`checkFields of ${name}: ${problems.join(", ") || "no error"}`, () => {
    assert.deepEqual(problemsOf(fields), problems);
  });
}

Deno.test("checkFields points at the group that nothing uses", () => {
  const { problems } = compileRules([
    ruleSchema.parse({ ...base, pattern: "<c {tool} (?<x>y)>(?<body>…)</c>" }),
  ]);
  assert.deepEqual([problems[0]?.offset, problems[0]?.length], [10, 5]);
});

Deno.test("checkFields checks what it can of a rule whose pattern is wrong", () => {
  const rule = ruleSchema.parse({ ...base, item, meta: ["x"] });
  assert.deepEqual(checkFields(rule).map(({ code }) => code), ["field_conflict", "item_unexpected"]);
});
