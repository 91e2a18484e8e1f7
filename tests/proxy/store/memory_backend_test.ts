import assert from "node:assert/strict";
import type { Batch, Change } from "../../../src/proxy/store/backend.ts";
import { FallbackBackend } from "../../../src/proxy/store/fallback_backend.ts";
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

Deno.test("FallbackBackend goes on with its copy while the store is away, and takes the store's values again", async () => {
  const store = new MemoryBackend(() => 0);
  let isUp = true;
  const kept: Batch[] = [];
  const link = {
    attempt: async <T>(call: (backend: MemoryBackend) => Promise<T>) =>
      isUp ? { value: await call(store) } : undefined,
    async send(sent: Batch) {
      if (isUp) return await store.apply(sent);
      kept.push(sent);
      return undefined;
    },
  };
  const backend = new FallbackBackend({ link, copy: new MemoryBackend(() => 0) });
  await store.apply(batch({ kind: "put", key: "q", json: "1", ttlMs }));
  const version = (await backend.read(SCOPE))[0]!.version;
  isUp = false;
  assert.deepEqual((await backend.read(SCOPE)).map(({ json }) => json), ["1"]);
  const takes = [1, 2].map(() => batch({ kind: "take", key: "q", version }));
  assert.deepEqual(await Promise.all(takes.map((take) => backend.apply(take))), [true, false]);
  assert.deepEqual([await backend.read(SCOPE), await backend.list(5)], [[], []]);
  assert.equal(kept.length, 2);
  isUp = true;
  for (const each of kept) await store.apply(each);
  await backend.apply(batch({ kind: "add", key: "n", by: 1, ttlMs }));
  assert.deepEqual((await backend.read(SCOPE)).map(({ key, json }) => [key, json]), [["n", "1"]]);
  isUp = false;
  assert.deepEqual((await backend.read(SCOPE)).map(({ key }) => key), ["n"]);
});
