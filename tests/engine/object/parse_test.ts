import assert from "node:assert/strict";
import { parseJson } from "../../../src/engine/object/parse.ts";

Deno.test("parseJson gives the value of a JSON text, and nothing for another text", () => {
  assert.deepEqual(['{"a":1}', "null", " 5 "].map(parseJson), [{ a: 1 }, null, 5]);
  assert.deepEqual(["", "{", "undefined", "{} {}"].map(parseJson), [
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
