import assert from "node:assert/strict";
import { MemoryStore } from "../../../src/proxy/store/store.ts";

Deno.test("MemoryStore adds to a number that is alive", () => {
  let time = 0;
  const store = new MemoryStore({ now: () => time });
  assert.equal(store.add("n", 1, { ttlMs: 10 }), 1);
  assert.equal(store.add("n", 2, { ttlMs: 10 }), 3);
  time = 10;
  assert.equal(store.add("n", 1, { ttlMs: 10 }), 1);
  store.put("text", "x", { ttlMs: 10 });
  assert.equal(store.add("text", 1, { ttlMs: 10 }), 1);
});
