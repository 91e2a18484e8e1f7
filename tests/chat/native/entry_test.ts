import assert from "node:assert/strict";
import { FUNCTION_CALL_INDEX, readEntry, readFunctionCall } from "../../../src/chat/native/entry.ts";

Deno.test("readEntry reads a head and a fragment", () => {
  const head = readEntry({
    index: 1,
    id: "a",
    type: "function",
    function: { name: "f", arguments: "" },
    x: 1,
  });
  assert.deepEqual(head, {
    index: 1,
    id: "a",
    name: "f",
    json: "",
    isText: true,
    hasType: true,
    isUsual: true,
    extra: { x: 1 },
  });
  assert.equal(readEntry({ index: 0, function: { arguments: "{" } })?.json, "{");
});

Deno.test("readEntry takes what is empty or of another kind for missing", () => {
  const entry = readEntry({ index: "0", id: "", type: null, function: { name: null, arguments: { a: 1 } } });
  assert.deepEqual(
    [entry?.index, entry?.id, entry?.name, entry?.json, entry?.isText, entry?.hasType],
    [undefined, undefined, undefined, '{"a":1}', false, false],
  );
  for (const value of [null, undefined, "x", 1, []]) assert.equal(readEntry(value), undefined);
});

Deno.test("readFunctionCall goes under an index of its own", () => {
  assert.equal(readFunctionCall({ name: "f", arguments: "{}" })?.index, FUNCTION_CALL_INDEX);
  assert.equal(readFunctionCall(null), undefined);
});
