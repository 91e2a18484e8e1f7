import assert from "node:assert/strict";
import { join } from "node:path";
import { report } from "../../src/cli/report.ts";
import { auditLog } from "../support/audit_lines.ts";
import { createTestWorld } from "../support/world.ts";

async function run(values: Record<string, string | boolean>, positionals = ["audit.jsonl"]) {
  const workingDirectory = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(join(workingDirectory, "audit.jsonl"), auditLog());
    const world = createTestWorld({ workingDirectory });
    const code = await report.run({ values, positionals }, world);
    const page = await Deno.readTextFile(join(workingDirectory, "report.html")).catch(() => "");
    return { code, page, ...world.printed };
  } finally {
    await Deno.remove(workingDirectory, { recursive: true });
  }
}

Deno.test("report prints tables, JSON or a page", async () => {
  const tables = await run({});
  assert.equal(tables.code, 0);
  assert.match(tables.stdout, /requests +candidates +transformed/);
  assert.match(tables.stdout, /\nqwen_xml +– +16 +8 +8 /);
  assert.match(tables.stdout, /\ndry_run +5 +5 +0 +4 /);
  const json = await run({ json: true });
  assert.equal(JSON.parse(json.stdout).all.requests, 20);
  const { page, stdout } = await run({ html: "report.html" });
  assert.ok(page.startsWith("<!doctype html>") && stdout.includes("Wrote report.html"));
});

Deno.test("report says what is wrong with its files", async () => {
  assert.equal((await run({}, [])).code, 2);
  const missing = await run({}, ["none.jsonl"]);
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /Cannot read none\.jsonl/);
  assert.equal((await run({ html: "no/such/folder.html" })).code, 1);
});
