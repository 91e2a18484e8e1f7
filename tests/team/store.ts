/**
 * What the program asks of a real Valkey or Redis server, one step at a time.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { StoreServer } from "../../src/proxy/config/store_server.ts";
import { openMemory } from "../../src/cli/service/memory.ts";
import { openValkey, type ServerBackend } from "../../src/cli/service/valkey.ts";
import type { Batch, Change } from "../../src/proxy/store/backend.ts";
import { findProgram } from "../support/find_program.ts";
import { createTestContext } from "../support/context.ts";
import { makeCertificate } from "./certificate.ts";
import { findStore, programTest, Replica, StoreProgram } from "./programs.ts";

const program = await findStore();
const openssl = await findProgram("openssl");
const INSTALLED = { "valkey-server or redis-server": program };
const SCOPE = "0123456789abcdef";

async function withStore(run: (server: StoreServer, store: StoreProgram) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  const store = new StoreProgram(program!, folder);
  await store.start();
  try {
    await run({
      url: store.url,
      host: "127.0.0.1",
      port: store.port,
      database: 0,
      isSecure: false,
      timeoutMs: 5000,
      prefix: "test",
    }, store);
  } finally {
    await store.kill();
    await Deno.remove(folder, { recursive: true });
  }
}

async function withBackends(run: (one: ServerBackend, other: ServerBackend) => Promise<void>): Promise<void> {
  await withStore(async (server) => {
    const backends = [await openValkey(server), await openValkey(server)] as const;
    try {
      await run(...backends);
    } finally {
      backends.forEach((backend) => backend.close());
    }
  });
}

let ids = 0;

function batch(...changes: readonly Change[]): Batch {
  return { id: `batch${++ids}`, scope: SCOPE, changes };
}

const ttlMs = 60_000;

programTest(
  "a batch takes effect once, from any connection",
  INSTALLED,
  () =>
    withBackends(async (one, other) => {
      const json = JSON.stringify({ text: 'line\n\u2028 é "quoted" %s %d', empty: "" });
      const first = batch({ kind: "add", key: "n", by: 2, ttlMs }, { kind: "put", key: "p q", json, ttlMs });
      assert.deepEqual(
        await Promise.all([one.apply(first), other.apply(first), one.apply(first)]),
        [true, true, true],
      );
      const values = await other.read(SCOPE);
      assert.deepEqual(values.map(({ key, json }) => [key, json]).sort(), [["n", "2"], ["p q", json]]);
      assert.ok(values.every(({ leftMs }) => leftMs > 0 && leftMs <= ttlMs));
      await Promise.all(
        Array.from(
          { length: 100 },
          (_, index) => (index % 2 ? one : other).apply(batch({ kind: "add", key: "n", by: 0.5, ttlMs })),
        ),
      );
      assert.equal((await one.read(SCOPE)).find(({ key }) => key === "n")?.json, "52");
      assert.deepEqual(await one.read("fedcba9876543210"), []);
      assert.equal((await one.list(10)).length, 2);
    }),
);

programTest(
  "a value that many take goes to one of them, with what it wrote",
  INSTALLED,
  () =>
    withBackends(async (one, other) => {
      await one.apply(batch({ kind: "put", key: "q", json: "[1,2]", ttlMs }));
      const version = (await one.read(SCOPE))[0]!.version;
      const takes = Array.from(
        { length: 20 },
        (_, index) =>
          batch({ kind: "take", key: "q", version }, { kind: "put", key: "winner", json: `${index}`, ttlMs }),
      );
      const taken = await Promise.all(takes.map((take, index) => (index % 2 ? one : other).apply(take)));
      assert.equal(taken.filter(Boolean).length, 1);
      const winner = taken.indexOf(true);
      assert.deepEqual((await other.read(SCOPE)).map(({ key, json }) => [key, json]), [[
        "winner",
        `${winner}`,
      ]]);
      // Sent again, each gets the same answer.
      assert.deepEqual(await Promise.all(takes.map((take) => one.apply(take))), taken);
    }),
);

programTest(
  "a value of another program, or a time to live of any length, keeps nothing else from being read",
  INSTALLED,
  () =>
    withStore(async (server, store) => {
      const memory = await openMemory(server, createTestContext());
      const raw = await store.connect();
      await raw.send("HSET", `test:{${SCOPE}}:values`, "foreign", "nonsense");
      const session = await memory.sessions.open(SCOPE);
      for (const ttlMs of [1e300, Infinity, 1500.5, NaN, -1]) {
        session.store.put(`p/${SCOPE}/${ttlMs}`, 1, { ttlMs });
      }
      session.store.add("common", Number.MAX_VALUE, { ttlMs });
      session.store.add("common", Number.MAX_VALUE, { ttlMs });
      await session.save();
      const { store: values } = await memory.sessions.open(SCOPE);
      assert.deepEqual(values.entries().map(({ key }) => key).sort(), [
        `p/${SCOPE}/1500.5`,
        `p/${SCOPE}/1e+300`,
        `p/${SCOPE}/Infinity`,
      ]);
      assert.deepEqual([memory.figures?.().outages, memory.figures?.().waiting], [0, 0]);
      raw.close();
      await memory.close();
    }),
);

programTest(
  "a scope keeps its newest 1,000 values, and none after its time",
  INSTALLED,
  () =>
    withBackends(async (one) => {
      const put = (key: string, ttlMs: number): Change => ({ kind: "put", key, json: "1", ttlMs });
      for (let index = 0; index < 1100; index++) await one.apply(batch(put(`k${index}`, ttlMs + index)));
      const keys = (await one.read(SCOPE)).map(({ key }) => key);
      assert.ok(keys.length <= 1000 && keys.includes("k1099") && !keys.includes("k0"), `${keys.length}`);
      await one.apply({ ...batch(put("short", 1)), scope: "short" });
      while ((await one.read("short")).length > 0) await one.ping();
    }),
);

programTest(
  "the limits of a key count over connections",
  INSTALLED,
  () =>
    withBackends(async ({ quotas: one }, { quotas: other }) => {
      const limits = { requests: 5, tokens: 1000, streams: 3 };
      const request = (lease: string) => ({ key: "k", lease, limits });
      for (const [index, lease] of ["a", "b", "c"].entries()) {
        assert.equal(await (index % 2 ? one : other).admit(request(lease)), undefined);
      }
      assert.deepEqual(await one.admit(request("d")), { limit: "streams", retryMs: 1000 });
      await other.renew(request("a"));
      for (const lease of ["a", "b"]) await one.release({ ...request(lease), tokens: 400 });
      assert.equal(await other.admit(request("d")), undefined);
      await other.release({ ...request("d"), tokens: 400 });
      const refused = await one.admit(request("e"));
      assert.equal(refused?.limit, "tokens");
      assert.ok(refused.retryMs > 1000 && refused.retryMs <= 12_000, `${refused.retryMs}`);
      const few = { key: "few", lease: "x", limits: { requests: 2 } };
      const answers = await Promise.all([one, other, one, other].map((quotas) => quotas.admit(few)));
      assert.equal(answers.filter((answer) => answer === undefined).length, 2);
      const wait = answers.find((answer) => answer !== undefined);
      assert.ok(wait?.limit === "requests" && wait.retryMs > 25_000 && wait.retryMs <= 30_000);
      const daily = { key: "daily", lease: "y", limits: { day_requests: 1 } };
      assert.equal(await one.admit(daily), undefined);
      assert.equal((await other.admit(daily))?.limit, "day_requests");
    }),
);

programTest(
  "replicas share texts, which live longer with each use",
  INSTALLED,
  () =>
    withStore(async (server, store) => {
      const context = createTestContext();
      const [one, other] = [await openMemory(server, context), await openMemory(server, context)];
      await one.texts.keep("a", '[{"id":"msg_1_0","text":"it\'s"}]');
      assert.deepEqual(await other.texts.recall(["a", "b"]), [
        '[{"id":"msg_1_0","text":"it\'s"}]',
        undefined,
      ]);
      const raw = await store.connect();
      await raw.send("PEXPIRE", "test:{a}:text", "60000");
      await other.texts.recall(["a"]);
      const [, leftMs] = /^:(\d+)/.exec(await raw.send("PTTL", "test:{a}:text")) ?? [];
      assert.ok(Number(leftMs) > 60_000, String(leftMs));
      // The pages list what plugins keep, and no texts.
      assert.deepEqual(await other.sessions.entries(), []);
      raw.close();
      await one.close();
      await other.close();
    }),
);

programTest(
  "a store that is frozen or gone costs one wait, and gets each change once when it is back",
  INSTALLED,
  () =>
    withStore(async (server, store) => {
      const context = createTestContext();
      const memory = await openMemory({ ...server, timeoutMs: 50 }, context);
      const count = async () => {
        const session = await memory.sessions.open(SCOPE);
        session.store.add(`p/${SCOPE}`, 1, { ttlMs });
        await session.save();
      };
      const back = async () => {
        while (memory.figures?.().isUp === false) await new Promise((resolve) => setTimeout(resolve, 10));
      };
      await count();
      store.freeze();
      for (let time = 0; time < 5; time++) await count();
      assert.equal(memory.figures?.().outages, 1, "only the first request called the store");
      store.thaw();
      await back();
      await store.kill();
      for (let time = 0; time < 5; time++) await count();
      await store.start();
      await back();
      await count();
      const backend = await openValkey(server);
      const values = await backend.read(SCOPE);
      backend.close();
      await memory.close();
      assert.equal(values[0]?.json, "12");
      const lines = context.printed.stderr.split("\n").filter((line) => line.includes("The store at"));
      assert.deepEqual(
        lines.map((line) => /does not answer|answers again/.exec(line)?.[0]),
        ["does not answer", "answers again", "does not answer", "answers again"],
      );
    }),
);

/** Name in the certificate → host, whether the authority is known, and whether the store answers. */
const ENCRYPTED: Readonly<Record<string, readonly (readonly [string, boolean, boolean])[]>> = {
  "DNS:localhost": [["localhost", true, true], ["127.0.0.1", true, false], ["localhost", false, false]],
  "IP:127.0.0.1": [["127.0.0.1", true, true], ["localhost", true, false]],
};

programTest(
  "an encrypted store is reached by a name or an address that its certificate has, and by no other",
  { ...INSTALLED, openssl },
  async () => {
    for (const [certified, cases] of Object.entries(ENCRYPTED)) {
      const folder = await Deno.makeTempDir();
      const certificate = await makeCertificate(openssl!, folder, certified);
      const store = new StoreProgram(program!, folder, certificate);
      try {
        await store.start();
        for (const [host, hasAuthority, isReached] of cases) {
          const ca = hasAuthority ? ", ca_env: STORE_CA" : "";
          const config = `store: { url: "rediss://${host}:${store.port}", timeout_ms: 10000${ca} }
limits: { drain_notice_ms: 0 }
`;
          const replica = new Replica(folder, config, { STORE_CA: certificate.authority });
          await replica.start();
          const metrics = await replica.metrics();
          await replica.stop();
          const what = `${certified}, ${host}, ${hasAuthority}: ${replica.printed}`;
          assert.match(metrics, new RegExp(`^dragoman_store_up ${isReached ? 1 : 0}$`, "m"), what);
          if (!isReached) assert.match(replica.printed, /does not answer \(.*(?:certificate|altname)/i, what);
        }
      } catch (error) {
        if (!/Bad directive/i.test(String(error))) throw error;
        return console.log(`SKIPPED: ${program} has no TLS`);
      } finally {
        await store.kill();
        await Deno.remove(folder, { recursive: true });
      }
    }
  },
);
