import assert from "node:assert/strict";
import { RefusedPort } from "./refused_port.ts";

Deno.test("RefusedPort refuses connections, and no server gets its port", async () => {
  using down = await RefusedPort.open();
  const address = { hostname: "127.0.0.1", port: down.port };
  await assert.rejects(Deno.connect(address), Deno.errors.ConnectionRefused);
  assert.throws(() => Deno.listen(address), Deno.errors.AddrInUse);
});
