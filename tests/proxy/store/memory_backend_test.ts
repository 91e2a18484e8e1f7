import assert from "node:assert/strict";
import type { Batch, Change } from "../../../src/proxy/store/backend.ts";
import { MemoryBackend } from "../../../src/proxy/store/memory_backend.ts";

const SCOPE = "0123456789abcdef";
const ttlMs = 1000;
let ids = 0;

function batch(...changes: readonly Change[]): Batch {
  return { id: `b${++ids}`, scope: SCOPE, changes };
}

Deno.test("MemoryBackend applies a batch once, and gives a value to one who takes it", async () => {
  let time = 0;
  const backend = new MemoryBackend(() => time);
  const add = batch({ kind: "add", key: "n", by: 2, ttlMs }, {
    kind: "put",
    key: "q",
    json: "[1]",
    ttlMs: 10,
  });
  assert.deepEqual([await backend.apply(add), await backend.apply(add)], [true, true]);
  const values = await backend.read(SCOPE);
  assert.deepEqual(values.map(({ key, json, leftMs }) => [key, json, leftMs]), [["n", "2", 1000], [
    "q",
    "[1]",
    10,
  ]]);
  const version = values[1]!.version;
  const takes = [1, 2].map((by) =>
    batch({ kind: "take", key: "q", version }, { kind: "add", key: "n", by, ttlMs }, {
      kind: "add",
      key: "n",
      by,
      ttlMs,
    })
  );
  const taken = [
    await backend.apply(takes[0]!),
    await backend.apply(takes[1]!),
    await backend.apply(takes[1]!),
  ];
  assert.deepEqual(taken, [true, false, false]);
  assert.deepEqual((await backend.list(10)).map(({ key, json }) => [key, json]), [["n", "4"]]);
  time = 1000;
  assert.deepEqual([await backend.read(SCOPE), await backend.list(10)], [[], []]);
});

Deno.test("MemoryBackend keeps a bounded number of values, the newest", async () => {
  const backend = new MemoryBackend(() => 0);
  for (let index = 0; index < 10_100; index++) {
    await backend.apply({
      id: `${index}`,
      scope: `s${index}`,
      changes: [{ kind: "put", key: `${index}`, json: "1", ttlMs }],
    });
  }
  const keys = (await backend.list(20_000)).map(({ key }) => key);
  assert.equal(keys.length, 10_000);
  assert.ok(keys.includes("10099") && !keys.includes("0"));
});

Deno.test("MemoryBackend keeps the newest 1,000 values of a scope", async () => {
  const backend = new MemoryBackend(() => 0);
  const put = (index: number): Change => ({ kind: "put", key: `${index}`, json: "1", ttlMs });
  for (let index = 0; index < 1100; index++) await backend.apply(batch(put(index)));
  await backend.apply(batch(put(200)));
  await backend.apply({ ...batch(put(0)), scope: "another" });
  const keys = (await backend.read(SCOPE)).map(({ key }) => key);
  assert.deepEqual([keys.length, keys[0], keys.at(-1)], [1000, "100", "200"]);
  assert.equal((await backend.list(2000)).length, 1001);
});
