import assert from "node:assert/strict";
import { isLoopback } from "../../../src/proxy/config/address.ts";

Deno.test("isLoopback knows every spelling of this machine and no name that only begins like one", () => {
  for (
    const name of [
      "127.0.0.1",
      "127.9.9.9",
      "localhost",
      "LOCALHOST",
      "a.localhost",
      "::1",
      "::ffff:127.0.0.1",
    ]
  ) {
    assert.ok(isLoopback(name), name);
  }
  for (
    const name of [
      "0.0.0.0",
      "::",
      "10.0.0.1",
      "127.evil.example",
      "127.0.0.1.evil.example",
      "localhost.evil",
      "",
    ]
  ) {
    assert.ok(!isLoopback(name), name);
  }
});
