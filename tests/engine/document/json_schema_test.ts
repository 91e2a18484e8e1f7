import assert from "node:assert/strict";
import * as z from "zod";
import { writeJsonSchema } from "../../../src/engine/document/json_schema.ts";

Deno.test("writeJsonSchema has a title, descriptions, and does not require what has a default", () => {
  const schema = z.strictObject({ name: z.string().describe("The name"), size: z.number().default(1) });
  assert.deepEqual(JSON.parse(writeJsonSchema(schema, { title: "Thing" })), {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Thing",
    type: "object",
    properties: { name: { type: "string", description: "The name" }, size: { default: 1, type: "number" } },
    required: ["name"],
    additionalProperties: false,
  });
});
