import assert from "node:assert/strict";
import { deepPlace, isNestedTooDeep, NESTING_MAXIMUM, pathOf } from "../../../src/engine/object/nesting.ts";
import { parseJson } from "../../../src/engine/object/parse.ts";

const lists = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

Deno.test("isNestedTooDeep counts open brackets outside texts", () => {
  const text = JSON.stringify({ a: lists(1000), 'b"[': ['\\"', "\\\\", "[[".repeat(300)], c: [[[]], [[]]] });
  assert.equal(isNestedTooDeep(text), false);
  assert.deepEqual([isNestedTooDeep(lists(NESTING_MAXIMUM)), isNestedTooDeep(lists(NESTING_MAXIMUM + 1))], [
    false,
    true,
  ]);
  assert.equal(isNestedTooDeep(`{"a":"\\\\","b":${lists(NESTING_MAXIMUM)}}`), true);
  assert.equal(isNestedTooDeep(`[${"[],".repeat(1000)}[]]`), false);
  assert.equal(isNestedTooDeep('"'.padEnd(2000, "[")), false);
});

Deno.test("parseJson reads as deep as every other function can follow, and no deeper", () => {
  const value = parseJson(lists(NESTING_MAXIMUM));
  assert.deepEqual(structuredClone(value), value);
  assert.equal(JSON.stringify(value, null, 2).includes("["), true);
  assert.equal(parseJson(lists(NESTING_MAXIMUM + 1)), undefined);
  assert.equal(parseJson(lists(1_000_000)), undefined);
});

Deno.test("deepPlace names the first steps to what is nested too deeply", () => {
  const deep = lists(1000);
  assert.equal(
    deepPlace(`{"model":"m","messages":[{"a":[1,2]},{"content" : ${deep}}]}`),
    ["messages[1].content[0][0][0][0][0]…"].join(),
  );
  assert.equal(deepPlace(`{"a:\\"[":"x","b":{"c":${deep}}}`), "b.c[0][0][0][0][0][0]…");
});

Deno.test("pathOf writes names and numbers, and cuts long names", () => {
  assert.equal(pathOf(["a", 0, "b", "c"]), "a[0].b.c");
  assert.equal(pathOf(["x".repeat(1000)]).length, 64);
});
