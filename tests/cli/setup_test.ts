import assert from "node:assert/strict";
import { join } from "node:path";
import {
  loadSetup,
  loadSetupConfig,
  ruleSettings,
  SERVE_OPTIONS,
  SETUP_OPTIONS,
} from "../../src/cli/setup.ts";
import { createTestWorld } from "../support/world.ts";

async function withConfig<T>(text: string, run: (workingDirectory: string) => Promise<T>): Promise<T> {
  const workingDirectory = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(join(workingDirectory, "dragoman.yaml"), text);
    return await run(workingDirectory);
  } finally {
    await Deno.remove(workingDirectory, { recursive: true });
  }
}

Deno.test("loadSetup loads the configuration, the rules and the clients, and all their mistakes", () =>
  withConfig(
    "rules:\n  folders: [none]\n  enable: [nothing_like_it]\nclients:\n  folders: [nowhere]\n",
    async (workingDirectory) => {
      const world = createTestWorld({ workingDirectory });
      const { config, rules, clients, diagnostics } = await loadSetup({ values: {}, positionals: [] }, world);
      assert.equal(config.config.listen.port, 8787);
      assert.ok(rules.rules.length > 0 && clients.clients.length > 0);
      assert.deepEqual(diagnostics.map(({ code, location }) => [code, location?.line]), [
        ["file_unreadable", 2],
        ["unknown_rule", 3],
        ["file_unreadable", 5],
      ]);
    },
  ));

Deno.test("loadSetupConfig hands every flag and the environment on", () =>
  withConfig("listen: { port: 1 }", async (workingDirectory) => {
    const values = {
      host: "127.0.0.2",
      port: "2",
      upstream: "http://localhost:1",
      enable: ["a"],
      disable: ["b"],
      "min-confidence": "0.5",
      rules: ["more"],
    };
    const world = createTestWorld({ workingDirectory, environment: { DRAGOMAN_PORT: "3" } });
    const { config, ruleFolders } = await loadSetupConfig({ values, positionals: [] }, world);
    assert.deepEqual(config.listen, { hostname: "127.0.0.2", port: 2 });
    assert.deepEqual(config.upstreams.map(({ url }) => url), ["http://localhost:1/v1"]);
    assert.deepEqual([config.rules.enable, config.rules.disable], [["a"], ["b"]]);
    assert.equal(config.policy.minimum_confidence, 0.5);
    assert.equal(ruleFolders.at(-1)?.path, join(workingDirectory, "more"));
    for (const name of Object.keys(values)) assert.ok(name in SETUP_OPTIONS || name in SERVE_OPTIONS, name);
  }));

Deno.test("ruleSettings finds where the file names a rule, and nothing for one of a flag", () =>
  withConfig("rules:\n  enable: ['a', b]\n  confidence: { c: 1 }\n", async (workingDirectory) => {
    const world = createTestWorld({ workingDirectory });
    const config = await loadSetupConfig(
      { values: { enable: ["d"], disable: ["a"] }, positionals: [] },
      world,
    );
    const { locate } = ruleSettings(config);
    assert.equal(locate?.("enable", "b")?.column, 17);
    assert.equal(locate?.("confidence", "c")?.line, 3);
    assert.equal(locate?.("enable", "d"), undefined);
  }));
