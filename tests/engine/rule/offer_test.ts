import assert from "node:assert/strict";
import { readOffer } from "../../../src/engine/rule/offer.ts";

Deno.test("readOffer of a list has names and no schema", () => {
  const { offered } = readOffer(["read_file"]);
  assert.deepEqual(offered.names, ["read_file"]);
  assert.deepEqual(offered.resolve("read_file"), { name: "read_file" });
  assert.equal(offered.resolve("rm_rf"), undefined);
});

Deno.test("readOffer of a mapping makes a schema, in which ? is not required", () => {
  const { offered, unknownTypes } = readOffer({
    read_file: { path: "string", line: "integer?", mode: { enum: ["a"] }, any: true },
  });
  assert.deepEqual(unknownTypes, []);
  assert.deepEqual(offered.resolve("read_file")?.schema, {
    type: "object",
    properties: { path: { type: "string" }, line: { type: "integer" }, mode: { enum: ["a"] }, any: true },
    required: ["path", "mode", "any"],
  });
});

Deno.test("readOffer reports types that do not exist", () => {
  assert.deepEqual(readOffer({ read_file: { path: "strng?" } }).unknownTypes, [
    { path: ["read_file", "path"], type: "strng" },
  ]);
  assert.deepEqual(readOffer({ read_file: { path: [{ toString: 1 }] } }).unknownTypes, [
    { path: ["read_file", "path"], type: '[{"toString":1}]' },
  ]);
});
