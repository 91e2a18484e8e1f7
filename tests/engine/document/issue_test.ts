import assert from "node:assert/strict";
import * as z from "zod";
import { describeIssues } from "../../../src/engine/document/issue.ts";

function problemsOf(schema: z.ZodType, value: unknown) {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return describeIssues(issues, {
    value,
    schema: z.toJSONSchema(schema, { io: "input" }),
    code: "wrong_value",
  });
}

Deno.test("describeIssues names what is there and what was expected", () => {
  const schema = z.strictObject({
    list: z.array(z.string()).min(2).optional(),
    name: z.string().regex(/^[a-z]+$/, "a name of letters").optional(),
    map: z.record(z.string().regex(/^[a-z]+$/, "keys of letters"), z.string()).optional(),
  });
  const cases: [unknown, string, string | undefined][] = [
    [{ list: null }, "`list` is empty", "a list of texts"],
    [{ list: {} }, "`list` is a mapping", "a list of texts"],
    [{ list: true }, "`list` is true or false", "a list of texts"],
    [{ list: ["a"] }, "`list` is a list of 1", "a list of texts with at least 2 entries"],
    [{ list: ["a", 1] }, "Entry 2 of `list` is a number", "a text"],
    [{ name: "B" }, "`name` is `B`", "a name of letters"],
    [{ map: { A: "x" } }, "Key `A` is not allowed here", "keys of letters"],
    ["text", "The whole file is a text", "lines with a field and its value, such as `name: value`"],
  ];
  for (const [value, message, expected] of cases) {
    const [problem] = problemsOf(schema, value);
    assert.deepEqual([problem?.message, problem?.expected], [message, expected]);
  }
});

Deno.test("describeIssues tells a misspelt required field once", () => {
  const schema = z.strictObject({ pattern: z.string(), body: z.string() });
  assert.deepEqual(problemsOf(schema, { patern: "x" }).map(({ message }) => message), [
    "Missing field `body`",
    "Unknown field `patern`",
  ]);
});

Deno.test("describeIssues goes into the alternative that was meant", () => {
  const schema = z.strictObject({ tool: z.union([z.string(), z.array(z.string())]) });
  assert.deepEqual(problemsOf(schema, { tool: ["a", 1] })[0]?.path, ["tool", 1]);
  assert.equal(problemsOf(schema, { tool: 1 })[0]?.expected, "a text, or a list of texts");
});

Deno.test("describeIssues describes the first hundred of many errors", () => {
  const schema = z.strictObject({ list: z.array(z.string()).optional(), map: z.strictObject({}).optional() });
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`k${at}`, 1]));
  for (const value of [many, { list: Array(500).fill(1) }, { list: Array(60).fill(1), map: many, ...many }]) {
    assert.equal(problemsOf(schema, value).length, 100);
  }
});
