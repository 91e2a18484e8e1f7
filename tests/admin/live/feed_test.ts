import assert from "node:assert/strict";
import { LiveFeed } from "../../../src/admin/live/feed.ts";
import type { LiveBatch, LiveRequest } from "../../../src/admin/live/request.ts";

function open() {
  const requests = new Map<string, LiveRequest>();
  const timers = new Map<() => void, number>();
  const asked: string[] = [];
  const feed = new LiveFeed({
    all: () => [...requests.values()],
    get: (id) => (asked.push(id), requests.get(id)),
    hasContents: () => false,
    later(act, ms) {
      const once = () => (timers.delete(once), act());
      timers.set(once, ms);
      return () => timers.delete(once);
    },
  });
  const change = (id: string, calls: number) => {
    requests.set(id, { id, calls } as LiveRequest);
    feed.changed(id);
  };
  const forget = (id: string) => requests.delete(id);
  const tick = (ms: number) => [...timers].filter(([, each]) => each === ms).forEach(([act]) => act());
  return { feed, change, forget, tick, timers, asked };
}

async function next(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  return new TextDecoder().decode((await reader.read()).value);
}

async function nextBatch(reader: ReadableStreamDefaultReader<Uint8Array>) {
  const { isWhole, requests }: LiveBatch = JSON.parse((await next(reader)).replace(/^data: /, ""));
  return { isWhole, requests: requests.map(({ id, calls }) => [id, calls]) };
}

Deno.test("LiveFeed does nothing while no page is open", () => {
  const { change, timers } = open();
  change("a", 1);
  assert.equal(timers.size, 0);
});

Deno.test("LiveFeed sends everything to a new page, then each batch of changes once", async () => {
  const { feed, change, tick } = open();
  change("a", 1);
  const reader = feed.open()!.getReader();
  assert.deepEqual(await nextBatch(reader), { isWhole: true, requests: [["a", 1]] });
  for (let calls = 2; calls < 50; calls++) change("a", calls);
  change("b", 0);
  tick(100);
  assert.deepEqual(await nextBatch(reader), { isWhole: false, requests: [["a", 49], ["b", 0]] });
  tick(15_000);
  assert.match(await next(reader), /^: /);
  await reader.cancel();
});

Deno.test("LiveFeed sends a slow page fewer messages, with the newest state", async () => {
  const { feed, change, tick } = open();
  const reader = feed.open()!.getReader();
  for (let calls = 1; calls <= 20; calls++) {
    change("a", calls);
    tick(100);
  }
  const seen: unknown[] = [];
  for (let last: unknown = 0; last !== 20; tick(100)) {
    const { requests } = await nextBatch(reader);
    last = requests[0]?.[1];
    seen.push(last);
  }
  assert.ok(seen.length < 6, String(seen));
  await reader.cancel();
});

Deno.test("LiveFeed keeps no more of a page that never reads than the requests that are kept", async () => {
  const { feed, change, forget, tick, asked } = open();
  const reader = feed.open()!.getReader();
  for (let number = 0; number < 5000; number++) {
    change(`r${number}`, number);
    forget(`r${number - 10}`);
    tick(100);
  }
  await nextBatch(reader);
  await nextBatch(reader);
  asked.length = 0;
  tick(100);
  assert.ok(asked.length <= 1000, `${asked.length} requests waited`);
  assert.deepEqual((await nextBatch(reader)).requests.map(([id]) => id).at(-1), "r4999");
  await reader.cancel();
});

Deno.test("LiveFeed limits the number of pages, stops its timers after the last one, and ends them all", async () => {
  const { feed, timers } = open();
  const streams = Array.from({ length: 16 }, () => feed.open()!);
  assert.equal(feed.open(), undefined);
  await streams[0]!.cancel();
  assert.ok(feed.open());
  assert.equal(timers.size, 1);
  feed.close();
  assert.equal(timers.size, 0);
  assert.equal(feed.open(), undefined);
  const reader = streams[1]!.getReader();
  await reader.read();
  assert.equal((await reader.read()).done, true);
});
