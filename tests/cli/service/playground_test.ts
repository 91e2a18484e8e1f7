import assert from "node:assert/strict";
import { loadBoth } from "../../admin/page/playground/setup.ts";

Deno.test("playgroundSetup has the files in force and the settings, but no key and no address", async () => {
  const { page, server } = await loadBoth(
    `upstreams: [{ name: local, url: "http://user:secret@127.0.0.1:1/v1" }]\nrules: { enable: [shell_block] }\n`,
  );
  assert.equal(
    page.rules[0]?.length,
    new Set(server.rules.rules.map(({ rule }) => server.rules.fileOf(rule))).size,
  );
  assert.deepEqual(page.clients, server.clients.clients);
  assert.deepEqual(page.config.rules.enable, ["shell_block"]);
  assert.ok(!JSON.stringify(page).includes("secret"));
  assert.deepEqual([page.folder, page.saving], ["rules", { isPossible: true }]);
});
