import assert from "node:assert/strict";
import { withoutFields } from "../../../src/engine/document/partial.ts";

Deno.test("withoutFields leaves the original as it is, and list entries in their places", () => {
  const value = { a: 1, list: [{ b: 1, c: 2 }, 5] };
  assert.deepEqual(withoutFields(value, [["a"], ["list", 0, "b"], ["list", 1], ["no", "such"]]), {
    list: [{ c: 2 }, 5],
  });
  assert.deepEqual(value, { a: 1, list: [{ b: 1, c: 2 }, 5] });
});
