import assert from "node:assert/strict";
import { isSet, textValue, textValues } from "../../src/cli/verb.ts";

Deno.test("textValue and textValues read flags that were given once, several times or not", () => {
  const input = { values: { one: "a", many: ["a", "b"], on: true }, positionals: [] };
  assert.deepEqual(
    ["one", "many", "none", "on"].map((name) => textValue(input, name)),
    ["a", "b", undefined, undefined],
  );
  assert.deepEqual(["one", "many", "none"].map((name) => textValues(input, name)), [["a"], ["a", "b"], []]);
  assert.deepEqual(["on", "one", "none"].map((name) => isSet(input, name)), [true, false, false]);
});
