import assert from "node:assert/strict";
import { commitPoint } from "../../../src/engine/rule/commit.ts";
import { ruleSchema } from "../../../src/engine/rule/schema.ts";

const base = { rule: "r", pattern: "<c {tool}>(?<body>…)</c>", body: "json" };

Deno.test("commitPoint states what decided it", () => {
  const cases: [fields: Record<string, unknown>, commit: string, because: RegExp][] = [
    [{}, "first_item", /certain/],
    [{ commit: "open", where: "last" }, "open", /the rule states it/],
    [{ where: "last" }, "close", /where: last/],
    [{ at: "start" }, "close", /at: start/],
    [{ confidence: 0.8 }, "close", /confidence is under 0.85/],
    [{ body: "yaml" }, "close", /`yaml`/],
  ];
  for (const [fields, commit, because] of cases) {
    const point = commitPoint(ruleSchema.parse({ ...base, ...fields }));
    assert.equal(point.commit, commit);
    assert.match(point.because, because);
  }
});
