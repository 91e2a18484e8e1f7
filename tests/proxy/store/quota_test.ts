import assert from "node:assert/strict";
import { MemoryQuotas, type QuotaLimits } from "../../../src/proxy/store/quota.ts";

function counting(limits: QuotaLimits) {
  let time = 1_000_000;
  let leases = 0;
  const quotas = new MemoryQuotas(() => time);
  return {
    pass: (ms: number) => void (time += ms),
    /** `ok`, or the limit and the wait in seconds. */
    async admit(key = "k", lease = `lease${++leases}`): Promise<string> {
      const refusal = await quotas.admit({ key, lease, limits });
      return refusal === undefined ? "ok" : `${refusal.limit} ${refusal.retryMs / 1000}`;
    },
    release: (lease: string, tokens = 0) => quotas.release({ key: "k", lease, limits, tokens }),
    renew: (lease: string) => quotas.renew({ key: "k", lease, limits }),
  };
}

Deno.test("MemoryQuotas admits a minute's share of requests at once, and then one at a time", async () => {
  const { admit, pass } = counting({ requests: 7 });
  for (let count = 0; count < 7; count++) assert.equal(await admit(), "ok");
  const wait = Number((await admit()).split(" ")[1]);
  assert.ok(Math.abs(wait - 60 / 7) < 0.001, `${wait}`);
  assert.equal(await admit("another key"), "ok");
  pass(wait * 1000 - 10);
  assert.match(await admit(), /^requests 0\.0/);
  pass(10);
  assert.equal(await admit(), "ok", "after the wait that it stated");
  assert.match(await admit(), /^requests/);
  pass(60_000);
  for (let count = 0; count < 7; count++) assert.equal(await admit(), "ok");
});

Deno.test("MemoryQuotas counts tokens at the end of an answer", async () => {
  const { admit, release, pass } = counting({ tokens: 100 });
  assert.equal(await admit("k", "a"), "ok");
  assert.equal(await admit("k", "b"), "ok");
  await release("a", 90);
  assert.equal(await admit(), "ok");
  await release("b", 60);
  assert.equal(await admit(), "tokens 30");
  pass(30_000);
  assert.match(await admit(), /^tokens 0$/);
  pass(1);
  assert.equal(await admit(), "ok");
});

Deno.test("MemoryQuotas counts a day next to a minute, and refuses by the one that waits longer", async () => {
  const { admit, release, pass } = counting({ requests: 2, day_requests: 3, day_tokens: 864 });
  assert.deepEqual([await admit(), await admit()], ["ok", "ok"]);
  assert.match(await admit(), /^requests /);
  pass(60_000);
  assert.equal(await admit("k", "a"), "ok");
  assert.match(await admit(), /^day_requests 28\d{3}/);
  pass(86_400_000);
  assert.equal(await admit("k", "b"), "ok");
  await release("b", 865);
  assert.match(await admit(), /^day_tokens 100$/);
});

Deno.test("MemoryQuotas admits no more answers at a time, and forgets those that are not renewed", async () => {
  const { admit, release, renew, pass } = counting({ streams: 2 });
  assert.deepEqual([await admit("k", "a"), await admit("k", "b"), await admit()], ["ok", "ok", "streams 1"]);
  await release("a");
  assert.deepEqual([await admit("k", "c"), await admit()], ["ok", "streams 1"]);
  pass(40_000);
  await renew("b");
  pass(40_000);
  assert.deepEqual([await admit("k", "d"), await admit()], ["ok", "streams 1"]);
});
