import assert from "node:assert/strict";
import { Deadline } from "../../../src/proxy/exchange/deadline.ts";
import { limitBody, limitSource } from "../../../src/proxy/transport/limited.ts";
import { openSource } from "../../../src/proxy/transport/source.ts";

const STOPPED = { status: 503, type: "server_error", code: "server_stopped", message: "stopped" };

/** A body that gives one piece, ignores every signal, and tells when it is canceled. */
function deafBody() {
  const canceled = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode("words")),
    cancel: () => canceled.resolve(),
  });
  return { body, canceled: canceled.promise };
}

Deno.test("limitSource ends a read when its deadline fails, and cancels the body", async () => {
  const deadline = new Deadline();
  const { body, canceled } = deafBody();
  const source = limitSource(openSource(body), deadline);
  assert.equal(new TextDecoder().decode(await source.read()), "words");
  const next = source.read();
  deadline.fail(STOPPED);
  await assert.rejects(next, /stopped/);
  await canceled;
});

Deno.test("limitBody ends a read when its deadline fails or has failed, and cancels the body", async () => {
  for (const isEarly of [false, true]) {
    const deadline = new Deadline();
    const { body, canceled } = deafBody();
    if (isEarly) deadline.fail(STOPPED);
    const text = new Response(limitBody(body, deadline)).text();
    if (!isEarly) deadline.fail(STOPPED);
    await assert.rejects(text, /stopped/);
    await canceled;
  }
});

Deno.test("limitBody gives the same bytes", async () => {
  const body = new Response("words").body!;
  assert.equal(await new Response(limitBody(body, new Deadline())).text(), "words");
});
