import assert from "node:assert/strict";
import { findKind, promisedKind } from "../../../src/proxy/transport/body_kind.ts";

Deno.test("promisedKind trusts a stream that was asked for and ambiguities every other answer", () => {
  assert.equal(promisedKind("text/event-stream; charset=utf-8", true), "stream");
  assert.equal(promisedKind("text/event-stream", false), "unsure");
  for (const type of ["application/json", "text/plain", "application/octet-stream", null]) {
    assert.equal(promisedKind(type, true), "unsure");
  }
  assert.equal(promisedKind("text/html", true), undefined);
});

function stream(pieces: readonly string[]): ReadableStream<Uint8Array> {
  return ReadableStream.from(pieces.map((piece) => new TextEncoder().encode(piece)));
}

Deno.test("findKind decides by the first bytes, however they are cut, and loses none", async () => {
  const table = [
    ['{"a": 1}', "json"],
    [" \r\n [1]", "json"],
    ["data: {}\n\n", "stream"],
    [": ping\n\n", "stream"],
    ["\uFEFFevent: x\n", "stream"],
    ["\n\ndata: 1", "stream"],
    ["database", undefined],
    ["<html>", undefined],
    ["da", undefined],
    ["", undefined],
  ] as const;
  for (const [text, kind] of table) {
    for (const pieces of [[text], [...text]]) {
      const found = await findKind(stream(pieces));
      assert.equal(found.kind, kind, JSON.stringify(text));
      const bytes = await new Response(found.body).arrayBuffer();
      assert.deepEqual(new Uint8Array(bytes), new TextEncoder().encode(text));
    }
  }
});
