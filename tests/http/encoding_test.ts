import assert from "node:assert/strict";
import { bodyKind, encodingOf, isCompression, readableBody } from "../../src/http/encoding.ts";

function answer(headers: Record<string, string>, body: BodyInit | null = "x"): Response {
  return new Response(body, { headers });
}

Deno.test("bodyKind goes by the content type, and by the request where there is none", () => {
  const bare = new Response(new TextEncoder().encode("x"));
  assert.equal(bodyKind(answer({ "content-type": "text/event-stream; charset=utf-8" }), {}), "stream");
  assert.equal(bodyKind(answer({ "content-type": "application/json" }), { stream: true }), "json");
  assert.equal(bodyKind(answer({ "content-type": "text/html" }), {}), undefined);
  assert.equal(bodyKind(bare, { stream: true }), "stream");
  assert.equal(bodyKind(bare, {}), "json");
});

Deno.test("readableBody gives plain bytes of what can be read, and nothing else", async () => {
  const packed = new Blob(["text"]).stream().pipeThrough(new CompressionStream("gzip"));
  const plain = readableBody(answer({ "content-encoding": " GZIP" }, packed));
  assert.equal(await new Response(plain).text(), "text");
  assert.equal(readableBody(answer({ "content-encoding": "br" })), undefined);
  assert.equal(readableBody(answer({}, null)), undefined);
});

Deno.test("encodingOf reads the header, identity where it is missing or empty", () => {
  assert.equal(encodingOf(answer({})), "identity");
  assert.equal(encodingOf(answer({ "content-encoding": "br" })), "br");
  assert.deepEqual(["gzip", "deflate", "br", "identity"].map(isCompression), [true, true, false, false]);
});
