import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  authorityProblems,
  loadSetup,
  loadSetupConfig,
  ruleSettings,
} from "../../../src/cli/service/setup.ts";
import { hashOf } from "../../../src/engine/document/hash.ts";
import { createTestContext } from "../../support/context.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

async function withConfig<T>(text: string, run: (workingDirectory: string) => Promise<T>): Promise<T> {
  const workingDirectory = await temporaryFolder({ "dragoman.yaml": text });
  return await run(workingDirectory);
}

Deno.test("loadSetup loads the configuration, the rules and the clients, and all their mistakes", () =>
  withConfig(
    "rules:\n  folders: [none]\n  enable: [nothing_like_it]\nclients:\n  folders: [nowhere]\n",
    async (workingDirectory) => {
      const context = createTestContext({ workingDirectory });
      const { config, rules, clients, diagnostics } = await loadSetup({}, context);
      assert.equal(config.config.listen.port, 8787);
      assert.ok(rules.rules.length > 0 && clients.clients.length > 0);
      assert.deepEqual(
        diagnostics.map(({ code, location }) => [code, location?.line]),
        [["file_unreadable", 2], ["unknown_rule", 3], ["file_unreadable", 5]],
      );
    },
  ));

Deno.test("loadSetup of a server keeps checked rules in the user's cache, and reads them there", async () => {
  const pattern = "<mine_{tool}>(?<body>…)</mine>";
  const workingDirectory = await temporaryFolder({
    "rules/mine.yaml": `rule: mine\ndescription: before\npattern: '${pattern}'\nbody: json\n`,
  });
  const environment = { XDG_CACHE_HOME: workingDirectory };
  const context = createTestContext({ workingDirectory, environment });
  const describe = async (isServing: boolean) => {
    const { rules, diagnostics } = await loadSetup({}, context, { isServing });
    assert.deepEqual(diagnostics, []);
    return rules.rules.find(({ rule }) => rule === "mine")?.description;
  };
  assert.equal(await describe(true), "before");
  const file = join(workingDirectory, "dragoman", "rules.json");
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 20));
  const [, ...lines] = (await Deno.readTextFile(file)).split("\n");
  const text = lines.join("\n").replace('"before"', '"after"');
  await Deno.writeTextFile(file, `${hashOf(text)}\n${text}`);
  assert.deepEqual([await describe(true), await describe(false)], ["after", "before"]);
});

Deno.test("ruleSettings finds where the file names a rule, and nothing for one of a flag", () =>
  withConfig("rules:\n  enable: ['a', b]\n  confidence: { c: 1 }\n", async (workingDirectory) => {
    const context = createTestContext({ workingDirectory });
    const config = await loadSetupConfig(
      { enable: ["d"], disable: ["a"] },
      context,
    );
    const { locate } = ruleSettings(config);
    assert.equal(locate?.("enable", "b")?.column, 17);
    assert.equal(locate?.("confidence", "c")?.line, 3);
    assert.equal(locate?.("enable", "d"), undefined);
  }));

Deno.test("loadSetup checks the rules that models and upstreams name", () =>
  withConfig(
    'models:\n  "q*": { rules: [hermess] }\nupstreams:\n  - { name: u, url: "http://127.0.0.1/v1", rules: [json_block, shell_block] }\n',
    async (workingDirectory) => {
      const { diagnostics } = await loadSetup({}, createTestContext({ workingDirectory }));
      const found = diagnostics.map(({ code, location, help }) => [code, location?.line, help]);
      assert.deepEqual(found[0]?.slice(0, 2), ["confidence_under_threshold", 4]);
      assert.deepEqual(found[1], ["unknown_rule", 2, "did you mean `hermes`?"]);
    },
  ));

Deno.test("authorityProblems finds a file that is missing or has no certificate", async () => {
  const workingDirectory = await temporaryFolder();
  const file = join(workingDirectory, "dragoman.yaml");
  await Deno.writeTextFile(file, 'store: { url: "rediss://host", ca_env: STORE_CA }\n');
  await Deno.writeTextFile(join(workingDirectory, "key.pem"), "-----BEGIN PRIVATE KEY-----\n");
  await Deno.writeTextFile(join(workingDirectory, "ca.pem"), "-----BEGIN CERTIFICATE-----\n");
  const problemsWith = async (path: string) => {
    const context = createTestContext({ workingDirectory, environment: { STORE_CA: path } });
    return await authorityProblems(await loadSetupConfig({}, context), context);
  };
  assert.deepEqual(await problemsWith("ca.pem"), []);
  const found = [await problemsWith("none.pem"), await problemsWith("key.pem")].flat();
  assert.deepEqual(found.map(({ message, location, help }) => [message, location?.line, help]), [
    ["Cannot read file none.pem: it does not exist", 1, "set STORE_CA to its path"],
    ["Cannot use file key.pem: it contains no certificate", 1, "set STORE_CA to its path"],
  ]);
});
