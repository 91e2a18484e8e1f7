import assert from "node:assert/strict";
import { resolveConfig } from "../../../src/proxy/config/resolve.ts";
import { readConfigFile } from "../../../src/proxy/config/file.ts";

function read(store: string, environment: Record<string, string> = {}) {
  return resolveConfig({
    document: readConfigFile({ file: "dragoman.yaml", text: `store: ${store}\n` }),
    flags: {},
    readEnvironment: (name) => environment[name],
  });
}

Deno.test("readStoreServer reads an address, and secrets from the environment", () => {
  assert.equal(read("{}").storeServer, undefined);
  assert.equal(read("{ url: memory }").storeServer, undefined);
  const { storeServer, diagnostics } = read(
    '{ url: "valkeys://app@[::1]:6380/2", password_env: PASSWORD, ca_env: CA, prefix: team.a }',
    { PASSWORD: " secret\n", CA: "/ca.pem" },
  );
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(storeServer, {
    url: "valkeys://app@[::1]:6380/2",
    host: "::1",
    port: 6380,
    database: 2,
    isSecure: true,
    user: "app",
    password: "secret",
    caFile: "/ca.pem",
    timeoutMs: 50,
    prefix: "team.a",
  });
  const { host, port, database, isSecure } = read("{ url: redis://store.internal }").storeServer!;
  assert.deepEqual([host, port, database, isSecure], ["store.internal", 6379, 0, false]);
});

Deno.test("readStoreServer refuses a password in the file, another server, and a variable that is not set", () => {
  for (
    const url of [
      "valkey://:secret@host",
      "redis://user:secret@host:1",
      "http://host",
      "host:6379",
      "valkey://",
      "valkey://host:99999",
      "valkey://[1:2]",
    ]
  ) {
    assert.equal(read(`{ url: "${url}" }`).diagnostics.length, 1, url);
  }
  const [diagnostic, ...more] = read("{ url: valkey://host, password_env: PASSWORD }").diagnostics;
  assert.deepEqual(
    [diagnostic?.code, diagnostic?.severity, more.length],
    ["environment_missing", "error", 0],
  );
  assert.match(diagnostic?.message ?? "", /PASSWORD/);
});
