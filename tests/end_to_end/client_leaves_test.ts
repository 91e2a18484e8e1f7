/**
 * A client that leaves stops the model: through real sockets, for every way to leave and every moment.
 *
 * @module
 */
import assert from "node:assert/strict";
import { bracketService, startProxy, testConfig, TOOLS } from "../support/proxy.ts";
import { connectRaw, postText } from "../support/raw_client.ts";
import { chunked, startRawUpstream, STREAM_HEAD, textEvent } from "../support/raw_upstream.ts";
import { startUpstream } from "../support/scripted_upstream.ts";
import { wireRequest, WIRES } from "../support/wire_conversations.ts";

/** How long a model may go on after its client has left. */
const LIMIT_MS = 1000;

/** Moments to leave: what the model has sent until then, and what the client has seen of it. */
const MOMENTS: Readonly<Record<string, { sent: string; stream: boolean; seen?: RegExp }>> = {
  "before the head of a streamed answer": { sent: "", stream: true },
  "before the head of a whole answer": { sent: "", stream: false },
  "in the middle of a streamed answer": {
    sent: STREAM_HEAD + chunked(textEvent("words")),
    stream: true,
    seen: /words/,
  },
  "while its whole answer is being read": {
    sent: "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{",
    stream: false,
  },
};

for (const [moment, { sent, stream, seen }] of Object.entries(MOMENTS)) {
  for (const how of ["close", "reset"] as const) {
    for (const [kind, tools] of [["translated", TOOLS], ["passed through", undefined]] as const) {
      Deno.test(`a client that leaves (${how}) ${moment} stops the model within a second, ${kind}`, async () => {
        for (const size of [10, 600, 20_000, 300_000]) {
          await using upstream = await startRawUpstream((request) => request.write(sent));
          await using proxy = await startProxy(bracketService(testConfig(upstream.url)));
          const client = await connectRaw(proxy.origin);
          const content = "p".repeat(size);
          const body = JSON.stringify({ model: "m", stream, tools, messages: [{ role: "user", content }] });
          client.send(postText("/v1/chat/completions", body));
          const request = await upstream.next();
          if (seen !== undefined) await client.until(seen);
          const began = performance.now();
          client[how]();
          await request.gone;
          const took = performance.now() - began;
          assert.ok(took < LIMIT_MS, `${size} characters: the model went on for ${took} ms`);
        }
      });
    }
  }
}

for (const wire of WIRES) {
  for (const how of ["close", "reset"] as const) {
    Deno.test(`a client of the ${wire} wire that leaves (${how}) at the first bytes stops the model, and nothing else`, async () => {
      await using upstream = await startRawUpstream((request) =>
        request.write(STREAM_HEAD + chunked(textEvent("words")))
      );
      await using proxy = await startProxy(bracketService(testConfig(upstream.url)));
      const client = await connectRaw(proxy.origin);
      const { path, body } = wireRequest(wire, { name: "t", description: "", schema: { type: "object" } });
      client.send(postText(path, JSON.stringify(body)));
      const request = await upstream.next();
      await client.until(/\r\n\r\n[^]*words/);
      const began = performance.now();
      client[how]();
      await request.gone;
      const took = performance.now() - began;
      assert.ok(took < LIMIT_MS, `the model went on for ${took} ms`);
      const health = await fetch(`${proxy.origin}/health`);
      assert.ok((await health.text()).length > 0);
    });
  }
}

Deno.test("a client that leaves in the middle of its request reaches no model", async () => {
  await using upstream = startUpstream({ text: "never" });
  await using proxy = await startProxy(bracketService(testConfig(upstream.url)));
  const client = await connectRaw(proxy.origin);
  client.send(postText("/v1/chat/completions", "x".repeat(5000)).slice(0, -100));
  client.reset();
  await fetch(`${proxy.origin}/health`).then((response) => response.text());
  assert.equal(upstream.requests.length, 0);
});

Deno.test("a connection stays open for the next request, whatever the size of the one before", async () => {
  await using upstream = startUpstream({ text: "answer" });
  await using proxy = await startProxy(bracketService(testConfig(upstream.url)));
  const client = await connectRaw(proxy.origin);
  for (let count = 1; count <= 3; count++) {
    const content = "p".repeat(5000);
    const body = JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content }] });
    client.send(postText("/v1/chat/completions", body));
    await client.until(new RegExp(`(?:\\[DONE\\][^]*\r\n0\r\n\r\n[^]*){${count}}$`));
  }
  assert.equal(upstream.requests.length, 3);
  client.close();
});
