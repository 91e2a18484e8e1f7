import assert from "node:assert/strict";
import { CallIds } from "../../src/wires/call_ids.ts";

Deno.test("CallIds matches results by id, by name and by order", () => {
  const ids = new CallIds();
  assert.deepEqual(
    [ids.add("a", "x"), ids.add("b", undefined), ids.add("b", ""), ids.add("c", undefined)],
    ["x", "call_0", "call_1", "call_2"],
  );
  assert.equal(ids.take("a", "x"), "x");
  assert.equal(ids.take("b", undefined), "call_0");
  assert.equal(ids.take(undefined, undefined), "call_1");
  assert.equal(ids.take("unknown", "y"), "y");
  assert.equal(ids.take("c", undefined), "call_2");
});
