import assert from "node:assert/strict";
import type { Batch, Change } from "../../../src/proxy/store/backend.ts";
import { fallbackBackend, fallbackQuotas, fallbackTexts } from "../../../src/proxy/store/fallback.ts";
import { MemoryBackend } from "../../../src/proxy/store/memory_backend.ts";
import { MemoryQuotas, type Quotas } from "../../../src/proxy/store/quota.ts";
import { MemoryTexts } from "../../../src/proxy/store/text.ts";

const SCOPE = "0123456789abcdef";
const ttlMs = 1000;
let ids = 0;

function batch(change: Change): Batch {
  return { id: `b${++ids}`, scope: SCOPE, changes: [change] };
}

Deno.test("fallbackBackend goes on with its copy while the store is away, and takes the store's values again", async () => {
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
  const backend = fallbackBackend({ link, copy: new MemoryBackend(() => 0) });
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

Deno.test("fallbackQuotas counts in the store, or in the process while the store is away", async () => {
  const calls: string[] = [];
  const shared: Quotas = {
    admit: ({ lease }) => Promise.resolve(void calls.push(`admit ${lease}`)),
    renew: ({ lease }) => Promise.resolve(void calls.push(`renew ${lease}`)),
    release: ({ lease }) => Promise.resolve(void calls.push(`release ${lease}`)),
  };
  let isUp = true;
  const attempt = async <T>(call: (backend: never) => Promise<T>) =>
    isUp ? { value: await call(undefined as never) } : undefined;
  const quotas = fallbackQuotas({ shared, link: { attempt }, own: new MemoryQuotas(() => 0) });
  const request = (lease: string) => ({ key: "k", lease, limits: { streams: 1 }, tokens: 0 });
  await quotas.admit(request("a"));
  isUp = false;
  assert.equal(await quotas.admit(request("b")), undefined);
  assert.equal((await quotas.admit(request("c")))?.limit, "streams");
  isUp = true;
  await quotas.renew(request("a"));
  await quotas.release(request("a"));
  await quotas.release(request("b"));
  assert.deepEqual(calls, ["admit a", "renew a", "release a"], "a lease ends where it began");
});

Deno.test("fallbackTexts knows its own texts while the store is away", async () => {
  const store = new MemoryTexts(() => 0);
  let isUp = true;
  const replica = () =>
    fallbackTexts({
      shared: store,
      own: new MemoryTexts(() => 0),
      link: {
        attempt: async (call) => isUp ? { value: await call(undefined as never) } : undefined,
      },
    });
  const [one, other] = [replica(), replica()];
  await one.keep("a", "1");
  assert.deepEqual(await other.recall(["a", "b"]), ["1", undefined]);
  isUp = false;
  await one.keep("b", "2");
  assert.deepEqual(await one.recall(["a", "b"]), ["1", "2"]);
  assert.deepEqual(await other.recall(["a", "b"]), [undefined, undefined]);
  isUp = true;
  assert.deepEqual(await one.recall(["a", "b"]), ["1", "2"]);
});
