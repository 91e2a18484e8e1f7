import assert from "node:assert/strict";
import { configSchema } from "../../src/proxy/config/schema.ts";
import { setupFlags } from "../../src/cli/setup_options.ts";
import { loadSetup } from "../../src/cli/service/setup.ts";
import { welcome } from "../../src/cli/welcome.ts";
import { createTestContext } from "../support/context.ts";

const url = "http://127.0.0.1:1";

async function greet(values: Record<string, string>, listen?: Record<string, unknown>): Promise<string> {
  const loaded = await loadSetup(setupFlags({ values, positionals: [] }), createTestContext());
  const config = { ...loaded.config, config: { ...loaded.config.config } };
  if (listen !== undefined) Object.assign(config.config, configSchema.parse({ listen }));
  const setup = {
    ...loaded,
    config: { ...config, clientKeys: listen?.key_env || listen?.keys ? ["a", "b"] : [] },
  };
  return welcome(setup, { url, version: "1.2.3" });
}

Deno.test("welcome gives the base URL first and says that the sample model answers", async () => {
  const text = await greet({});
  assert.ok(
    text.startsWith(`Dragoman 1.2.3 is ready. Give your agent this base URL:\n\n    ${url}/v1\n\n`),
    text,
  );
  assert.ok(text.includes("embedded sample model answers") && text.includes("--upstream"), text);
  assert.match(text, /Rules {7}\d+ on \(off: [a-z_,\s]*shell_block\)/);
  assert.match(text, /Clients {5}[a-z_, ]*openai, /);
  assert.ok(text.split("\n").every((line) => line.length <= 100));
});

Deno.test("welcome names the upstreams that are configured", async () => {
  const text = await greet({ upstream: "http://localhost:9" });
  assert.match(text, /Upstreams {3}upstream: http:\/\/localhost:9\/v1\n/);
  assert.ok(!text.includes("sample model"));
});

Deno.test("welcome says in one line who may use the proxy", async () => {
  const table: [Record<string, unknown> | undefined, string][] = [
    [undefined, "programs on this machine"],
    [
      { keys: { alice: "A", bob: "./b" } },
      "programs on this machine, with one of the 2 client keys of alice, bob",
    ],
    [{ key_env: "K" }, "programs on this machine, with one of the 2 client keys of K"],
    [
      { hostname: "0.0.0.0", key_env: "K" },
      "every machine that can reach 0.0.0.0, with one of the 2 client keys of K",
    ],
    [{ hostname: "::", open: true }, "every machine that can reach ::, without a key (listen.open)"],
  ];
  for (const [listen, line] of table) {
    assert.ok((await greet({}, listen)).includes(`\n  Open to     ${line}\n`), line);
  }
});
