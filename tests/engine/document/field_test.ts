import assert from "node:assert/strict";
import * as z from "zod";
import { fieldAt } from "../../../src/engine/document/field.ts";

const tree: z.ZodType = z.lazy(() => z.strictObject({ leaf: z.string(), branch: tree.optional() }));
const schema = z.toJSONSchema(
  z.strictObject({
    text: z.string().describe("Some text"),
    ratio: z.number().min(0).max(1),
    port: z.number().int().min(1),
    wait: z.number().int().positive(),
    flag: z.boolean(),
    kind: z.enum(["a", "b"]),
    texts: z.array(z.string()),
    map: z.record(z.string(), z.number()),
    either: z.union([z.string(), z.array(z.string())]),
    nested: z.strictObject({ inner: z.string() }),
    anything: z.unknown(),
    tree,
  }),
  { io: "input" },
);

Deno.test("fieldAt says in words what a field takes", () => {
  const cases: [(string | number)[], string][] = [
    [["text"], "a text"],
    [["ratio"], "a number from 0 to 1"],
    [["port"], "a whole number, at least 1"],
    [["wait"], "a whole number greater than 0"],
    [["flag"], "true or false"],
    [["kind"], "one of `a`, `b`"],
    [["texts"], "a list of texts"],
    [["texts", 3], "a text"],
    [["map"], "a mapping from names to numbers"],
    [["map", "any"], "a number"],
    [["either"], "a text, or a list of texts"],
    [["nested"], "a mapping"],
    [["anything"], "any value"],
    [["tree", "branch", "branch", "leaf"], "a text"],
    [["no", "such"], "another value"],
  ];
  assert.deepEqual(cases.map(([path]) => [path, fieldAt(schema, path).expected]), cases);
});

Deno.test("fieldAt knows keys, values and descriptions", () => {
  assert.deepEqual(fieldAt(schema, ["nested"]).keys, ["inner"]);
  assert.deepEqual(fieldAt(schema, ["tree", "branch"]).keys, ["leaf", "branch"]);
  assert.deepEqual(fieldAt(schema, ["kind"]).values, ["a", "b"]);
  assert.equal(fieldAt(schema, ["text"]).description, "Some text");
});
