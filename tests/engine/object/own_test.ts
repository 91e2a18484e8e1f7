import assert from "node:assert/strict";
import { own } from "../../../src/engine/object/own.ts";

Deno.test("own finds what an object itself has, and nothing that every object has", () => {
  assert.deepEqual([own({ a: 1 }, "a"), own({ a: 1 }, "b")], [1, undefined]);
  for (const name of ["constructor", "toString", "valueOf", "__proto__", "hasOwnProperty"]) {
    assert.equal(own({}, name), undefined, name);
  }
});
