import assert from "node:assert/strict";
import type { SchemaRules } from "../../../src/chat/compatibility/refused_forms.ts";
import { simplifySchema } from "../../../src/chat/compatibility/schema.ts";

const object = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  type: "object",
  properties,
  ...more,
});

const TABLE: readonly {
  name: string;
  rules: SchemaRules;
  schema: unknown;
  becomes: unknown;
  changed: string[];
}[] = [
  {
    name: "a dropped keyword moves into the description",
    rules: { drop: ["pattern"] },
    schema: object({
      a: { type: "string", description: "A path.", pattern: "^/" },
      b: { items: { pattern: "x" } },
    }),
    becomes: object({
      a: { type: "string", description: 'A path. (pattern: "^/")' },
      b: { items: { description: 'pattern: "x"' } },
    }),
    changed: ["pattern"],
  },
  {
    name: "names of parameters and values aren't keywords",
    rules: { drop: ["pattern", "format"], unknown_types: true, refs: "inline" },
    schema: object({
      pattern: { type: "string" },
      format: { enum: [{ pattern: "x" }] },
      $ref: { const: { type: "x" } },
    }),
    becomes: undefined,
    changed: [],
  },
  {
    name: "branches that could overlap now are not exclusive any more",
    rules: { drop: ["pattern"] },
    schema: { oneOf: [{ type: "string", pattern: "^a" }, { type: "string", pattern: "^b" }] },
    becomes: {
      anyOf: [{ type: "string", description: 'pattern: "^a"' }, {
        type: "string",
        description: 'pattern: "^b"',
      }],
    },
    changed: ["oneOf", "pattern"],
  },
  {
    name: "what allows more inside of `not` or `if` would forbid more",
    rules: { drop: ["pattern"] },
    schema: { type: "string", not: { pattern: "x" }, if: { pattern: "y" }, then: { minLength: 1 }, else: {} },
    becomes: {
      type: "string",
      description: 'not: {"pattern":"x"}, if: {"pattern":"y"}',
    },
    changed: ["if", "not", "pattern"],
  },
  {
    name: "what patternProperties allowed isn't forbidden without it",
    rules: { drop: ["patternProperties"] },
    schema: { type: "object", patternProperties: { "^x": {} }, additionalProperties: false },
    becomes: { type: "object", description: 'patternProperties: {"^x":{}}' },
    changed: ["patternProperties"],
  },
  {
    name: "references are replaced, with the words next to them, and a circle ends",
    rules: { refs: "inline" },
    schema: object({ tree: { $ref: "#/$defs/Tree", description: "The tree." }, self: { $ref: "#" } }, {
      $defs: {
        Tree: object({ left: { $ref: "#/$defs/Tree" }, value: { $ref: "#/$defs/a~1b" } }),
        "a/b": { type: "integer" },
      },
    }),
    becomes: object({
      tree: { ...object({ left: {}, value: { type: "integer" } }), description: "The tree." },
      self: {},
    }),
    changed: ["$ref"],
  },
  {
    name: "references that the server follows stay",
    rules: { refs: "unsupported" },
    schema: object({
      a: { $ref: "#/$defs/A" },
      b: { $ref: "Other" },
      c: { $ref: "#/$defs/None", title: "C" },
    }, {
      $defs: { A: { type: "string" } },
    }),
    becomes: object({ a: { $ref: "#/$defs/A" }, b: {}, c: { title: "C" } }, {
      $defs: { A: { type: "string" } },
    }),
    changed: ["$ref"],
  },
  {
    name: "types get their standard names, and unknown ones are left out",
    rules: { unknown_types: true },
    schema: object({
      a: { type: "str" },
      b: { type: "STRING" },
      c: { type: ["any", "null"] },
      d: { type: ["string", "null"] },
    }),
    becomes: object({ a: { type: "string" }, b: { type: "string" }, c: {}, d: { type: ["string", "null"] } }),
    changed: ["type"],
  },
  {
    name: "`true` becomes an empty schema, except where it is no schema of a value",
    rules: { unknown_types: true },
    schema: object({ a: true, b: { anyOf: [true, { type: "null" }] } }, { additionalProperties: true }),
    becomes: object({ a: {}, b: { anyOf: [{}, { type: "null" }] } }, { additionalProperties: true }),
    changed: ["true"],
  },
  {
    name: "large repetitions are left out, small ones stay",
    rules: { repetition_max: 500 },
    schema: object({
      a: { type: "string", minLength: 1, maxLength: 500 },
      b: { type: "array", maxItems: 501 },
    }),
    becomes: object({
      a: { type: "string", minLength: 1, maxLength: 500 },
      b: { type: "array", description: "maxItems: 501" },
    }),
    changed: ["maxItems"],
  },
  {
    name: "only wrong patterns are left out",
    rules: { invalid_patterns: true },
    schema: object({ a: { pattern: "^a$" }, b: { pattern: "(" } }),
    becomes: object({ a: { pattern: "^a$" }, b: { description: 'pattern: "("' } }),
    changed: ["pattern"],
  },
  {
    name: "formats and combinations that a grammar can't have",
    rules: { formats: ["date"], combinations: true },
    schema: object({
      a: { type: "string", format: "regex" },
      b: { type: "string", format: "date", maxLength: 9 },
      c: { type: "string", maxLength: 9 },
    }),
    becomes: object({
      a: { type: "string", description: 'format: "regex"' },
      b: { type: "string", format: "date", description: "maxLength: 9" },
      c: { type: "string", maxLength: 9 },
    }),
    changed: ["format", "maxLength"],
  },
  {
    name: "plain words for servers that know few",
    rules: { plain_words: true },
    schema: object({
      a: { const: "x" },
      b: { oneOf: [{ type: "string" }, { type: "null" }] },
      c: {
        description: "C",
        allOf: [object({ x: {} }, { required: ["x"] }), object({ y: {} }, { required: ["y"] })],
      },
      d: { allOf: [{ type: "string" }, { type: "number" }] },
    }),
    becomes: object({
      a: { enum: ["x"] },
      b: { anyOf: [{ type: "string" }, { type: "null" }] },
      c: { description: "C", ...object({ x: {}, y: {} }), required: ["x", "y"] },
      d: { allOf: [{ type: "string" }, { type: "number" }] },
    }),
    changed: ["allOf", "const", "oneOf"],
  },
];

for (const { name, rules, schema, becomes = schema, changed } of TABLE) {
  Deno.test(`simplifySchema: ${name}`, () => {
    const before = JSON.stringify(schema);
    const simplified = simplifySchema(schema, rules);
    assert.deepEqual(simplified, { schema: becomes, changed });
    if (changed.length === 0) assert.equal(simplified.schema, schema, "the same object");
    assert.equal(JSON.stringify(schema), before);
    // Once more, nothing changes: an earlier turn that was simplified by hand stays.
    assert.deepEqual(simplifySchema(becomes, rules).changed, []);
  });
}

Deno.test("simplifySchema ends for references that multiply", () => {
  const $defs = Object.fromEntries(
    Array.from(
      { length: 40 },
      (_, at) => [`d${at}`, object({ a: { $ref: `#/$defs/d${at + 1}` }, b: { $ref: `#/$defs/d${at + 1}` } })],
    ),
  );
  const { schema } = simplifySchema({ $ref: "#/$defs/d0", $defs }, { refs: "inline" });
  assert.ok(JSON.stringify(schema).length < 1_000_000);
});
