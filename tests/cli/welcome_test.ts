import assert from "node:assert/strict";
import { setupFlags } from "../../src/cli/setup_options.ts";
import { loadSetup } from "../../src/service/setup.ts";
import { welcome } from "../../src/cli/welcome.ts";
import { createTestWorld } from "../support/world.ts";

const url = "http://127.0.0.1:1";

async function greet(values: Record<string, string>): Promise<string> {
  const setup = await loadSetup(setupFlags({ values, positionals: [] }), createTestWorld());
  return welcome(setup, { url, version: "1.2.3" });
}

Deno.test("welcome gives the base URL first and says that the sample model answers", async () => {
  const text = await greet({});
  assert.ok(
    text.startsWith(`Dragoman 1.2.3 is ready. Give your agent this base URL:\n\n    ${url}/v1\n\n`),
    text,
  );
  assert.ok(text.includes("embedded sample model answers") && text.includes("--upstream"), text);
  assert.match(text, /Rules {7}\d+ on \(off: shell_block\)/);
  assert.match(text, /Clients {5}openai, /);
  assert.ok(text.split("\n").every((line) => line.length <= 100));
});

Deno.test("welcome names the upstreams that are configured", async () => {
  const text = await greet({ upstream: "http://localhost:9" });
  assert.match(text, /Upstreams {3}upstream: http:\/\/localhost:9\/v1\n/);
  assert.ok(!text.includes("sample model"));
});
