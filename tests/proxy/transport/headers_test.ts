import assert from "node:assert/strict";
import { forwardedHeaders, returnedHeaders } from "../../../src/proxy/transport/headers.ts";

Deno.test("forwardedHeaders drops what belongs to the connection and keeps the rest", () => {
  const headers = forwardedHeaders(
    new Headers({
      "accept-encoding": "br",
      "authorization": "Bearer mine",
      "connection": "keep-alive, x-hop, ;bad",
      "content-length": "5",
      "host": "127.0.0.1",
      "transfer-encoding": "chunked",
      "user-agent": "agent/1",
      "x-dragoman-client": "roo",
      "x-hop": "1",
      "x-own": "2",
    }),
  );
  assert.deepEqual(Object.fromEntries(headers), {
    "accept-encoding": "identity",
    "authorization": "Bearer mine",
    "user-agent": "agent/1",
    "x-own": "2",
  });
});

Deno.test("forwardedHeaders puts the upstream's key in the place of the client's", () => {
  const headers = forwardedHeaders(new Headers({ authorization: "Bearer mine" }), "secret");
  assert.equal(headers.get("authorization"), "Bearer secret");
});

Deno.test("returnedHeaders drops what an upstream states about our address", () => {
  const headers = new Headers({
    "access-control-allow-origin": "*",
    "alt-svc": 'h3=":443"',
    "x-accel-redirect": "/etc/passwd",
    "x-sendfile": "/etc/passwd",
    "x-accelerated": "1",
  });
  assert.deepEqual(Object.fromEntries(returnedHeaders(headers, { isRewritten: false })), {
    "x-accelerated": "1",
  });
});

Deno.test("returnedHeaders drops what describes a body that was rewritten", () => {
  const headers = new Headers({
    "content-length": "5",
    "content-encoding": "gzip",
    "x-request-id": "1",
    te: "x",
  });
  assert.deepEqual(Object.fromEntries(returnedHeaders(headers, { isRewritten: true })), {
    "x-request-id": "1",
  });
  assert.deepEqual(Object.fromEntries(returnedHeaders(headers, { isRewritten: false })), {
    "content-encoding": "gzip",
    "content-length": "5",
    "x-request-id": "1",
  });
});
