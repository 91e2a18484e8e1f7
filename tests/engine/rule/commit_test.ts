import assert from "node:assert/strict";
import { commitPoint } from "../../../src/engine/rule/commit.ts";
import { ruleSchema } from "../../../src/engine/rule/schema.ts";

const base = { rule: "r", pattern: "<c {tool}>(?<body>…)</c>", body: "json" };

Deno.test("commitPoint states what decided it", () => {
  const cases: [fields: Record<string, unknown>, commit: string, because: RegExp][] = [
    [{}, "first_item", /certain/],
    [{ commit: "open", followed_by: "nothing" }, "open", /the rule states it/],
    [{ followed_by: "nothing" }, "close", /followed_by: nothing/],
    [{ begins: "answer" }, "close", /begins: answer/],
    [{ confidence: 0.8 }, "close", /confidence is under 0.85/],
    [{ body: "yaml" }, "close", /`yaml`/],
  ];
  for (const [fields, commit, because] of cases) {
    const point = commitPoint(ruleSchema.parse({ ...base, ...fields }));
    assert.equal(point.commit, commit);
    assert.match(point.because, because);
  }
});
