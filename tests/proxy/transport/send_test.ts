import assert from "node:assert/strict";
import { createServer } from "node:http";
import { send } from "../../../src/proxy/transport/send.ts";
import { connectRaw } from "../../support/raw_client.ts";

/** Sends one response to one raw request; gives the bytes that arrive, as Latin-1. */
async function exchange(response: Response, method = "GET"): Promise<string> {
  const server = createServer((_incoming, outgoing) => void send(response, outgoing));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const client = await connectRaw(`http://127.0.0.1:${port}`);
  client.send(`${method} / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
  const received = await client.rest();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return received;
}

function pieces(...texts: (string | Error)[]): ReadableStream<Uint8Array> {
  const left = [...texts];
  return new ReadableStream({
    pull(controller) {
      const next = left.shift();
      if (next === undefined) controller.close();
      else if (next instanceof Error) controller.error(next);
      else controller.enqueue(new TextEncoder().encode(next));
    },
  }, { highWaterMark: 0 });
}

Deno.test("send never ends a body that failed as if it were whole", async () => {
  const received = await exchange(new Response(pieces("half", new Error("broken"))));
  assert.ok(received.includes("4\r\nhalf\r\n") && !received.includes("\r\n0\r\n"), received);
});

Deno.test("send gives a HEAD request the head alone, and cancels the body", async () => {
  let isCancelled = false;
  const body = new ReadableStream({ cancel: () => void (isCancelled = true) });
  const received = await exchange(new Response(body, { headers: { "x-a": "b" } }), "HEAD");
  assert.match(received, /^HTTP\/1\.1 200 [^]*x-a: b\r\n[^]*\r\n\r\n$/);
  assert.ok(isCancelled);
});
