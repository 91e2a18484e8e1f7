import assert from "node:assert/strict";
import { Recent } from "../../../src/admin/routes/recent.ts";
import { pluginsOf, rulesOf, statusOf, storeSection } from "../../../src/cli/service/page_data.ts";
import { loadSetup } from "../../../src/cli/service/setup.ts";
import { memorySessions } from "../../../src/proxy/store/session.ts";
import { MemoryStore } from "../../../src/proxy/store/store.ts";
import { decisionLine } from "../../support/audit_lines.ts";
import { createTestContext } from "../../support/context.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

const CONFIG = `policy: { minimum_confidence: 0.93 }
upstreams: [{ name: local, url: "http://user:topsecret@127.0.0.1:1/v1", key_env: UP_KEY }]
plugins: [{ use: strict_validation, mode: abstain, on_failure: refuse }]
`;

Deno.test("rulesOf, pluginsOf and statusOf show the setup without secrets, and why a rule is off", async () => {
  const folder = await temporaryFolder({ "dragoman.yaml": CONFIG });
  const context = createTestContext({ workingDirectory: folder, environment: { UP_KEY: "upstream-key-1" } });
  const setup = await loadSetup({}, context);
  const recent = new Recent();
  recent.add([decisionLine("transformed")]);
  const rules = rulesOf(setup, recent) as { rule: string; whyOff: string | null; hits: unknown }[];
  const found = (name: string) => rules.find(({ rule }) => rule === name);
  assert.deepEqual(found("qwen_xml")?.hits, { made: 1 });
  assert.equal(found("qwen_xml")?.whyOff, null);
  assert.match(found("shell_block")?.whyOff ?? "", /^`enabled: false`/);
  assert.match(found("json_block")?.whyOff ?? "", /below `policy\.minimum_confidence`, which is 0\.93/);
  const [plugin] = pluginsOf(setup) as {
    name: string;
    options: Record<string, unknown>;
    onFailure: string;
  }[];
  assert.deepEqual(
    [plugin?.name, plugin?.options["mode"], plugin?.onFailure],
    ["strict_validation", "abstain", "refuse"],
  );
  const status = JSON.stringify(statusOf(setup, recent));
  assert.ok(!/topsecret|upstream-key-1/.test(status), status);
});

Deno.test("storeSection shows counters, only the type of other values, and removes an entry", async () => {
  const store = new MemoryStore({ now: () => 0 });
  store.put("strikes/c1", 2, { ttlMs: 60_000 });
  store.put("queue/c2", ["a call"], { ttlMs: 60_000 });
  const section = storeSection(memorySessions(store));
  assert.deepEqual(await section.read(), [
    { key: "strikes/c1", leftSeconds: 60, value: 2 },
    { key: "queue/c2", leftSeconds: 60, value: "a list" },
  ]);
  assert.equal(await section.reset?.("strikes/c1"), true);
  assert.equal(await section.reset?.("strikes/c1"), false);
});
