import assert from "node:assert/strict";
import type { JsonSchema } from "../../../src/engine/tool/offered.ts";
import { exampleArguments } from "../../../src/engine/tool/example.ts";
import { checkArguments } from "../../../src/engine/tool/validate.ts";

const object = (properties: Record<string, unknown>, more: Record<string, unknown> = {}): JsonSchema => ({
  type: "object",
  properties,
  ...more,
});

const text = { type: "string" };

const CASES: readonly (readonly [string, JsonSchema | undefined, unknown, string[], RegExp[]])[] = [
  ["no schema allows everything", undefined, { a: 1 }, [], []],
  ["what is right", object({ a: text }, { required: ["a"] }), { a: "x" }, [], []],
  ["missing ones by name", object({ a: text, b: text }, { required: ["a", "b"] }), {}, ["a", "b"], []],
  ["a wrong type", object({ a: { type: "integer" } }), { a: "x" }, [], [/^`a`: .*type/i]],
  ["a type of two", object({ a: { type: ["string", "null"] } }), { a: null }, [], []],
  ["nullable", object({ a: { type: "string", nullable: true } }), { a: null }, [], []],
  ["a type by another name", object({ a: { type: "STR" } }), { a: 5 }, [], [/`a`/]],
  ["a type that nobody knows allows everything", object({ a: { type: "path" } }), { a: 5 }, [], []],
  ["an enum", object({ a: { enum: ["x", "y"] } }), { a: "z" }, [], [/^`a`: .*enum|match/i]],
  ["a const", object({ a: { const: 1 } }), { a: 2 }, [], [/`a`/]],
  [
    "an unknown one where none is allowed",
    object({ a: text }, { additionalProperties: false }),
    { b: 1 },
    [],
    [/b/],
  ],
  ["an unknown one elsewhere", object({ a: text }), { b: 1 }, [], []],
  [
    "a place deep inside",
    object({ a: { type: "array", items: object({ b: { type: "number" } }) } }),
    {
      a: [{ b: 1 }, { b: "x" }],
    },
    [],
    [/^`a\.1\.b`/],
  ],
  [
    "a reference",
    object({ a: { $ref: "#/$defs/t" } }, { $defs: { t: { type: "integer" } } }),
    { a: "x" },
    [],
    [/`a`/],
  ],
  [
    "a reference of draft 7",
    {
      $schema: "http://json-schema.org/draft-07/schema#",
      definitions: { t: { type: "integer" } },
      properties: { a: { $ref: "#/definitions/t" } },
    },
    { a: 1.5 },
    [],
    [/`a`/],
  ],
  ["a reference to nowhere allows everything", object({ a: { $ref: "#/$defs/none" } }), { a: 1 }, [], []],
  ["a union", object({ a: { anyOf: [text, { type: "number" }] } }), { a: true }, [], [/`a`/, /`a`/]],
  ["a union that fits", object({ a: { oneOf: [text, { type: "number" }] } }), { a: 1 }, [], []],
  [
    "a pattern is not run",
    object({ a: { type: "string", pattern: "^(a+)+$" } }),
    { a: "a".repeat(60) + "b" },
    [],
    [],
  ],
  ["a parameter that is named like a keyword", object({ pattern: text, type: text }), { pattern: 1 }, [], [
    /`pattern`/,
  ]],
  ["a schema that is none", { type: 5, properties: [] } as unknown as JsonSchema, { a: 1 }, [], []],
];

for (const [name, schema, value, missing, wrong] of CASES) {
  Deno.test(`checkArguments: ${name}`, () => {
    const found = checkArguments(schema, value);
    assert.deepEqual(found.missing, missing);
    assert.equal(found.wrong.length > 0, wrong.length > 0, found.wrong.join("; "));
    for (const [index, message] of wrong.entries()) {
      assert.match(found.wrong[index] ?? found.wrong.join("; "), message);
    }
  });
}

const EXAMPLES: readonly (readonly [string, JsonSchema, unknown])[] = [
  ["texts", object({ path: text, other: text }, { required: ["path"] }), { path: "path" }],
  ["nothing required", object({ path: text }), { path: "path" }],
  ["a choice", object({ mode: { enum: ["a", "b"] } }, { required: ["mode"] }), { mode: "a" }],
  ["numbers", object({ n: { type: "integer", minimum: 5, multipleOf: 4 } }, { required: ["n"] }), { n: 8 }],
  ["lists", object({ n: { type: "array", items: { type: "boolean" } } }, { required: ["n"] }), { n: [true] }],
  [
    "references",
    object({ a: { $ref: "#/$defs/t" } }, {
      $defs: { t: object({ b: text }, { required: ["b"] }) },
      required: ["a"],
    }),
    {
      a: { b: "b" },
    },
  ],
  ["unions", object({ a: { anyOf: [{ type: "null" }, text] } }, { required: ["a"] }), { a: null }],
  ["a length", object({ a: { type: "string", minLength: 3 } }, { required: ["a"] }), { a: "axx" }],
];

for (const [name, schema, expected] of EXAMPLES) {
  Deno.test(`exampleArguments: ${name}`, () => {
    const example = exampleArguments(schema);
    assert.deepEqual(example, expected);
    assert.deepEqual(checkArguments(schema, example), { missing: [], wrong: [] });
  });
}
