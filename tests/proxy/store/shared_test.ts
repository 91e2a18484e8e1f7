import assert from "node:assert/strict";
import type { LinkChange } from "../../../src/proxy/store/link.ts";
import { SharedSessions } from "../../../src/proxy/store/shared.ts";
import { FakeBackend, FakeTime } from "../../support/fake_backend.ts";

const CONVERSATION = "0123456789abcdef";
const KEY = `plugin/${CONVERSATION}`;
const TTL = { ttlMs: 60_000 };

function replicas(
  backend: FakeBackend,
  time: FakeTime,
  changes: LinkChange[] = [],
): [SharedSessions, SharedSessions] {
  let ids = 0;
  const create = () =>
    new SharedSessions({
      backend,
      limitMs: 50,
      now: time.now,
      wait: time.wait,
      newId: () => `id${++ids}`,
      report: (change) => changes.push(change),
    });
  return [create(), create()];
}

Deno.test("SharedSessions shows a request what another replica saved", async () => {
  const [one, other] = replicas(new FakeBackend(), new FakeTime());
  const first = await one.open(CONVERSATION);
  first.store.put(KEY, { waves: [1, undefined] }, TTL);
  first.store.put("plugin/any", "for all", TTL);
  first.store.add(`${KEY}/strikes`, 1, TTL);
  await first.save();
  assert.equal(first.save(), undefined, "nothing is left to save");
  const second = await other.open(CONVERSATION);
  assert.deepEqual(second.store.get(KEY), { waves: [1, null] });
  assert.equal(second.store.get("plugin/any"), "for all");
  assert.equal(second.store.add(`${KEY}/strikes`, 1, TTL), 2);
  assert.equal(second.store.entries().length, 3);
  const elsewhere = await other.open("fedcba9876543210");
  assert.deepEqual(elsewhere.store.entries().map(({ key }) => key), ["plugin/any"]);
});

Deno.test("SharedSessions adds up what replicas count at the same time", async () => {
  const backend = new FakeBackend();
  const both = replicas(backend, new FakeTime());
  const sessions = await Promise.all(both.map((each) => each.open(CONVERSATION)));
  for (const { store } of sessions) store.add(KEY, 1, TTL);
  await Promise.all(sessions.map((session) => session.save()));
  assert.equal(await backend.valueOf(KEY), 2);
});

Deno.test("SharedSessions gives a value that two requests take to one of them, with all that it wrote", async () => {
  const backend = new FakeBackend();
  const [one, other] = replicas(backend, new FakeTime());
  const before = await one.open(CONVERSATION);
  before.store.put(KEY, ["a", "b"], TTL);
  await before.save();
  // Two of them on the same replica, one on the other.
  const sessions = [
    await one.open(CONVERSATION),
    await other.open(CONVERSATION),
    await one.open(CONVERSATION),
  ];
  const claims = await Promise.all(sessions.map(async ({ store, claim }, index) => {
    const taken = store.take(KEY);
    if (taken === undefined) return "nothing";
    store.put(KEY, [`rest of ${index}`], TTL);
    return await claim();
  }));
  assert.equal(claims.filter((claim) => claim === true).length, 1, JSON.stringify(claims));
  assert.deepEqual(await backend.valueOf(KEY), [`rest of ${claims.indexOf(true)}`]);
});

Deno.test("SharedSessions goes on in memory while the store is away, and sends each change once", async () => {
  for (const behavior of ["fails", "hangs"] as const) {
    const backend = new FakeBackend();
    const time = new FakeTime();
    const changes: LinkChange[] = [];
    const [one] = replicas(backend, time, changes);
    const open = async () => {
      const opening = one.open(CONVERSATION);
      await time.pass(60);
      return await opening;
    };
    const first = await open();
    assert.equal(first.store.add(KEY, 1, TTL), 1);
    await first.save();
    backend.behavior = behavior;
    const second = await open();
    assert.equal(second.store.add(KEY, 1, TTL), 2, "the copy goes on");
    await second.save();
    const { calls } = backend;
    const third = await one.open(CONVERSATION);
    assert.equal(third.store.add(KEY, 1, TTL), 3);
    await third.save();
    assert.equal(backend.calls, calls, "no request calls a store that is away");
    assert.deepEqual(one.link.figures, { isUp: false, outages: 1, waiting: 2, dropped: 0 });
    await time.pass(3000);
    backend.thaw();
    await time.pass(3000);
    assert.equal(await backend.valueOf(KEY), 3, behavior);
    assert.deepEqual(one.link.figures, { isUp: true, outages: 1, waiting: 0, dropped: 0 });
    assert.deepEqual(
      changes.map(({ isUp }) => isUp),
      [false, true],
      "one line when it begins, one when it ends",
    );
  }
});

Deno.test("SharedSessions counts a change once that ran although it was late", async () => {
  const backend = new FakeBackend();
  const time = new FakeTime();
  const [one] = replicas(backend, time);
  const session = await one.open(CONVERSATION);
  session.store.add(KEY, 1, TTL);
  backend.behavior = "hangs";
  const saving = session.save();
  await time.pass(60);
  await saving;
  assert.equal(await backend.valueOf(KEY), undefined);
  // The frozen store runs the change that no one waits for, and then gets it again.
  backend.thaw();
  assert.equal(await backend.valueOf(KEY), 1);
  await time.pass(1000);
  assert.equal(one.link.figures.waiting, 0);
  assert.equal(await backend.valueOf(KEY), 1);
});

Deno.test("SharedSessions leaves out values that are not JSON", async () => {
  const backend = new FakeBackend();
  const [one] = replicas(backend, new FakeTime());
  const changes = [KEY, `${KEY}/good`].map((key, index) =>
    ({ kind: "put", key, json: index === 0 ? "inf" : "1", ttlMs: 1000 }) as const
  );
  await backend.apply({ id: "from elsewhere", scope: CONVERSATION, changes });
  const session = await one.open(CONVERSATION);
  assert.deepEqual([session.store.get(KEY), session.store.get(`${KEY}/good`)], [undefined, 1]);
  assert.deepEqual((await one.entries()).map(({ key }) => key), [`${KEY}/good`]);
});

Deno.test("SharedSessions sends whole times to live, and refuses to add what is no number", async () => {
  const backend = new FakeBackend();
  const [one] = replicas(backend, new FakeTime());
  const session = await one.open(CONVERSATION);
  for (const ttlMs of [0.5, 1e300, Infinity]) session.store.put(`${KEY}/${ttlMs}`, ttlMs, { ttlMs });
  session.store.put(KEY, "never", { ttlMs: NaN });
  for (const by of [NaN, Infinity]) {
    assert.throws(() => session.store.add(KEY, by, TTL), /Cannot add (?:NaN|Infinity) to/);
  }
  await session.save();
  const left = (await backend.read(CONVERSATION)).map(({ leftMs }) => leftMs);
  const yearMs = 365 * 24 * 60 * 60_000;
  assert.deepEqual(left.filter((ms) => ms > 0), [1, yearMs, yearMs]);
});

Deno.test("SharedSessions goes on if no one can take the report of an outage", async () => {
  const backend = new FakeBackend();
  const time = new FakeTime();
  const sessions = new SharedSessions({
    backend,
    limitMs: 50,
    now: time.now,
    wait: time.wait,
    newId: () => crypto.randomUUID(),
    report() {
      throw new Error("No space left on device");
    },
  });
  backend.behavior = "fails";
  const session = await sessions.open(CONVERSATION);
  session.store.add(KEY, 1, TTL);
  await session.save();
  assert.equal(sessions.link.figures.isUp, false);
  backend.behavior = "answers";
  await time.pass(3000);
  assert.equal(sessions.link.figures.isUp, true);
  assert.equal(await backend.valueOf(KEY), 1);
});

Deno.test("SharedSessions does not send what is too old, and says so", async () => {
  const backend = new FakeBackend();
  const time = new FakeTime();
  const changes: LinkChange[] = [];
  const [one] = replicas(backend, time, changes);
  backend.behavior = "fails";
  const session = await one.open(CONVERSATION);
  session.store.put(KEY, "short", { ttlMs: 1000 });
  await session.save();
  const next = await one.open(CONVERSATION);
  next.store.put(`${KEY}/long`, "long", TTL);
  await next.save();
  await time.pass(5000);
  backend.behavior = "answers";
  await time.pass(5000);
  assert.equal(await backend.valueOf(KEY), undefined);
  assert.equal(await backend.valueOf(`${KEY}/long`), "long");
  const back = changes.at(-1);
  assert.ok(back?.isUp);
  assert.deepEqual([back.sent, back.dropped], [1, 1]);
});

Deno.test("SharedSessions.entries lists the store's values, or the copy's while it is away; remove removes one", async () => {
  const backend = new FakeBackend();
  const time = new FakeTime();
  const [one, other] = replicas(backend, time);
  const session = await one.open(CONVERSATION);
  session.store.put(KEY, 2, TTL);
  await session.save();
  assert.deepEqual(await other.entries(), [{ key: KEY, value: 2, leftMs: 60_000 }]);
  backend.behavior = "fails";
  assert.deepEqual(await other.entries(), []);
  assert.deepEqual(await one.entries(), [{ key: KEY, value: 2, leftMs: 60_000 }]);
  backend.behavior = "answers";
  await time.pass(5000);
  assert.equal(await other.remove(KEY), true);
  assert.equal(await other.remove(KEY), false);
  assert.equal(await backend.valueOf(KEY), undefined);
});

Deno.test("StoreLink.close waits a while for a store that takes what is kept", async () => {
  for (const isBack of [true, false]) {
    const backend = new FakeBackend();
    const time = new FakeTime();
    const [one] = replicas(backend, time);
    backend.behavior = "fails";
    const session = await one.open(CONVERSATION);
    session.store.add(KEY, 1, TTL);
    await session.save();
    let isClosed = false;
    const closing = one.link.close().then(() => isClosed = true);
    await time.pass(2000);
    assert.equal(isClosed, false);
    if (isBack) backend.behavior = "answers";
    await time.pass(4000);
    assert.equal(isClosed, true);
    await closing;
    assert.equal(await backend.valueOf(KEY), isBack ? 1 : undefined);
  }
});

Deno.test("StoreLink.close gives up what a slow store has not taken in time", async () => {
  const backend = new FakeBackend();
  const time = new FakeTime();
  const [one] = replicas(backend, time);
  backend.behavior = "fails";
  const session = await one.open(CONVERSATION);
  for (let count = 0; count < 20; count++) {
    session.store.add(KEY, 1, TTL);
    await session.save();
  }
  backend.behavior = "answers";
  const apply = backend.apply.bind(backend);
  backend.apply = async (batch) => {
    await time.wait(900, new AbortController().signal);
    return await apply(batch);
  };
  let isClosed = false;
  const closing = one.link.close().then(() => isClosed = true);
  await time.pass(7000);
  assert.equal(isClosed, true);
  await closing;
  assert.equal(one.link.figures.waiting + Number(await backend.valueOf(KEY)), 20);
});
