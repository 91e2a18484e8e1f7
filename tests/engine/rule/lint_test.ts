import assert from "node:assert/strict";
import { lintRule } from "../../../src/engine/rule/lint.ts";
import { ruleSchema } from "../../../src/engine/rule/schema.ts";
import { shippedRules } from "../../support/matcher_events.ts";

const example = { name: "e", offered: [], input: "x", calls: [] };
const base = {
  rule: "r",
  pattern: "<c {tool}>(?<body>…)</c>",
  body: "json",
  examples: [example],
  untouched: [{ name: "u", offered: [], input: "x" }],
};

const cases: [name: string, fields: Record<string, unknown>, codes: string[]][] = [
  ["a sound rule", {}, []],
  ["an opener that begins with any text", { pattern: ".*<c {tool}>(?<body>…)</c>" }, ["opener_swallows"]],
  ["an optional beginning of any text", { pattern: "(?:[^<]+)?<c {tool}>(?<body>…)</c>" }, [
    "opener_swallows",
  ]],
  ["whitespace first", { pattern: "\\s*<c {tool}>(?<body>…)</c>" }, []],
  ["words inside the tag", { pattern: "<c [^>]*{tool}>(?<body>…)</c>" }, []],
  ["a tool's name alone", { pattern: "{tool}\\s+(?=\\{)(?<body>…)" }, ["tool_without_mark"]],
  ["a tool's name and a word", { pattern: "call {tool}\\s(?<body>…)" }, ["tool_without_mark"]],
  ["a tool's name alone at the start", {
    pattern: "{tool}\\n(?=\\{)(?<body>…)",
    keys: "declared",
    begins: "answer",
  }, []],
  ["a wrapper that nothing closes", { pattern: "(?:<w>\\s*)?<c {tool}>(?<body>…)</c>" }, [
    "wrapper_not_closed",
  ]],
  ["a wrapper on both sides", { pattern: "(?:<w>\\s*)?<c {tool}>(?<body>…)</c>(?:\\s*</w>)?" }, []],
  ["text that nothing closes", { pattern: "<c {tool}>(?<body>…)(?:</c>)?", body: "yaml" }, [
    "body_not_closed",
  ]],
  ["no examples", { examples: [] }, ["examples_missing"]],
  ["no `untouched` case", { untouched: [] }, ["examples_missing"]],
  ["an opaque rule without examples", {
    pattern: "`(?<body>…)`",
    body: "opaque",
    opaque: { region: "quote" },
    examples: [],
  }, []],
];

for (const [name, fields, codes] of cases) {
  Deno.test(`lintRule of ${name}: ${codes.join(", ") || "nothing"}`, () => {
    const problems = lintRule(ruleSchema.parse({ ...base, ...fields }));
    assert.deepEqual(problems.map(({ code }) => code), codes);
  });
}

Deno.test("lintRule finds nothing in the rules that ship", () => {
  assert.deepEqual(shippedRules({ withExamples: true }).flatMap(lintRule), []);
});
