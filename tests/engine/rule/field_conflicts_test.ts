import assert from "node:assert/strict";
import { compileRules } from "../../../src/engine/rule/compile.ts";
import { checkFields } from "../../../src/engine/rule/field_conflicts.ts";
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
  ["a region for another body", { opaque: { region: "fence" } }, ["field_conflict opaque"]],
  ["a tool for a group", { pattern: nameless, body: "group", call: { tool: "f" } }, ["field_conflict call"]],
  ["a mapping for an opaque body", {
    pattern: nameless,
    body: "opaque",
    opaque: { region: "quote" },
    call: { parameters: { a: "b" } },
  }, [
    "field_conflict call",
  ]],
  ["a whitelist for a group", { pattern: nameless, body: "group", call: { allowed_tools: ["f"] } }, [
    "field_conflict call",
  ]],
  ["wrapper's items for another body", { group: { meta: ["id"] } }, ["field_conflict group"]],
  ["containers for another body", { tagged: { containers: ["args"] } }, ["field_conflict tagged"]],
  ["a string's mark for another body", { body: "none", json: { string_mark: "'" } }, ["field_conflict json"]],
  ["text between the calls of another body", { call_list: { between: ";" } }, ["field_conflict call_list"]],
  ["an opaque body of no kind", { pattern: nameless, body: "opaque" }, ["field_conflict body"]],
  ["commands for a body that is no text", { call: { allowed_commands: ["ls"] } }, [
    "field_conflict call.allowed_commands",
  ]],
  ["an item for another body", { tagged: { item } }, ["field_conflict tagged"]],
  ["a tagged body without an item", { body: "tagged" }, ["item_missing body"]],
  ["an item without a key", { body: "tagged", tagged: { item: "<p>(?<value>…)</p>" } }, [
    "pattern_group_missing tagged.item",
  ]],
  ["no tool", { pattern: nameless }, ["pattern_group_missing pattern"]],
  ["a tool in the field", { pattern: nameless, call: { tool: "f" } }, []],
  ["an envelope, which names its tool", { pattern: nameless, body: "envelope" }, []],
  ["a group that nothing uses", { pattern: "<c {tool} (?<x>y)>(?<body>…)</c>" }, [
    "pattern_group_unused pattern",
  ]],
  ["a group that the closer uses", { pattern: "<c {tool} (?<x>y)>(?<body>…)</\\k<x>>" }, []],
  [
    "a group that the mapping uses",
    { body: "text", pattern: "<c {tool} (?<x>y)>(?<body>…)</c>", call: { parameters: { a: "$x" } } },
    [],
  ],
  ["a group in the mapping of a body that reads arguments", {
    pattern: "<c {tool} (?<x>y)>(?<body>…)</c>",
    call: { parameters: { a: "$x" } },
  }, ["parameter_capture call.parameters.a"]],
  ["the hole in the mapping of a body that reads arguments", { call: { parameters: { a: "$body" } } }, [
    "parameter_capture call.parameters.a",
  ]],
  ["a group's mode", { pattern: '<g m="(?<mode>\\w+)">(?<body>…)</g>', body: "group" }, []],
  ["a mode of something else", { pattern: "<c {tool} (?<mode>y)>(?<body>…)</c>" }, [
    "pattern_group_unused pattern",
  ]],
  ["text that is no parameter", { body: "text" }, ["field_conflict body"]],
  ["a capture that does not exist", { body: "text", call: { parameters: { a: "$body", b: "$x" } } }, [
    "parameter_capture call.parameters.b",
  ]],
  ["an argument's new name, which is no capture", { call: { parameters: { a: "$b" } } }, []],
  ["several errors", { tagged: { item }, group: { meta: ["x"] }, pattern: nameless }, [
    "field_conflict tagged",
    "field_conflict group",
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
  const rule = ruleSchema.parse({ ...base, tagged: { item }, group: { meta: ["x"] } });
  assert.deepEqual(checkFields(rule).map(({ code }) => code), ["field_conflict", "field_conflict"]);
});
