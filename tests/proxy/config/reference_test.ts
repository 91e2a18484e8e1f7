import assert from "node:assert/strict";
import { parse } from "yaml";
import { configReference } from "../../../src/proxy/config/reference.ts";
import { configSchema } from "../../../src/proxy/config/schema.ts";

Deno.test("configReference describes every key", () => {
  const rows = configReference().split("\n").filter((line) => line.startsWith("| `"));
  assert.ok(rows.length > 25, `${rows.length} rows`);
  for (const key of ["listen.port", "upstreams[].key_env", "policy.rollout_percent", "audit.max_bytes"]) {
    assert.ok(rows.some((row) => row.startsWith(`| \`${key}\` | `)), key);
  }
  for (const row of rows) assert.doesNotMatch(row, /\|\s*\|$/, `${row} describes nothing`);
});

Deno.test("the pages show only keys of the configuration that exist", async () => {
  const pages = ["src/docs/guide/operation.md", "src/docs/guide/trial_run.md", "plugins/README.md"];
  const texts = await Promise.all(
    pages.map((page) => Deno.readTextFile(new URL(`../../../${page}`, import.meta.url))),
  );
  const blocks = [...texts.join("\n").matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, text = ""]) =>
    parse(text)
  );
  const configurations = blocks.filter((block) =>
    "upstreams" in block || "policy" in block || "audit" in block
  );
  assert.ok(configurations.length > 0);
  for (const block of configurations) configSchema.parse(block);
});
