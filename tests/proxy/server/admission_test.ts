import assert from "node:assert/strict";
import { configSchema } from "../../../src/proxy/config/schema.ts";
import { type Admission, admit, refuseSource } from "../../../src/proxy/server/admission.ts";

function admission(listen: Record<string, unknown> = {}, clientKeys: string[] = []): Admission {
  const parsed = configSchema.parse({ listen }).listen;
  return { listen: parsed, hostname: parsed.hostname, clientKeys };
}

const refusal = (host: string, listen: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  refuseSource(new URL(`http://${host}/v1/models`), new Headers(headers), admission(listen))?.code;

Deno.test("refuseSource knows the listening address, and on every address each numeric one", () => {
  assert.equal(refusal("192.168.1.2:8787", { hostname: "192.168.1.2" }), undefined);
  assert.equal(refusal("192.168.1.3:8787", { hostname: "192.168.1.2" }), "foreign_host");
  for (const hostname of ["0.0.0.0", "::"]) {
    assert.equal(refusal("192.168.1.3:8787", { hostname }), undefined);
    assert.equal(refusal("[fe80::1]:8787", { hostname }), undefined);
    assert.equal(refusal("evil.example:8787", { hostname }), "foreign_host");
  }
});

Deno.test("refuseSource lets a page of the proxy itself in, by whatever name it is reached", () => {
  const listen = { hostname: "0.0.0.0", hosts: ["proxy.lan"] };
  assert.equal(refusal("proxy.lan:8787", listen, { origin: "http://proxy.lan:8787" }), undefined);
  assert.equal(refusal("proxy.lan:8787", listen, { origin: "http://proxy.lan:80" }), "foreign_origin");
  assert.equal(refusal("proxy.lan.", listen), undefined);
});

Deno.test("admit takes every client key out of the headers and leaves other keys", () => {
  const headers = new Headers({ authorization: "Bearer the-client-key", "api-key": "somebody else's" });
  const { refused, key } = admit(headers, admission({}, ["the-client-key"]));
  assert.deepEqual([refused, key], [undefined, "the-client-key"]);
  assert.deepEqual([...headers], [["api-key", "somebody else's"]]);
  assert.equal(admit(headers, admission({}, ["the-client-key"])).refused?.status, 401);
});
