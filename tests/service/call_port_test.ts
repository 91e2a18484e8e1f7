import assert from "node:assert/strict";
import { CallPort } from "../../src/service/call_port.ts";
import { forwardPages, servePages } from "../../src/service/worker_pages.ts";

/** Two ends of a line. */
function line() {
  const { port1, port2 } = new MessageChannel();
  port1.start();
  port2.start();
  return { one: port1, other: port2, [Symbol.dispose]: () => (port1.close(), port2.close()) };
}

Deno.test("CallPort calls functions of the other side and passes errors on", async () => {
  using ends = line();
  const theirs = {
    add: (one: number, other: number) => Promise.resolve(one + other),
    fail(): void {
      throw new Error("out of order");
    },
  };
  new CallPort(ends.other, theirs);
  const port = new CallPort<typeof theirs & { missing(): void }>(ends.one, {});
  assert.deepEqual(await Promise.all([port.call("add", 1, 2), port.call("add", 3, 4)]), [3, 7]);
  await assert.rejects(port.call("fail"), /out of order/);
  await assert.rejects(port.call("missing"), /No function missing/);
  const waiting = port.call("add", 1, 2);
  port.fail(new Error("gone"));
  await assert.rejects(waiting, /gone/);
});

Deno.test("a page that a worker forwards arrives as it is, piece by piece, and ends when its visitor leaves", async () => {
  let left = false;
  const pages = servePages(async (request, remote) => {
    const asked = `${request.method} ${new URL(request.url).pathname} ${remote} ${await request.text()}`;
    if (request.url.endsWith("/none")) return new Response(null, { status: 204 });
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode(asked)),
      cancel: () => void (left = true),
    });
    return new Response(body, { status: 207, headers: { "x-page": "yes" } });
  });
  const answer = forwardPages(pages);
  const response = await answer(
    new Request("http://localhost/_dragoman/x", { method: "POST", body: "b" }),
    "10.0.0.1",
  );
  assert.deepEqual([response.status, response.headers.get("x-page")], [207, "yes"]);
  const reader = response.body!.getReader();
  for (let piece = 0; piece < 2; piece++) {
    const { value } = await reader.read();
    assert.equal(new TextDecoder().decode(value), "POST /_dragoman/x 10.0.0.1 b");
  }
  await reader.cancel();
  assert.equal(left, true);
  assert.equal((await answer(new Request("http://localhost/none"), undefined)).status, 204);
});
