import assert from "node:assert/strict";
import { readWhole } from "../../src/http/body.ts";

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
