import assert from "node:assert/strict";
import { forwardPages, servePages } from "../../../src/cli/service/worker_pages.ts";

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

Deno.test("a page's body ends if no one reads it, if it breaks, or if the worker is gone", async () => {
  const left: string[] = [];
  const pages = servePages((request) => {
    const path = new URL(request.url).pathname;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) =>
        path === "/broken" ? controller.error(new Error("broken")) : controller.enqueue(new Uint8Array(1)),
      cancel: () => void left.push(path),
    }, { highWaterMark: 0 });
    return Promise.resolve(new Response(body));
  });
  const answer = forwardPages(pages);
  const ask = (path: string, method = "GET") =>
    answer(new Request(`http://localhost${path}`, { method }), undefined);
  assert.equal((await ask("/head", "HEAD")).body, null);
  assert.deepEqual(left, ["/head"]);
  await assert.rejects((await ask("/broken")).text(), /broken/);
  const stays = await ask("/stays");
  await stays.body!.getReader().read();
  pages.close();
  assert.deepEqual(left, ["/head", "/stays"]);
});

Deno.test("a request for a page is read only up to a limit", async () => {
  const answer = forwardPages(servePages(() => Promise.resolve(new Response("never"))));
  let pulled = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (++pulled > 20) controller.error(new Error(`${pulled} MiB were read`));
      else controller.enqueue(new Uint8Array(1024 * 1024));
    },
  });
  const { status } = await answer(new Request("http://localhost/", { method: "POST", body }), undefined);
  assert.equal(status, 413);
});
