import assert from "node:assert/strict";
import { commitPoint } from "../../../src/engine/rule/commit.ts";
import { ruleSchema } from "../../../src/engine/rule/schema.ts";

const base = { rule: "r", pattern: "<c {tool}>(?<body>…)</c>", body: "json" };

Deno.test("commitPoint states what decided it", () => {
  const cases: [fields: Record<string, unknown>, commit: string, because: RegExp][] = [
    [{}, "first_item", /unambiguous/],
    [{ body: "tagged", tagged: { item: "<p=(?<key>\\w+)>(?<value>…)</p>" } }, "first_item", /unambiguous/],
    [{ body: "envelope", pattern: "<c>(?<body>…)</c>" }, "first_item", /unambiguous/],
    [{ confidence: 0.85 }, "first_item", /unambiguous/],
    [{ confidence: 0.84 }, "close", /confidence is under 0.85/],
    [{ confidence: 0.5, commit: "open" }, "open", /the rule sets it/],
    [{ body: "text", call: { parameters: { a: "$body" } } }, "close", /`text`/],
    [{ pattern: "^```{tool}\\n(?<body>…)```" }, "close", /start of a line/],
    [{ begins: "line" }, "close", /begins: line/],
    [{ commit: "open", followed_by: "nothing" }, "open", /the rule sets it/],
    [{ followed_by: "nothing" }, "close", /followed_by: nothing/],
    [{ begins: "answer" }, "close", /begins: answer/],
    [{ body: "yaml" }, "close", /`yaml`/],
  ];
  for (const [fields, commit, because] of cases) {
    const point = commitPoint(ruleSchema.parse({ ...base, ...fields }));
    assert.equal(point.commit, commit);
    assert.match(point.because, because);
  }
});
