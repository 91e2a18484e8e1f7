import assert from "node:assert/strict";
import type { JsonSchema } from "../../../src/engine/tool/offered.ts";
import {
  allowedTypes,
  declares,
  isMember,
  parameterSchema,
  requiredParameters,
  takesText,
} from "../../../src/engine/tool/schema.ts";

const definitions = {
  $defs: {
    count: { type: "integer" },
    alias: { $ref: "#/$defs/count" },
    loop: { $ref: "#/$defs/loop" },
    ring: { anyOf: [{ $ref: "#/$defs/ring" }, { type: "string" }] },
    "a/b~c": { type: "boolean" },
  },
};

const types: [name: string, schema: unknown, types: string[]][] = [
  ["a type", { type: "string" }, ["string"]],
  ["a list of types", { type: ["string", "null"] }, ["string", "null"]],
  ["a type in capitals", { type: "STRING" }, ["string"]],
  ["Python's names", { type: ["str", "int", "float", "bool", "dict", "list", "None"] }, [
    "string",
    "integer",
    "number",
    "boolean",
    "object",
    "array",
    "null",
  ]],
  ["other names", { type: ["double", "tuple"] }, ["number", "array"]],
  ["a type that nobody knows", { type: "file" }, []],
  ["a type that is no word", { type: 5 }, []],
  ["nullable", { type: "integer", nullable: true }, ["integer", "null"]],
  ["nullable without a type", { nullable: true }, []],
  ["anyOf", { anyOf: [{ type: "string" }, { type: "array" }] }, ["string", "array"]],
  ["anyOf, nullable", { anyOf: [{ type: "integer" }], nullable: true }, ["integer", "null"]],
  ["oneOf", { oneOf: [{ type: "integer" }, { type: "null" }] }, ["integer", "null"]],
  ["anyOf that is no list", { anyOf: { type: "string" } }, []],
  ["anyOf that says nothing", { anyOf: [{}], items: {} }, ["array"]],
  ["allOf: what all branches allow", {
    allOf: [{ type: ["string", "integer"] }, { description: "x" }, { type: ["integer", "null"] }],
  }, ["integer"]],
  ["allOf, nullable", { allOf: [{ type: "integer" }], nullable: true }, ["integer", "null"]],
  ["allOf that says nothing", { allOf: [{}] }, []],
  ["a type beside anyOf", { type: "object", anyOf: [{ type: "string" }] }, ["object"]],
  ["enum", { enum: ["a", 1, 1.5, null, true, {}, []] }, [
    "string",
    "integer",
    "number",
    "null",
    "boolean",
    "object",
    "array",
  ]],
  ["an enum of one type", { enum: ["a", "b"] }, ["string"]],
  ["const", { const: 5 }, ["integer"]],
  ["const null", { const: null }, ["null"]],
  ["properties", { properties: {} }, ["object"]],
  ["additionalProperties", { additionalProperties: true }, ["object"]],
  ["items", { items: {} }, ["array"]],
  ["prefixItems", { prefixItems: [] }, ["array"]],
  ["$ref", { $ref: "#/$defs/count" }, ["integer"]],
  ["$ref to a $ref", { $ref: "#/$defs/alias" }, ["integer"]],
  ["$ref with escapes", { $ref: "#/$defs/a~1b~0c" }, ["boolean"]],
  ["$ref to nowhere", { $ref: "#/$defs/ghost" }, []],
  ["$ref to what every object has", { $ref: "#/toString" }, []],
  ["$ref out of the schema", { $ref: "https://example.com/x" }, []],
  ["$ref that is no text", { $ref: 5, type: "string" }, ["string"]],
  ["$ref in a circle", { $ref: "#/$defs/loop" }, []],
  ["a circle in anyOf", { $ref: "#/$defs/ring" }, ["string"]],
  ["true", true, []],
  ["nothing", undefined, []],
  ["a list", [], []],
];

for (const [name, schema, expected] of types) {
  Deno.test(`allowedTypes of ${name}`, () => {
    const root = { ...definitions, properties: { x: schema } };
    assert.deepEqual([...allowedTypes(schema as JsonSchema, root)].sort(), [...expected].sort());
  });
}

const root: JsonSchema = {
  ...definitions,
  properties: { own: { type: "string" }, free: true, odd: "x" },
  required: ["own", "own", 5],
  allOf: [
    { properties: { both: { type: "integer" } }, required: ["both"] },
    { $ref: "#/definitions/base" },
  ],
  anyOf: [{ properties: { either: {} }, required: ["either"] }],
  definitions: { base: { properties: { base: { type: "boolean" } }, required: ["base"] } },
};

Deno.test("parameterSchema looks into allOf, anyOf and references", () => {
  assert.deepEqual(parameterSchema(root, "own"), { type: "string" });
  assert.deepEqual(parameterSchema(root, "both"), { type: "integer" });
  assert.deepEqual(parameterSchema(root, "base"), { type: "boolean" });
  assert.deepEqual(parameterSchema(root, "either"), {});
  assert.equal(parameterSchema(root, "free"), true);
  assert.equal(parameterSchema(root, "odd"), true, "what is no schema says nothing");
  assert.equal(parameterSchema(root, "toString"), undefined);
});

Deno.test("parameterSchema ends in a circle", () => {
  const circle = { allOf: [{ $ref: "#" }], properties: { a: {} } };
  assert.deepEqual(parameterSchema(circle, "a"), {});
  assert.equal(parameterSchema(circle, "b"), undefined);
});

Deno.test("requiredParameters counts what all branches ask for, not what one of several does", () => {
  assert.deepEqual(requiredParameters(root), ["own", "both", "base"]);
  assert.deepEqual(requiredParameters({ required: "own" }), []);
  assert.deepEqual(requiredParameters(undefined), []);
  assert.deepEqual(requiredParameters(true), []);
});

Deno.test("declares lets every key be one only where there is no schema", () => {
  assert.equal(declares(undefined, "x"), true);
  assert.equal(declares(root, "own"), true);
  assert.equal(declares(root, "x"), false);
});

Deno.test("takesText is true for declared parameters that may be any text", () => {
  const schema = {
    type: "object",
    properties: {
      any: {},
      text: { type: "string" },
      list: { type: ["array", "string"] },
      object: { type: "object" },
    },
  };
  const found = ["any", "text", "list", "object", "absent"].filter((key) => takesText(schema, key));
  assert.deepEqual(found, ["any", "text", "list"]);
  assert.equal(takesText(undefined, "any"), false);
});

Deno.test("isMember finds a listed text that no longer one begins with", () => {
  const schema = { anyOf: [{ enum: ["on", "only", 5] }, { enum: ["off"] }] };
  const found = ["on", "only", "off", "of", "5", ""].filter((text) => isMember(text, schema));
  assert.deepEqual(found, ["only", "off"]);
  assert.equal(isMember("x", undefined), false);
});
