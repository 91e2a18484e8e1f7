import assert from "node:assert/strict";
import { compileRules } from "../../../src/engine/rule/compile.ts";
import { type Rule, ruleSchema } from "../../../src/engine/rule/schema.ts";

const base = { rule: "r", pattern: "<c {tool}>(?<body>…)</c>", body: "json" };

function ruleOf(fields: Record<string, unknown>): Rule {
  return ruleSchema.parse({ ...base, ...fields });
}

function compiled(fields: Record<string, unknown>) {
  const { program, problems } = compileRules([ruleOf(fields)]);
  assert.deepEqual(problems, []);
  return program.rules[0]!;
}

const item = "<p=(?<key>\\w+)>(?<value>…)</p>";

Deno.test("compileRules ranks by confidence, then by the order given; equal confidence is one priority", () => {
  const rules = [["a", 0.9], ["b", 0.95], ["c", 0.9], ["d", 1]] as const;
  const { program } = compileRules(rules.map(([rule, confidence]) => ruleOf({ rule, confidence })));
  assert.deepEqual(program.rules.map(({ name, rank, priority }) => [name, rank, priority]), [
    ["d", 0, 0],
    ["b", 1, 1],
    ["a", 2, 2],
    ["c", 3, 2],
  ]);
});

Deno.test("compileRules leaves out rules with errors and reports all of them", () => {
  const { program, problems } = compileRules([
    ruleOf({ rule: "bad", pattern: "a*(?<body>…)b" }),
    ruleOf({ rule: "good" }),
    ruleOf({ rule: "worse", body: "tagged", tagged: { item: "(?<value>…)x" }, group: { meta: ["id"] } }),
  ]);
  assert.deepEqual(program.rules.map(({ name, rank }) => [name, rank]), [["good", 0]]);
  assert.deepEqual(problems.map(({ rule, code, path }) => [rule, code, ...path]), [
    ["bad", "pattern_empty_opener", "pattern"],
    ["worse", "pattern_empty_opener", "tagged", "item"],
    ["worse", "field_conflict", "group"],
  ]);
});

Deno.test("compileRules locates an error in the field's text", () => {
  const { problems } = compileRules([ruleOf({ pattern: "<c {tool}>(?<body>…)</c>(?!x)" })]);
  assert.deepEqual([problems[0]?.path, problems[0]?.offset, problems[0]?.length], [["pattern"], 24, 5]);
});

Deno.test("compileRules of nothing is a program without rules", () => {
  const { program, problems } = compileRules([]);
  assert.deepEqual([program.rules, problems], [[], []]);
});

Deno.test("compileRules fills in what each kind of body needs", () => {
  assert.deepEqual(compiled({}).body, { kind: "json", stringMark: undefined });
  const envelope = { body: "envelope", pattern: "<c>(?<body>…)</c>" };
  const defaults = {
    kind: "envelope",
    name: ["name"],
    arguments: ["arguments", "parameters"],
    inline: [],
    ignore: ["id", "type", "tool_call_id"],
    namePrefixes: [],
    nested: [],
    isKeyed: false,
    between: undefined,
    stringMark: undefined,
  };
  assert.deepEqual(compiled(envelope).body, defaults);
  assert.deepEqual(compiled({ ...envelope, envelope: { name: ["tool"], inline: ["tool"] } }).body, {
    ...defaults,
    name: ["tool"],
    inline: ["tool"],
  });
  const opaque = { pattern: "`(?<body>…)`", body: "opaque", opaque: { region: "quote" } };
  assert.deepEqual(compiled(opaque).body, {
    kind: "opaque",
    region: "quote",
    sendsAs: "content",
    shows: "all",
    isPrefilled: false,
    unclosed: "region",
    markdown: undefined,
  });
  const group = { pattern: "<g>(?<body>…)</g>", body: "group", group: { meta: ["id"] } };
  assert.deepEqual(compiled(group).body, { kind: "group", meta: ["id"] });
  const { body } = compiled({ body: "tagged", tagged: { item, containers: ["args"], extra_keys: ["x"] } });
  assert.ok(body.kind === "tagged");
  assert.deepEqual([body.containers, body.extraKeys], [["args"], ["x"]]);
});

Deno.test("compileRules keeps the references that the opener must answer, not those to the key", () => {
  const fields = {
    pattern: "<(?<x>\\w) {tool}>(?<body>…)</\\k<x>-\\k<tool>-\\k<x>>",
    body: "tagged",
    tagged: { item: "<(?<key>\\w+)>(?<value>…)</\\k<key>>" },
  };
  assert.deepEqual(compiled(fields).references, ["x", "tool"]);
});

Deno.test("compileRules takes targets, mapping, whitelist and gates over", () => {
  const rule = compiled({
    pattern: "<(?<x>\\w)>(?<body>…)</c>",
    body: "text",
    call: {
      tool: "run",
      parameters: { command: "$body", kind: "$x", cwd: "." },
      allowed_commands: ["ls"],
      allowed_tools: ["run"],
    },
    in_code: "opening_fence",
  });
  assert.deepEqual(rule.tools, ["run"]);
  assert.deepEqual(rule.mapping, { from: { command: "body", kind: "x" }, constants: { cwd: "." } });
  assert.deepEqual([rule.commands, rule.allowedTools, rule.inCode], [["ls"], ["run"], "opening_fence"]);
  assert.deepEqual(compiled({ pattern: "<x>(?<body>…)</c>", call: { tool: ["a", "b"] } }).tools, ["a", "b"]);
  assert.equal(compiled({ body: "tagged", tagged: { item }, keys: "declared" }).needsDeclaredKeys, true);
});
