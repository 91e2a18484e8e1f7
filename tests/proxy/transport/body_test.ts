import assert from "node:assert/strict";
import { readStart, readWhole } from "../../../src/proxy/transport/body.ts";

Deno.test("readWhole gives all bytes", async () => {
  const stream = ReadableStream.from([new Uint8Array([1, 2]), new Uint8Array(), new Uint8Array([3])]);
  assert.deepEqual(await readWhole(stream, { bytesMax: 3 }), new Uint8Array([1, 2, 3]));
  assert.deepEqual(await readWhole(null, { bytesMax: 3 }), new Uint8Array());
});

Deno.test("readWhole cancels a body that is longer than the limit", async () => {
  let isCancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(2)),
    cancel: () => void (isCancelled = true),
  });
  assert.equal(await readWhole(stream, { bytesMax: 3 }), undefined);
  assert.equal(isCancelled, true);
});

Deno.test("readStart gives a short body whole, and leaves every body to read", async () => {
  const pieces = [new Uint8Array([1, 2]), new Uint8Array([3]), new Uint8Array([4])];
  for (const [bytesMax, whole] of [[4, new Uint8Array([1, 2, 3, 4])], [2, undefined]] as const) {
    const start = await readStart(ReadableStream.from(pieces), { bytesMax });
    assert.deepEqual(start.whole, whole);
    assert.deepEqual(await readWhole(start.body, { bytesMax: 4 }), new Uint8Array([1, 2, 3, 4]));
  }
});

Deno.test("readStart leaves the failure of a body to whoever reads it", async () => {
  let count = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) =>
      count++ === 0 ? controller.enqueue(new Uint8Array(1)) : controller.error(new Error("gone")),
  });
  const { whole, body } = await readStart(stream, { bytesMax: 4 });
  assert.equal(whole, undefined);
  const reader = body.getReader();
  assert.deepEqual(await reader.read(), { done: false, value: new Uint8Array(1) });
  await assert.rejects(reader.read(), /gone/);
});
