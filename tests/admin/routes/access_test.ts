import assert from "node:assert/strict";
import { exchangeKey, refusePlace, refuseVisitor } from "../../../src/admin/routes/access.ts";

const visitor = (headers: Record<string, string>, remote: string | undefined = "127.0.0.1") => ({
  headers: new Headers({ host: "127.0.0.1:8787", ...headers }),
  remote,
  now: 0,
});

const NONE = { admin: undefined, clients: [] };
const SECRET = { admin: "secret", clients: [] };

Deno.test("refuseVisitor asks this machine for a client key where there are any", () => {
  const keys = { admin: undefined, clients: ["one", "two"] };
  assert.equal(refuseVisitor(visitor({}), keys)?.status, 401);
  assert.equal(refuseVisitor(visitor({ authorization: "Bearer two" }), keys), undefined);
  assert.equal(refuseVisitor(visitor({ authorization: "Bearer two" }, "10.0.0.1"), keys)?.status, 403);
});

Deno.test("refuseVisitor lets only this machine in where there is no key", () => {
  for (const remote of ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"]) {
    assert.equal(refuseVisitor(visitor({}, remote), NONE), undefined);
  }
  for (const remote of ["10.0.0.1", "127.0.0.1.evil", undefined]) {
    const refusal = refuseVisitor(
      { headers: visitor({}).headers, remote: remote?.replace("127.0.0.1.", ""), now: 0 },
      NONE,
    );
    assert.equal(refusal?.status, 403);
  }
});

Deno.test("refuseVisitor lets no web page in, by its own name or through another name of this machine", () => {
  const table: Record<string, string>[] = [
    { host: "evil.example:8787" },
    { origin: "https://evil.example" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
  ];
  for (const headers of table) assert.equal(refuseVisitor(visitor(headers), NONE)?.status, 403);
  assert.equal(refuseVisitor(visitor({ origin: "http://127.0.0.1:8787" }), NONE), undefined);
});

Deno.test("refuseVisitor asks everybody for the key where there is one", () => {
  assert.equal(refuseVisitor(visitor({}), SECRET)?.status, 401);
  assert.equal(refuseVisitor(visitor({ authorization: "Bearer secres" }), SECRET)?.status, 401);
  assert.equal(
    refuseVisitor(visitor({ authorization: "Bearer secret", host: "proxy.lan" }, "10.0.0.1"), SECRET),
    undefined,
  );
});

Deno.test("exchangeKey gives a session for a key that the pages take, and refuseVisitor takes it until the key changes", () => {
  const clients = { admin: undefined, clients: ["one", "two"] };
  assert.equal(exchangeKey("secres", SECRET, 0), undefined);
  assert.equal(exchangeKey("one", { ...SECRET, clients: ["one"] }, 0), undefined);
  assert.equal(exchangeKey("", NONE, 0), undefined);
  for (const [key, keys] of [["secret", SECRET], ["two", clients]] as const) {
    const cookie = exchangeKey(key, keys, 0)?.split(";")[0] ?? "";
    assert.equal(refuseVisitor(visitor({ cookie }), keys), undefined);
    assert.equal(refuseVisitor(visitor({ cookie }), { admin: "new", clients: [] })?.status, 401);
    assert.equal(refuseVisitor({ ...visitor({ cookie }), now: 1e12 }, keys)?.status, 401);
    assert.equal(refuseVisitor(visitor({ cookie, origin: "http://127.0.0.1:3000" }), keys)?.status, 403);
  }
});

Deno.test("refusePlace lets the page load that asks for the key, but only where the key may be used", () => {
  const clients = { admin: undefined, clients: ["one"] };
  assert.equal(refusePlace(visitor({}), clients), undefined);
  assert.equal(refusePlace(visitor({}, "10.0.0.1"), clients)?.status, 403);
  assert.equal(refusePlace(visitor({ host: "proxy.lan" }, "10.0.0.1"), SECRET), undefined);
  assert.equal(refusePlace(visitor({ origin: "https://evil.example" }), SECRET)?.status, 403);
});
