import assert from "node:assert/strict";
import { LivingValues } from "../../../src/proxy/store/expiring_values.ts";

Deno.test("LivingValues gives a value as long as it lives", () => {
  let time = 0;
  const store = new LivingValues({ now: () => time });
  store.put("a", 1, { ttlMs: 10 });
  time = 9;
  assert.deepEqual([store.get("a"), store.entries()], [1, [{ key: "a", value: 1, leftMs: 1 }]]);
  time = 10;
  assert.deepEqual([store.entries(), store.get("a"), store.take("a")], [[], undefined, undefined]);
});

Deno.test("LivingValues gives a value that is taken once", () => {
  const store = new LivingValues({ now: () => 0 });
  store.put("a", 1, { ttlMs: 10 });
  assert.deepEqual([store.take("a"), store.take("a"), store.get("a")], [1, undefined, undefined]);
});

Deno.test("LivingValues forgets what was put longest ago where it is full", () => {
  const store = new LivingValues({ now: () => 0, countMax: 2 });
  for (const key of ["a", "b", "a", "c"]) store.put(key, key, { ttlMs: 10 });
  assert.deepEqual(store.entries().map(({ key }) => key), ["a", "c"]);
});
