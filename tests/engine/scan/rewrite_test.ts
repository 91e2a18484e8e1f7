import assert from "node:assert/strict";
import { literal, type Node, sequence } from "../../../src/engine/pattern/node.ts";
import {
  beforeLookAhead,
  rename,
  renameReferences,
  replaceGroup,
  withoutGroups,
} from "../../../src/engine/scan/rewrite.ts";

const key: Node = { type: "group", name: "key", item: literal("ab") };
const reference: Node = { type: "reference", name: "key" };

Deno.test("beforeLookAhead removes a pattern's look-ahead", () => {
  const before = sequence(literal("a"), key);
  assert.deepEqual(beforeLookAhead(sequence(literal("a"), key, { type: "mark" }, literal("x"))), before);
  assert.deepEqual(beforeLookAhead(before), before);
  assert.deepEqual(beforeLookAhead(key), key);
});

Deno.test("rename and replaceGroup change the content of a group at any depth", () => {
  const repeat: Node = { type: "repeat", item: key, minimum: 0, maximum: 1, greedy: true };
  assert.deepEqual(rename(sequence(repeat, literal("x")), "z"), {
    type: "sequence",
    items: [{ ...repeat, item: { ...key, item: literal("z") } }, literal("x")],
  });
  assert.deepEqual(replaceGroup(key, { name: "other", item: literal("z") }), key);
});

Deno.test("renameReferences adds a prefix to every name", () => {
  assert.deepEqual(renameReferences(sequence(reference, key), "inner "), {
    type: "sequence",
    items: [{ type: "reference", name: "inner key" }, key],
  });
});

Deno.test("withoutGroups keeps the content of groups", () => {
  assert.deepEqual(withoutGroups(sequence(key, reference)), sequence(literal("ab"), reference));
});
